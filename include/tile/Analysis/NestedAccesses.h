//===- NestedAccesses.h - What is done to memory in an operation -*- C++ -*-===//

#ifndef TILE_ANALYSIS_NESTEDACCESSES_H
#define TILE_ANALYSIS_NESTEDACCESSES_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// What the block-level operations in `op`, itself included, touch
/// (BlockAccesses.h).
SmallVector<BlockAccess> getNestedAccesses(Operation *op);

/// Whether `access` is of `buffer` or a view of it.
bool isIn(const BlockAccess &access, AllocOp buffer);

/// Whether `access` reads global memory, as far as is known which memory it is.
bool readsGlobal(const BlockAccess &access);

/// Whether `access` may write to the shared buffer of `memref`.
bool mayWriteTo(const BlockAccess &access, Value memref);

/// Whether `root` or an operation in it may write to the buffer of `memref`.
bool isWrittenIn(Operation *root, Value memref);

/// The shared buffers that `root` or an operation in it writes, each once.
SmallVector<Value> getWrittenBuffers(Operation *root);

/// Whether `access` writes by a copy whose end is an arrival at an mbarrier.
bool isBulkFill(const BlockAccess &access);

/// Whether `root` or an operation in it fills `buffer` by such copies.
bool isFilledByBulkIn(Operation *root, AllocOp buffer);

/// Whether something that `root` writes is there some time after it: by an
/// asynchronous copy.
bool arrivesLate(Operation *root);

/// Whether `root` and what is in it touch memory, and only global memory that they
/// read.
bool onlyReadsGlobal(Operation *root);

/// Whether `root` waits for global memory before others can use what it makes.
bool loadsGlobal(Operation *root);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_NESTEDACCESSES_H
