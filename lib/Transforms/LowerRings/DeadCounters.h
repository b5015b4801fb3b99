//===- DeadCounters.h - Numbers that loops carry for nothing ----*- C++ -*-===//
//
// Where the slots of a ring's uses are counted, their numbers are computed from
// themselves only: they are carried round and round and nobody looks. Upstream
// removes what a loop carries unchanged, but nothing that feeds itself.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_LOWERRINGS_DEADCOUNTERS_H
#define TILE_TRANSFORMS_LOWERRINGS_DEADCOUNTERS_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Removes the indices that the loops of a launch carry and that are used for
/// nothing but sums that loops carry, and the sums that nothing uses.
void removeDeadCounters(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_LOWERRINGS_DEADCOUNTERS_H
