//===- LoneFills.h - Bulk copies that no pipelined loop took ----*- C++ -*-===//
//
// A bulk copy always fills a slot of a ring, whose mbarrier counts its bytes
// (docs/decisions/0008). What pipelining left gets a ring of one slot:
//
//     tile.copy .. to %q                   acquire, copy, copy, commit
//     tile.copy .. to %k                   ..
//     ..                          =>       wait
//     reads of %q and %k                   reads
//     ..                                   release
//
// Copies next to each other share a use. A use is held from the wait, in front
// of the first operation of the block that touches its buffers, to the release
// behind the last one. Its number goes on through the launch (CarryNumber.h), so
// that the slot may be filled again, by the same copies or by others.
//
// What is in a slot before a use is lost. Where the program keeps something in
// the buffer from before a copy, or comes to it from elsewhere, the copies are
// made by the threads instead, with a remark.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_LONEFILLS_H
#define TILE_TRANSFORMS_PIPELINELOOPS_LONEFILLS_H

#include "CopiesByThreads.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::tile {

/// Gives the bulk copies of a launch that fill no slot a ring of one; returns
/// those that threads make now.
SmallVector<DroppedBulkCopy> makeLoneRings(LaunchOp launch,
                                           IRRewriter &rewriter);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_LONEFILLS_H
