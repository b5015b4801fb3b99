//===- SubViews.h - Dimensions of subviews ----------------------*- C++ -*-===//

#ifndef TILE_DIALECT_TILE_SUBVIEWS_H
#define TILE_DIALECT_TILE_SUBVIEWS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::tile {

/// The dimensions of its source that a view does not have. Of several of size 1
/// the strides of the result's type tell which are gone; where they leave a
/// choice it is the first, which makes no difference to any element's place.
/// For every view that verifies, unlike `getDroppedDims` of the operation,
/// which compares with the source's strides and fails where the view steps
/// over elements.
llvm::SmallBitVector getDroppedDims(memref::SubViewOp view);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_SUBVIEWS_H
