//===- NestedAccesses.h - What is done to memory in an operation -*- C++ -*-===//

#ifndef TILE_ANALYSIS_NESTEDACCESSES_H
#define TILE_ANALYSIS_NESTEDACCESSES_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Whether `root` or an operation in it may write to the buffer of `memref`.
bool isWrittenIn(Operation *root, Value memref);

/// Whether `root` or an operation in it fills `buffer` by copies whose end is an arrival
/// at an mbarrier.
bool isFilledByBulkIn(Operation *root, AllocOp buffer);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_NESTEDACCESSES_H
