//===- ConflictScope.h - Whose accesses conflict ----------------*- C++ -*-===//
//
// Two accesses of a block that touch a common byte, one of them writing, have
// to happen in the program's order. How much that takes depends on which
// threads touch the byte:
//
//     Thread   in both accesses one and the same thread: its own order is enough
//     Warp     threads of one warp: they have to meet
//     Block    any others: the block has to meet
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_CONFLICTSCOPE_H
#define TILE_ANALYSIS_CONFLICTSCOPE_H

#include "tile/Analysis/BlockAccesses.h"

namespace mlir::tile {

/// Among whom an order has to be made, weakest first.
enum class ConflictScope { Thread, Warp, Block };

/// What is known of the places of two accesses that may touch a common byte.
struct PlaceFacts {
  /// Values that both accesses use stand for the same number in both.
  bool hasSameValues = false;
};

/// The least scope that orders two accesses, assuming that they may overlap
/// and that one writes.
ConflictScope getConflictScope(const BlockAccess &earlier,
                               const BlockAccess &later, PlaceFacts facts);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_CONFLICTSCOPE_H
