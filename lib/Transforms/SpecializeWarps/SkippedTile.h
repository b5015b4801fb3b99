//===- SkippedTile.h - Numbers of uses behind a tile ------------*- C++ -*-===//
//
// What a tile adds to the numbers of ring uses that go from tile to tile, for a team
// that does not run it (Teams.h, tile/Analysis/TileWalk.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_SPECIALIZEWARPS_SKIPPEDTILE_H
#define TILE_TRANSFORMS_SPECIALIZEWARPS_SKIPPEDTILE_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tile {

/// How often `loop`, which has a constant step, goes round from `lower` to `upper`.
/// Where that is known modulo `slots` for the loop as it stands, the form of the sum
/// says so.
Value emitKnownStepCount(OpBuilder &builder, scf::ForOp loop, Value lower,
                         Value upper, int64_t slots);

/// The `results`, values of the body of `walk`, of a tile that starts with what
/// `carried` has in the place of the iteration arguments. findWalkObstacle says when
/// they can be computed.
SmallVector<Value> emitSkippedTile(OpBuilder &builder, scf::ForOp walk,
                                   ValueRange carried, ValueRange results);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_SPECIALIZEWARPS_SKIPPEDTILE_H
