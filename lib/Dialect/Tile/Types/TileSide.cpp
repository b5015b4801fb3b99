//===- TileSide.cpp - One side of a tile access ---------------------------===//
//
// See TileSide.h. Dropping unit dimensions follows `memref.subview`: dimensions
// of the box are matched to the tile's from the front, and a dimension of
// extent 1 that does not match is dropped.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileSide.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::tile;

bool tile::isSharedMemory(MemRefType type) {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

bool Side::isShared() const { return isSharedMemory(getType()); }

SmallVector<int64_t> Side::getExtents(ArrayRef<int64_t> other) const {
  if (isWhole())
    return llvm::to_vector(getType().getShape());
  return llvm::to_vector(box ? box.asArrayRef() : other);
}

SmallVector<int64_t> Side::getTileDims(ArrayRef<int64_t> tile) const {
  SmallVector<int64_t> extents = getExtents(tile);
  SmallVector<int64_t> dims;
  int64_t excess =
      static_cast<int64_t>(extents.size()) - static_cast<int64_t>(tile.size());
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    bool matches = dims.size() < tile.size() && tile[dims.size()] == extent;
    if (!matches && excess > 0) {
      --excess;
      continue;
    }
    dims.push_back(static_cast<int64_t>(dim));
  }
  return dims;
}
