//===- TileWalk.h - The tiles of a persistent launch ------------*- C++ -*-===//
//
// A block of a persistent launch walks over tiles, and everything that it does is
// in that loop. Two teams can have every second tile each where nothing goes from
// one tile to the next but numbers of ring uses (docs/decisions/0008), and where a
// team can tell from the number at which a tile starts the one at which the tile
// behind it starts, without running it:
//
//     for tile iter_args(%use)              what a tile adds:
//       if 0 < K                              if 0 < K
//         wait %use                             %use + 1 + the number of steps
//         for step .. iter_args(%use + 1)     else
//           wait %use + ..                      %use
//
// Conditions and pure arithmetic are computed again, of loops only how often they go
// round (getStepGrowth). A number that depends on the tile is none of these: the
// tile that is skipped may not be there.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_TILEWALK_H
#define TILE_ANALYSIS_TILEWALK_H

#include "tile/Analysis/ProducerSlice.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tile {

/// What a loop adds to a value that it carries, in each step.
struct StepGrowth {
  int64_t amount = 0;
  /// The sum is kept modulo this; 0: it is kept as it is.
  int64_t modulus = 0;
};

/// What `loop`, which has a positive constant step and compares signed numbers, adds
/// to its iteration argument `argument`, if it adds the same in each step.
std::optional<StepGrowth> getStepGrowth(scf::ForOp loop, unsigned argument);

/// The one loop at the outermost level of `program`; null if there is not one.
scf::ForOp getTileWalk(Region &program);

/// Why two teams cannot share the tiles of `launch`, whose rings are lowered;
/// nothing if they can.
std::optional<SplitObstacle> findWalkObstacle(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_TILEWALK_H
