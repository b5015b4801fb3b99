//===- PendingValues.h - Consumed exactly once ------------------*- C++ -*-===//
//
// A pending value stands for registers that the hardware is still writing, so
// it can neither be copied nor dropped: on every path through the program
// exactly one operation consumes it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_DIALECT_TILE_VERIFY_PENDINGVALUES_H
#define TILE_LIB_DIALECT_TILE_VERIFY_PENDINGVALUES_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Whether every pending value made in `region`, regions inside it included, is
/// consumed exactly once on every path; an error at the value otherwise.
LogicalResult verifyPendingValues(Region &region);

} // namespace mlir::tile

#endif // TILE_LIB_DIALECT_TILE_VERIFY_PENDINGVALUES_H
