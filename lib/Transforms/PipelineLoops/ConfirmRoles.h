//===- ConfirmRoles.h - Whether a producer can do its work ------*- C++ -*-===//
//
// Roles are planned before it is known how copies are carried out
// (tile-plan-roles). Here that is known. A launch keeps its roles where the
// producer can start all that its pipelined loops bring from global memory, by
// bulk copies or by copies of its own threads (ThreadFills.h), and needs nothing
// for it that only the consumers have (ProducerSlice.h). Where not, overlap is for
// the schedule to make, and all warps do all work.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_CONFIRMROLES_H
#define TILE_TRANSFORMS_PIPELINELOOPS_CONFIRMROLES_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Removes the roles of `launch`, with a remark, where they cannot be; an error
/// where the launch insists on them.
LogicalResult confirmRoles(LaunchOp launch);

/// The same of a launch whose loops are pipelined and have left it without a ring,
/// at which roles meet.
LogicalResult confirmRings(LaunchOp launch);

/// Puts the rings of a launch with roles, and their buffers, in front of
/// everything: what a producer fills ahead has its bytes from the beginning.
void moveRingsToFront(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_CONFIRMROLES_H
