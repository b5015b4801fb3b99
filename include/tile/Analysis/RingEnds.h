//===- RingEnds.h - The first and last uses of slots ------------*- C++ -*-===//
//
// In a ring with mbarriers an acquire waits until the use one round before has been
// released, and a release says so to the acquire one round behind:
//
//     use         0  1  2 | 3  4  5 | 6          a ring of 3 slots, 7 uses
//     acquire     -  -  -   0  1  2   3          waits for the release of ..
//     release     3  4  5   6  -  -   -          is waited for by the acquire of ..
//
// So the first round of acquires has nothing to wait for, and nobody waits for the
// last round of releases. Of a use in a loop it is not known in which round it is;
// those in front of the loop and behind it, as where a step was peeled, are told here
// by where they stand.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_RINGENDS_H
#define TILE_ANALYSIS_RINGENDS_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Whether a slot is as the ring was set when `acquire` comes to it: it runs once,
/// and in front of it fewer uses are acquired than the ring has slots.
bool isOfFirstRound(RingAcquireOp acquire);

/// Whether nobody acquires again the slot that `release` gives back. Each use that is
/// acquired is waited for, and a use one round behind cannot have been in front of
/// this release: so there is none where no wait comes behind it.
bool isOfLastRound(RingReleaseOp release);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_RINGENDS_H
