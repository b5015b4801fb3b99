//===- RingGuards.h - Commits under conditions on iterations ----*- C++ -*-===//
//
// What the dataflow over uses forgets where a loop goes round: that a commit was
// guarded by the existence of the iteration that waits for it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_RINGGUARDS_H
#define TILE_LIB_ANALYSIS_RINGGUARDS_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// The commit of the use that `wait` waits for if its condition is false where
/// the last iteration of the loop needs it; null where it is not, or not known.
Operation *findMissingCommit(RingWaitOp wait);

} // namespace mlir::tile

#endif // TILE_LIB_ANALYSIS_RINGGUARDS_H
