//===- CloneAccumulators.h - Sums that are used again -----------*- C++ -*-===//
//
// An instruction that is waited for later adds to its accumulator in place. Where
// the accumulator is used again behind its start, it works on a copy:
//
//     t = gemm a, b, s                      c = clone s
//     u = t - s                             t = gemm a, b, c
//                                           u = t - s
//
// So the program says where registers go, and a remark can. Code for a thread has
// the copy in front of the product's fence anyhow (WarpgroupGemm.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_OVERLAPPRODUCTS_CLONEACCUMULATORS_H
#define TILE_TRANSFORMS_OVERLAPPRODUCTS_CLONEACCUMULATORS_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Gives the products of `launch` by such instructions clones of the accumulators
/// that something uses behind them, and of constants; a remark says where that
/// costs registers.
void cloneAccumulators(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_OVERLAPPRODUCTS_CLONEACCUMULATORS_H
