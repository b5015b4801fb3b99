//===- BarrierCover.h - The cheapest points that cover all pairs -*- C++ -*-===//
//
// Each pair of accesses that needs an order has a set of points, at any of which
// a barrier makes it. The cheapest set of points that hits them all is a
// weighted hitting set:
//
//     point      0  1  2  3  4        weights 1  1 [16 16 16] (in a loop)
//     pair a        x  x              points 1 and 3 cover all: 17
//     pair b           x  x
//     pair c     x  x
//
// A point that hits no more than another at no less cost is dropped; what is
// left is mostly one point a pair. The rest is solved exactly by branch and
// bound up to a number of steps, beyond which the best found so far is taken.
// Plain data, no IR.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_BARRIERCOVER_H
#define TILE_ANALYSIS_BARRIERCOVER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/SparseBitVector.h"

#include <cstdint>

namespace mlir::tile {

/// A pair of accesses that needs an order.
struct CoverPair {
  /// Where a barrier orders the two; at least one point.
  llvm::SparseBitVector<> points;
  /// The point directly before the later one.
  int64_t last = 0;
};

/// The points of a cheapest cover, ascending; `weights` (positive) are the costs
/// of the points. Among points of the same use and cost the one is taken that
/// is nearest before the later accesses, so that threads run apart for long.
llvm::SmallVector<int64_t> findCheapestCover(llvm::ArrayRef<CoverPair> pairs,
                                             llvm::ArrayRef<int64_t> weights);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_BARRIERCOVER_H
