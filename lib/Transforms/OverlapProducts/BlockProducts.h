//===- BlockProducts.h - Products of a block together -----------*- C++ -*-===//
//
// Where no product can stay in flight over a loop, those of an iteration still
// need not be waited for one by one, nor those that stand in no loop. Each starts
// where it stands and is waited for in front of the first operation that uses its
// result, or writes to what it reads; a product that only adds to the one before goes
// on from the pending sum:
//
//     s = gemm a, b                 s = gemm_async a, b; wait s
//     p = f(s)                      p = f(s)
//     v' = gemm p, c, v        ->   v' = gemm_async p, c, v
//     d = gemm e, c                 d = gemm_async e, c; wait d
//     g = h(d)                      g = h(d); wait v'
//     yield v', g                   yield v', g
//
// Slots that they read are released where they are complete, unless a wait for a
// slot stands in between. All are complete when the block ends.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_OVERLAPPRODUCTS_BLOCKPRODUCTS_H
#define TILE_TRANSFORMS_OVERLAPPRODUCTS_BLOCKPRODUCTS_H

#include "mlir/IR/Block.h"

namespace mlir::tile {

/// Lets the products of `block` run together. False, and nothing is changed, where each
/// result is used before the next product starts.
bool startTogether(Block &block);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_OVERLAPPRODUCTS_BLOCKPRODUCTS_H
