//===- TensorMapShape.h - What a tensor map is made of ----------*- C++ -*-===//

#ifndef TILE_DIALECT_TILE_TENSORMAPSHAPE_H
#define TILE_DIALECT_TILE_TENSORMAPSHAPE_H

#include "tile/Contract/TensorMaps.h"
#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// What the operation says, as plain data, which lives as long as the operation.
tilec::TensorMapShape getTensorMapShape(EncodeTensorMapOp op);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_TENSORMAPSHAPE_H
