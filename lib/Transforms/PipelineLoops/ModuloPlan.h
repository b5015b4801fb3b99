//===- ModuloPlan.h - The modulo schedule of a loop -------------*- C++ -*-===//
//
// A loop body with cycles, registers and bytes as a problem for the modulo
// solver, and its solution as a plan:
//
//     movable   what brings data from global memory, and what it needs for that
//               in its iteration; everything else keeps its order, at the last
//               stage
//     slots     of buffers whose fills all stand in front of what reads them;
//               one for each iteration under way
//     limits    the stages that are asked for, the chip's shared memory packed
//               with all other buffers, the registers that an iteration leaves
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_MODULOPLAN_H
#define TILE_TRANSFORMS_PIPELINELOOPS_MODULOPLAN_H

#include "LoopPlan.h"

namespace mlir::tile {

/// A buffer that may have slots.
struct PrivateBuffer {
  AllocOp buffer;
  int place = 0;
  /// The operations of the body that write it; all others only read it.
  SmallVector<int> writers, readers;
};

class ModuloPlanner {
public:
  ModuloPlanner(scf::ForOp loop, int64_t stages, const tilec::GpuTarget &target,
                const LoopStatements &statements, const ArenaProblem &arena);

  /// The problem that the ahead solver had, with cycles: its dependences, and
  /// the slots of `rings`.
  tilec::schedule::Problem getAheadProblem(ArrayRef<RingBuffer> rings) const;
  /// Finds a schedule whose slots fit; nothing, and a reason, if there is none.
  std::optional<tilec::schedule::Schedule> solve(std::string &reason);
  /// What a limit of the chip keeps from being faster than `cycles` an
  /// iteration; nothing if none does. After `solve`.
  std::string explainLimits(int64_t cycles);
  /// Blocks that a multiprocessor holds at once with that schedule and those
  /// slots; 0 if they do not fit.
  int64_t countBlocks(const tilec::schedule::Problem &scheduled,
                      const tilec::schedule::Schedule &schedule,
                      ArrayRef<SlotCandidate> slots) const;
  SmallVector<SlotCandidate>
  getCandidates(const tilec::schedule::Schedule &modulo) const;
  const tilec::schedule::Problem &getProblem() const { return problem; }
  /// The cycles of an iteration, with the slots that the schedule gets.
  int64_t predict(const tilec::schedule::Schedule &modulo);
  /// Puts the schedule and its rings in the place of those of `plan`, whose
  /// obstacles are not its own.
  void apply(const tilec::schedule::Schedule &modulo, LoopPlan &plan) const;

private:
  void addCosts();
  void setRegisterLimit();
  void pinWhatPeopleSee();
  void findPrivateBuffers();
  std::vector<bool> findMovable() const;
  void buildGraph();
  bool mayHaveSlots(PrivateBuffer &buffer);
  bool dropMixedBuffer(const tilec::schedule::Schedule &modulo);
  std::vector<int> countSlots(const tilec::schedule::Schedule &modulo) const;
  std::optional<int64_t>
  countSharedBytes(const tilec::schedule::Schedule &modulo) const;
  bool mayExceedRegisters() const;

  scf::ForOp loop;
  const tilec::GpuTarget &target;
  const LoopStatements &statements;
  const ArenaProblem &arena;
  SmallVector<PrivateBuffer> buffers;
  tilec::schedule::Problem problem;
  tilec::schedule::Limits limits;
  /// Registers that the program itself carries from iteration to iteration.
  int64_t ownRegisters = 0;
  /// The fastest schedule whose slots do not fit.
  struct TooLarge {
    int64_t cycles = 0, sharedBytes = 0;
  };
  std::optional<TooLarge> tooLarge;
};

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_MODULOPLAN_H
