//===- WantedDivisors.h - Sizes whose divisor would help --------*- C++ -*-===//
//
// The rows of a memref of dynamic sizes begin anywhere, unless a divisor of its
// innermost dynamic size is known, and what begins anywhere is accessed an element at
// a time. Which size of which memref that is, and by what it would have to be
// divisible, is asked by supposing it: what IndexFacts answer then is what they would
// answer were it stated. Where a memref has strides of its own, it is these that are
// asked for, and where it begins.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_WANTEDDIVISORS_H
#define TILE_ANALYSIS_WANTEDDIVISORS_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// An operation that accesses global memory, what one access of a thread moves there
/// and what it would move, both in bits.
struct NarrowAccess {
  Operation *op;
  int64_t bits, possibleBits;
};

/// Size `dim` of `memref`, which is known in front of the launch, is not known to be
/// divisible by `divisor`; if it were, `accesses` would be wider. If `isStrided`, that
/// goes for all strides but the innermost and for the offset as well.
struct WantedDivisor {
  Value memref;
  int64_t dim = 0, divisor = 1;
  bool isStrided = false;
  SmallVector<NarrowAccess> accesses; ///< in program order, at least one
};

/// The divisors that copies, loads and stores of `launch` want, of images the channels,
/// in the order of their first access; at most one of each memref. Loads and stores are wide where the whole
/// tile lies inside, whatever the sizes, so they want what their rows begin at.
SmallVector<WantedDivisor> findWantedDivisors(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_WANTEDDIVISORS_H
