//===- OwnElement.h - Fragments read at an iteration's own place -*- C++ -*-==//
//
// Where an iteration of a `tile.parallel` reads a fragment at its own induction
// variables, the thread that runs the iteration can hold the element: the
// fragment's layout follows from the loop's. All other reads go through memory.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_OWNELEMENT_H
#define TILE_DIALECT_TILE_OWNELEMENT_H

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tile {

/// The dimensions of the loop's box that the indices of `extract` are, if each
/// is an induction variable of `loop`, none is used twice and the fragment is
/// as long as the box along each.
std::optional<SmallVector<int>> getOwnElementDims(tensor::ExtractOp extract,
                                                  ParallelOp loop);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_OWNELEMENT_H
