//===- LateProduct.h - A product under the next iteration -------*- C++ -*-===//
//
// Where a loop makes the operand of its last product from the result of another,
// as attention makes probabilities of scores, the tensor cores would be idle in
// between. The last product of an iteration runs in the next one instead, under
// what is computed from the first:
//
//     for n = 0 .. N:                       iteration 0 without O
//       S = X n                             for n = 1 .. N:
//       P, m = f(S, m)                        S = X n           starts
//       O = P * Y n + g(O, m)                 O += P * Y n - 1  starts
//                                             wait for S: release X n
//                                             p, m = f(S, m)
//                                             wait for Y n
//                                             wait for O: release Y n - 1
//                                             O = g(O, m), P = p
//                                           O += P * Y N
//
// What follows from the sum, and the conversion that gives the operand, stand
// behind the wait: the product in flight reads the registers of the old ones.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_OVERLAPPRODUCTS_LATEPRODUCT_H
#define TILE_TRANSFORMS_OVERLAPPRODUCTS_LATEPRODUCT_H

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace mlir::tile {

/// The last of the two products of `loop`, of which only the next iteration sees
/// anything; null if the loop is not like that, or if one of the two is by an
/// instruction that is not waited for later.
MatrixProductOpInterface findLastOfTwo(scf::ForOp loop);

/// Moves `product`, the last of two of `loop`, into the next iteration; says what
/// is in the way, and changes nothing, if that is not possible.
std::optional<StringRef> delayProduct(scf::ForOp loop,
                                      MatrixProductOpInterface product);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_OVERLAPPRODUCTS_LATEPRODUCT_H
