//===- PendingSum.h - A sum that stays in flight over a loop ----*- C++ -*-===//
//
// A product that accumulates over a loop need not be waited for in the loop: the
// next one goes on from the pending sum. So one is always running while threads
// wait, meet and copy:
//
//     for n = 0 .. N:                     product 0
//       fill use n + k                    for n = 1 .. N:
//       wait for use n                      fill use n - 1 + k  (iteration 0's
//       product n                           wait for use n       in front)
//       release use n                       product n  starts
//                                           product n - 1 is done: release it
//                                         wait; release the last
//
// A slot is free one product later, so what the same threads fill comes behind
// that release, under the product in flight: slots and fills ahead stay as they
// were planned. What a producer of its own fills stays in front: it runs ahead by
// the ring.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_OVERLAPPRODUCTS_PENDINGSUM_H
#define TILE_TRANSFORMS_OVERLAPPRODUCTS_PENDINGSUM_H

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace mlir::tile {

/// The product of `loop` that adds to what the loop carries, and to nothing
/// else; null if there is none by an instruction that is waited for later.
MatrixProductOpInterface findAccumulation(scf::ForOp loop);

/// Keeps `product`, the accumulation of `loop`, in flight; says what is in the
/// way, and changes nothing, if that is not possible.
std::optional<StringRef> keepSumPending(scf::ForOp loop,
                                        MatrixProductOpInterface product);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_OVERLAPPRODUCTS_PENDINGSUM_H
