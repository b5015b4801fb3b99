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
  bool movesPinned(const tilec::schedule::Schedule &modulo) const;
  std::vector<int> countSlots(const tilec::schedule::Schedule &modulo) const;
  std::optional<int64_t>
  getExcessBytes(const tilec::schedule::Schedule &modulo) const;

  scf::ForOp loop;
  const tilec::GpuTarget &target;
  const LoopStatements &statements;
  const ArenaProblem &arena;
  SmallVector<PrivateBuffer> buffers;
  tilec::schedule::Problem problem;
  tilec::schedule::Limits limits;
  /// The statements that stay in order.
  SmallVector<int> pinned;
};

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_MODULOPLAN_H
