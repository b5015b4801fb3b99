//===- AlternateTiles.h - Teams whose tiles take turns ----------*- C++ -*-===//
//
// With `consumers = pingpong` two teams of one warpgroup have every second tile of a
// persistent launch each. A tile's turn is from the first wait for the producer to
// the last one, so that the products of one team run while the other stores:
//
//     team 0   [ k-loop of tile 0 ] store        [ k-loop of tile 2 ] store
//     team 1                      [ k-loop of tile 1 ] store        [ ..
//
// Turns are more than speed here. The phase of an mbarrier is one bit, so that who
// waits for a use must know that the one before it of that slot has come. In a turn
// all uses of earlier tiles have been waited for.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_ALTERNATETILES_H
#define TILE_TRANSFORMS_ALTERNATETILES_H

#include "tile/Analysis/ProducerSlice.h"

namespace mlir::tile {

/// Gives each tile of `launch`, which has roles and `consumers = pingpong`, a turn;
/// or says why teams cannot have tiles of their own.
std::optional<SplitObstacle> alternateTiles(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_ALTERNATETILES_H
