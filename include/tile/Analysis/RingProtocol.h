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
// same value knows which. Where that knowledge ends, because a loop goes round,
// the use *may* be in its state, and who waits for it is believed that it is:
//
//     proved     what is waited for is committed where its condition held, by an
//                operation before; nothing is waited for, released or acquired
//                twice; no slot is filled before it was released
//                and where a loop of constant step commits `d` ahead under a
//                condition that no iteration meets `d` before the last, that
//                this wait fails (RingGuards.h)
//     believed   that a use is only waited for, and another is acquired in its
//                place only, where the conditions say so: `i + 2 < n` when it
//                is committed, and two iterations later that there is one
//
// The reference interpreter checks the rest of it in every run. What cannot be
// decided for another reason, numbers that nothing relates or a slot that no
// acquire and no wait gave, is a warning.
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
