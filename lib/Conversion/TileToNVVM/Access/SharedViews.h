//===- SharedViews.h - The arena and views of it ----------------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SHAREDVIEWS_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SHAREDVIEWS_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// Lowers a view of a memref in shared memory: a subview, reshape, cast or
/// assumption.
LogicalResult lowerSharedMemRefView(ThreadEmitter &emitter, Operation *op);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SHAREDVIEWS_H
