//===- SpanCopies.h - Bulk copies with and without tensors ------*- C++ -*-===//
//
// A bulk copy (`isBulkCopy`) moves boxes of a tensor that a tensor map describes, or
// spans of bytes that lie together. Both are issued by one thread and done alike.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_SPANCOPIES_H
#define TILE_DIALECT_TILE_SPANCOPIES_H

#include "mlir/IR/Operation.h"

namespace mlir::tile {

/// Whether `op` is a bulk copy that moves boxes by a tensor map.
bool needsTensorMap(Operation *op);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_SPANCOPIES_H
