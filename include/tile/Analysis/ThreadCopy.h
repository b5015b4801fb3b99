//===- ThreadCopy.h - How threads make a copy -------------------*- C++ -*-===//

#ifndef TILE_ANALYSIS_THREADCOPY_H
#define TILE_ANALYSIS_THREADCOPY_H

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/CopyInstruction.h"

namespace mlir::tile {

/// The row by which threads, each for elements of its own, copy `accessBits` an
/// access from `source` to `dest`. With `mayBeUnderWay` one that is done after a
/// wait and takes no registers, where there is one; else one that is done at
/// once.
const tilec::CopyInstruction &getThreadCopy(MemRefType source, MemRefType dest,
                                            int64_t accessBits,
                                            bool mayBeUnderWay);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_THREADCOPY_H
