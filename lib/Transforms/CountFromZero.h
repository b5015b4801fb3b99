//===- CountFromZero.h - Loops over parts of a range ------------*- C++ -*-===//
//
// Each block of split-K goes over its own part of K. That all parts are equally long
// is seen by no pass that asks for constant bounds, and by ptxas least:
//
//     for %k = %begin to %begin + 256   =>   for %j = 0 to 256 { %k = %begin + %j }
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_TRANSFORMS_COUNTFROMZERO_H
#define TILE_LIB_TRANSFORMS_COUNTFROMZERO_H

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::tile {

/// Makes the loops of `launch` count from zero whose bounds are apart by a positive
/// constant and not constant themselves; not those with a schedule of their own, whose
/// operations all have places.
void countFromZero(LaunchOp launch, RewriterBase &rewriter);

} // namespace mlir::tile

#endif // TILE_LIB_TRANSFORMS_COUNTFROMZERO_H
