//===- AccessedSides.h - The sides of an operation --------------*- C++ -*-===//
//
// Copies, loads, stores and atomics as what they have in common: sides (TileSide.h)
// and the tile that is accessed there.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_ACCESSEDSIDES_H
#define TILE_ANALYSIS_ACCESSEDSIDES_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// A side of an operation, with the shape of the tile that is accessed there.
struct AccessedSide {
  Side side;
  SmallVector<int64_t> tile;
  bool isSource = false;
  bool isAtomic = false;
};

/// The sides of a copy, load, store or atomic, the source first; none of others.
SmallVector<AccessedSide> getAccessedSides(Operation *op);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_ACCESSEDSIDES_H
