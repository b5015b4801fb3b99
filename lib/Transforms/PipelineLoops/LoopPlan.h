//===- LoopPlan.h - What runs ahead in a loop, and in which slots -*- C++ -*-=//
//
// The plan of a loop with `tile.stages = N`: the order of a step with the lead
// of each operation, and the buffers that become rings of slots. Either the
// program says it (`tile.pipeline_stage`, `tile.pipeline_order`), and it is
// checked, or fills of shared buffers run N - 1 iterations ahead, what goes
// through registers one, and everything else stays in order.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_LOOPPLAN_H
#define TILE_TRANSFORMS_PIPELINELOOPS_LOOPPLAN_H

#include "ContinueRing.h"
#include "ExpandSchedule.h"
#include "LoopStatements.h"

#include "tile/Analysis/ArenaProblem.h"
#include "tile/Hardware/GpuTarget.h"

namespace mlir::tile {

/// A buffer with a slot for each of several iterations.
struct RingBuffer {
  AllocOp buffer;
  int64_t slots = 1;
  /// How far ahead it is filled.
  int64_t lead = 0;
  /// What is in it when the loop ends is read behind it, so that the slot in use
  /// is kept until the next one is.
  bool isHeld = false;
  /// Operations of the body that fill it ahead of the others.
  SmallVector<Operation *> writers;
  /// The ring of a loop in front whose uses go on; else it gets one of its own.
  std::optional<ContinuedRing> continued = std::nullopt;
};

/// Why something stays where it is.
struct Obstacle {
  Operation *op = nullptr;
  std::string reason;
  /// The buffer that keeps one slot, if one does.
  Value buffer;
};

/// Which solver's schedule the plan has, of those of both (ChooseSolver.h).
struct SolverChoice {
  bool isModulo = false;
  /// Of one iteration in the long run; equal where there is no modulo schedule.
  int64_t aheadCycles = 0, moduloCycles = 0;
  std::string reason;
};

struct LoopPlan {
  /// A step of the pipelined loop; empty leaves the loop as it is.
  SmallVector<ScheduledOp> order;
  SmallVector<RingBuffer> rings;
  /// The most iterations that are under way at once.
  int64_t stages = 1;
  /// Fills and loads that run ahead.
  int64_t ahead = 0;
  /// Of operations of the program.
  PrologueSize prologue;
  /// What was asked for and does not happen; empty if nothing.
  SmallVector<Obstacle> obstacles;
  /// Nothing where only one solver can schedule the loop.
  std::optional<SolverChoice> choice;
  /// Slots that are held in front of the loop were looked at as buffers
  /// (ContinueRing.h): the launch is no longer as it was.
  bool opensSlots = false;
  /// The registers of the launch decide: it matters which of its loops are pipelined.
  bool asksRegisters = false;
  /// Other blocks of the multiprocessor work while one waits for what this plan
  /// saves slots with (EarlyRelease.h).
  bool hidesWaits = false;
};

/// Plans a loop that asks for `stages` slots, beside the buffers of `arena`; by a
/// modulo schedule where `mayBeModulo` and that is predicted to be faster.
LoopPlan planLoop(scf::ForOp loop, int64_t stages,
                  const tilec::GpuTarget &target, const ArenaProblem &arena,
                  bool mayBeModulo);

/// Plans the slots of a loop that stays in its own order, beside the buffers of
/// `arena`.
LoopPlan planInPlace(scf::ForOp loop, int64_t stages,
                     const tilec::GpuTarget &target, const ArenaProblem &arena);

/// Plans a loop whose operations say their stage and order; an error at the
/// operation that a dependence forbids to be where it says.
FailureOr<LoopPlan> planExplicit(scf::ForOp loop, int64_t stages,
                                 const tilec::GpuTarget &target);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_LOOPPLAN_H
