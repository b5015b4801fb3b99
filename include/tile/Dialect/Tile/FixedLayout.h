//===- FixedLayout.h - What a memref type fixes -----------------*- C++ -*-===//

#ifndef TILE_DIALECT_TILE_FIXEDLAYOUT_H
#define TILE_DIALECT_TILE_FIXEDLAYOUT_H

#include "tile/Contract/MemRefs.h"

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tile {

// So that a type's extents are those of the rules of tile/Contract as they are.
static_assert(ShapedType::kDynamic == tilec::anyExtent);

/// Sizes, strides and offset of a type, `tilec::anyExtent` where it leaves them open.
struct FixedLayout {
  SmallVector<int64_t> sizes, strides;
  int64_t offset = 0;

  /// The same as plain data, which lives as long as this.
  tilec::MemRefShape getShape() const { return {sizes, strides, offset}; }
};

/// Fails where the layout is not strided.
FailureOr<FixedLayout> getFixedLayout(MemRefType type);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_FIXEDLAYOUT_H
