//===- BufferWalk.h - What an iteration does to a shared buffer -*- C++ -*-===//
//
// One iteration of a loop body, followed element by element for one buffer:
// inner loops with constant trip counts are run, views with the offsets they
// then have, conditions remembered, so that a fill under `scf.if %c` counts for
// a read under another `scf.if %c`. An inner loop that ends at a value is run
// until its numbers pass the buffer, and what it has filled by then counts, step
// by step, in other loops to the same value. Four questions are answered:
//
// - Is every read reached only after writes of the same iteration to all that
//   it reads? Then nothing flows from one iteration to the next, and the buffer
//   may have a slot for each.
// - Inside one operation of the body, does a fill overwrite what the operation
//   itself touched before? If not, its fills may run in front of the rest.
// - Does a fill write where another one of the iteration is still to arrive?
//   One wait is for all fills of an iteration, so that these have no order.
// - Is all of the buffer written? Then nothing of what was in it before is
//   left behind the loop.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_BUFFERWALK_H
#define TILE_TRANSFORMS_PIPELINELOOPS_BUFFERWALK_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tile {

struct BufferUse {
  /// The first read, in program order, of something that the iteration may not
  /// have written before; null if there is none.
  Operation *uncoveredRead = nullptr;
  /// Fills of what the same operation of the body has touched before.
  llvm::SmallSetVector<Operation *, 2> refills;
  /// A fill of what another copy, which nothing waits for in between, fills in
  /// the same iteration.
  Operation *collision = nullptr;
  /// Whether the iteration certainly writes every element.
  bool isReplaced = false;

  /// Nothing flows from one iteration to the next, and what fills the buffer
  /// needs no wait inside of one.
  bool mayHaveSlots() const { return !uncoveredRead && !collision; }
};

/// Whether an operation fills a shared buffer from global memory: it reads the
/// one, writes the other and makes no value.
bool isFill(Operation *op);

/// Whether the numbers that an inner loop goes through are known, if not how many.
bool hasKnownSteps(scf::ForOp loop);

/// Follows one iteration of `loop` for `buffer`, the result of a `tile.alloc`.
BufferUse followBuffer(scf::ForOp loop, Value buffer);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_BUFFERWALK_H
