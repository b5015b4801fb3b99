//===- ThreadFills.h - Copies that a producer's threads make ----*- C++ -*-===//
//
// Copies that cannot be bulk copies (rows at loaded places, views whose extents
// follow from what was loaded, boxes of an image, alignment that nothing proves,
// casts) do not take the producer away from a loop: its threads make them. Their
// end is an arrival of each thread at the mbarrier of the slot, beside the bytes
// of bulk copies into the same ring or alone:
//
//     cp.async   ->  cp.async.mbarrier      past the registers
//     ld.st      ->  ld.st.mbarrier         through them, where elements change
//                                           or lie too narrow for cp.async
//
// A copy keeps its layout over the threads that compute until the roles part
// (tile-specialize-warps).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_THREADFILLS_H
#define TILE_TRANSFORMS_PIPELINELOOPS_THREADFILLS_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Lets mbarriers count the copies that threads make in the loops of `launch` that
/// ask for several stages. A buffer that bulk copies fill too is left to
/// threads: nothing orders the two paths to its bytes. Returns whether there are
/// any.
bool countThreadFills(LaunchOp launch);

/// Takes that back for copies that have no slot of a ring.
void uncountThreadFills(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_THREADFILLS_H
