//===- RingProtocol.h - Whether rings are used in step ----------*- C++ -*-===//
//
// Each use of a ring goes round once:
//
//            acquire           commit          wait             release
//     free ----------> filling -----> full ----------> reading ---------> free
//
// and its slot is touched while it is filling or reading only. The use that lies
// in the same slot a round later is acquired when this one is free again. Within
// one sequence of operations that is decided here, by dataflow over every path:
// for each use, named by its number (RingNumbers.h), the states that it may be
// in. An operation that finds its use in none of the states it asks for is an
// error, with the operation that brought it there; so is a use that does not
// get back to free before its ring ends, and one that is acquired out of order.
//
// Conditions. A use that is acquired under one, `scf.if` without else, is in its
// state where the condition holds, and is free elsewhere; a later `scf.if` on the
// same value knows which. That an iteration exists, `i + 2 * s < n`, is followed
// from the iteration that commits to the one that waits, through loops whose
// bounds and steps are not known, with and without signs, in front of which
// `lower + s < n` guards the first commits; and so is a condition that a loop
// carries (lib/Analysis/RingConditions.h). So there is nothing to believe:
//
//     proved     what is waited for is committed, by an operation before, where
//                the wait is reached; nothing is waited for, released or acquired
//                twice; no slot is filled before it was released; what is
//                committed is waited for before its ring ends
//     an error   a loop of a step that is known commits `d` ahead under a
//                condition that no iteration meets `d` before the last
//     a warning  what follows from none of this: other conditions where the use
//                is committed and where it is waited for, or acquired again,
//                numbers that nothing relates, a slot that no acquire and no wait
//                gave
//
// Sums of numbers and bounds are taken not to wrap, and a number whose base is
// left behind by a loop without its results is not followed. The order of acquires
// under conditions of their own is checked as far as one that was not met lets the
// next number be an earlier one. The reference interpreter checks all of it in
// every run.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_RINGPROTOCOL_H
#define TILE_ANALYSIS_RINGPROTOCOL_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Something that is wrong with a use of a ring, or cannot be decided.
struct RingFinding {
  Operation *op = nullptr;
  bool isError = true; ///< else it is not decided
  std::string message;
  /// What brought the use to its state, or the ring; null if not known.
  Operation *other = nullptr;
  bool isOtherRing = false;
};

/// What is to be said of the rings of a launch without roles, in the order of
/// the program.
SmallVector<RingFinding> checkRingProtocol(LaunchOp launch);

/// Emits an error or a warning for each finding; fails if there is an error.
LogicalResult verifyRingProtocol(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_RINGPROTOCOL_H
