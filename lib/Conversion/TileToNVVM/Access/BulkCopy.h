//===- BulkCopy.h - Copies by the copy engine -------------------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_BULKCOPY_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_BULKCOPY_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// The bytes that a bulk load counts at its mbarrier: those of all its boxes,
/// also where they reach out of the tensor. Fails with an error where it has no
/// boxes.
FailureOr<int64_t> getArrivingBytes(TensorCopyOpInterface load);

/// A copy to shared memory that completes at an mbarrier.
LogicalResult lowerBulkLoad(ThreadEmitter &emitter, TensorCopyOpInterface op);

/// A copy to global memory, done when the thread that issued it goes on.
LogicalResult lowerBulkStore(ThreadEmitter &emitter, CopyOp op);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_BULKCOPY_H
