//===- TileOps.td - All operations of the tile dialect -----*- tablegen -*-===//

#ifndef TILE_DIALECT_TILE_TILEOPS
#define TILE_DIALECT_TILE_TILEOPS

include "tile/Dialect/Tile/TileLaunchOps.td"
include "tile/Dialect/Tile/TileMemoryOps.td"
include "tile/Dialect/Tile/TileComputeOps.td"
include "tile/Dialect/Tile/TileShapeOps.td"
include "tile/Dialect/Tile/TileLoweringOps.td"
include "tile/Dialect/Tile/TileAsyncOps.td"

#endif // TILE_DIALECT_TILE_TILEOPS
