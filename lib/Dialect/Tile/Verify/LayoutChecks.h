//===- LayoutChecks.h - Layouts against what they lay out -------*- C++ -*-===//
//
// Checks that several operations make of the layouts they carry.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_DIALECT_TILE_VERIFY_LAYOUTCHECKS_H
#define TILE_LIB_DIALECT_TILE_VERIFY_LAYOUTCHECKS_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Whether a shared layout has the shape of a buffer and fits its elements.
LogicalResult verifySharedLayout(Operation *op, SharedAttr layout,
                                 MemRefType type);

/// Whether a thread layout is over `shape`, and `vectorWidth` elements are
/// consecutive in its registers along some dimension. Both are optional.
LogicalResult verifyThreadLayout(Operation *op, FragmentAttr layout,
                                 std::optional<int64_t> vectorWidth,
                                 ArrayRef<int64_t> shape);

/// `[a, b]` of a shape, for messages.
std::string formatShape(ArrayRef<int64_t> shape);

} // namespace mlir::tile

#endif // TILE_LIB_DIALECT_TILE_VERIFY_LAYOUTCHECKS_H
