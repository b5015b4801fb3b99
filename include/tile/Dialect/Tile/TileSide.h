//===- TileSide.h - One side of a tile access -------------------*- C++ -*-===//
//
// Copies, loads, stores and atomics share one notion: a *side*, a box of a
// memref
//
//     %m [%i, %j] [128, 64] rows(%r : tensor<128xi32>) dim 0
//        in_bounds [true, false]
//
// with starts, extents, gathered rows and asserted bounds. A side without
// indices is its whole memref. This header gives that notion a value type, so
// that verifiers, passes and interpreters treat all sides alike.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_TILESIDE_H
#define TILE_DIALECT_TILE_TILESIDE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"

#include <optional>

namespace mlir::tile {

struct Side {
  TypedValue<MemRefType> memref;
  /// Starts in elements, one per dimension; empty where the whole memref is
  /// meant.
  ValueRange indices;
  /// Extents, one per dimension of the memref; null where the other side gives
  /// them.
  DenseI64ArrayAttr box;
  /// Offsets added along `rowsDim`; null without `rows`.
  Value rows;
  std::optional<int64_t> rowsDim;
  /// One entry per dimension; null means no dimension is asserted.
  DenseBoolArrayAttr inBounds;

  MemRefType getType() const { return memref.getType(); }
  int64_t getRank() const { return getType().getRank(); }
  bool isWhole() const { return indices.empty(); }
  bool isShared() const;
  bool isInBounds(int64_t dim) const {
    return inBounds && inBounds.asArrayRef()[dim];
  }

  /// The extents along each dimension of the memref. `other` is the shape of
  /// the other side (or fragment), used where this one has indices but no box.
  SmallVector<int64_t> getExtents(ArrayRef<int64_t> other) const;

  /// For each dimension of the moved tile (of shape `tile`) the dimension of
  /// the memref it runs along: all of them in order, or, with a box of higher
  /// rank, those left when unit dimensions are dropped as a rank-reducing
  /// subview does.
  SmallVector<int64_t> getTileDims(ArrayRef<int64_t> tile) const;
};

/// Whether a memref lives in the block's shared memory.
bool isSharedMemory(MemRefType type);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_TILESIDE_H
