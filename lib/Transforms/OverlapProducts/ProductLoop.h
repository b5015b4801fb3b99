//===- ProductLoop.h - Loops whose products overlap -------------*- C++ -*-===//
//
// What both ways of keeping a product in flight over a loop have in common:
// its uses of rings, and a loop without its first iteration.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_OVERLAPPRODUCTS_PRODUCTLOOP_H
#define TILE_TRANSFORMS_OVERLAPPRODUCTS_PRODUCTLOOP_H

#include "../StartProduct.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tile {

/// How many products `loop` has, in inner loops too.
int64_t countProducts(scf::ForOp loop);

/// Whether a product that is waited for where it stands is by an instruction that
/// could be waited for later.
bool isWaitedForLater(MatrixProductOpInterface product);

/// Whether `number` is an iteration argument of `loop` that counts by one.
bool countsByOne(scf::ForOp loop, Value number);

/// The ring whose slots `memref` lies in; null if it lies in none.
RingOp findRing(Value memref);

/// Whether `op` may write to what `operand`, of a product in flight, reads. Not what fills
/// a slot of its ring: that stands behind the release, which waits for products of its own.
bool mayOverwrite(Operation *op, Value operand);

/// The releases of `ring` in `loop`.
SmallVector<RingReleaseOp> findReleases(scf::ForOp loop, RingOp ring);

/// Whether `releases` is one that the body of `loop` comes to once an iteration,
/// behind `product`, with a number that counts by one.
bool isOneBehind(scf::ForOp loop, MatrixProductOpInterface product,
                 ArrayRef<RingReleaseOp> releases);

/// The number before `number`.
Value getBefore(OpBuilder &builder, Location loc, Value number);

/// Emits the iterations of `loop` behind the first, which gave `inits`: the
/// operations of the old loop become the new one's, and arguments are replaced
/// where the types are the old ones. Whoever calls this finishes the body.
scf::ForOp emitRest(OpBuilder &builder, scf::ForOp loop, ValueRange inits);

/// Puts what `emit` makes of a loop that runs, giving its results, in the place of
/// `loop`; under a condition where that may not run.
void replaceLoop(scf::ForOp loop,
                 function_ref<SmallVector<Value>(OpBuilder &)> emit);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_OVERLAPPRODUCTS_PRODUCTLOOP_H
