//===- ThreadCopy.h - How threads make a copy -------------------*- C++ -*-===//

#ifndef TILE_ANALYSIS_THREADCOPY_H
#define TILE_ANALYSIS_THREADCOPY_H

#include "tile/Analysis/IndexFacts.h"
#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/CopyInstruction.h"

namespace mlir::tile {

/// Lets the threads that make a `tile.copy` or `tile.im2col`, each for elements of
/// its own, learn of its end as `completion` says; at once where no instruction
/// does it so. One that takes no registers is preferred.
void setCompletion(Operation *copy, tilec::Completion completion);

/// Whether what `copy` moves goes through the registers of its threads.
bool passesRegisters(Operation *copy);

/// How many elements a store of `copy` moves, which passes the registers of
/// `layout`.
int64_t getStoreWidth(IndexFacts &facts, CopyOp copy,
                      const tilec::FragmentLayout &layout);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_THREADCOPY_H
