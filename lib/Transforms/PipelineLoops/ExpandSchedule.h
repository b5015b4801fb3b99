//===- ExpandSchedule.h - A loop whose iterations overlap -------*- C++ -*-===//
//
// Carries out a modulo schedule of a loop body. An operation with a lead of n
// works, in each step of the new loop, on the iteration n after that of the
// operations with no lead:
//
//     for t in 0 .. S-1:                        prologue, S the largest lead
//       operations with a lead > S-1-t, each if its iteration exists
//     for i:                                    the loop's own bounds
//       in the given order, an operation of lead n:
//         n = 0: work on iteration i
//         n > 0: if iteration i+n exists, work on it
//
// Values go from the step that makes them to the step that uses them as
// loop-carried values, one for each step they wait. What is computed from the
// induction variable and other scalars is computed again wherever it is needed.
// The results of the loop are those of the last iteration that exists.
//
// Nothing is known here of memory: that the order is right is the schedule's
// affair (Schedule.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_EXPANDSCHEDULE_H
#define TILE_TRANSFORMS_PIPELINELOOPS_EXPANDSCHEDULE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tile {

/// An operation of a loop body and how many iterations it runs ahead.
struct ScheduledOp {
  Operation *op = nullptr;
  int64_t lead = 0;
  /// Is not put under the guard of the operation before.
  bool startsGroup = false;
};

/// What stands in front of a pipelined loop: its first steps, of what runs ahead.
/// The last steps are those of the loop itself, in which nothing runs ahead.
struct PrologueSize {
  int64_t steps = 0;
  int64_t operations = 0; ///< each as often as it stands there
};

PrologueSize getPrologueSize(ArrayRef<ScheduledOp> order);

/// Whether an operation of a loop body is computed again by each user instead
/// of being scheduled: arithmetic on scalars, and views.
bool isRecomputed(Operation *op);

/// Replaces `loop` by the pipelined loop. `order` holds every operation of the
/// body that is not recomputed, terminator excluded, by its place in a step.
/// What an operation uses has at least its lead, loop-carried uses one less.
scf::ForOp expandSchedule(scf::ForOp loop, ArrayRef<ScheduledOp> order,
                          IRRewriter &rewriter);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_EXPANDSCHEDULE_H
