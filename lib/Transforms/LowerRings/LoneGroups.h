//===- LoneGroups.h - Groups of copies that fill no ring --------*- C++ -*-===//
//
// A copy into a buffer of one slot is in the group that is closed next. Where
// that is the group of a use that runs ahead, who waits for the copy waits for
// what is wanted iterations later. Such a copy has a group of its own instead,
// and a wait that leaves in flight what is closed behind it:
//
//     tile.copy .. to %lone                tile.copy .. to %lone
//     tile.copy .. to %slot         =>     tile.copy_commit
//     commit of %use + 2                   tile.copy .. to %slot
//     reads of %lone                       tile.copy_commit
//                                          tile.copy_wait {pending = 1}
//                                          reads of %lone
//
// Copies with no group in between share one. Where the wait for a use behind the
// copy comes first, it waits for the copy as well, and nothing is changed.
//
// Only how much is in flight is decided here. A read that the wait does not reach
// on every path is seen by `tile-insert-barriers`, which then waits for all.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_LOWERRINGS_LONEGROUPS_H
#define TILE_TRANSFORMS_LOWERRINGS_LONEGROUPS_H

#include "CommittedGroups.h"

namespace mlir::tile {

/// Gives copies that fill no ring, in front of the groups of `ends`, groups and
/// waits. To be done before the groups in flight are counted.
void commitLoneCopies(LaunchOp launch, const GroupEnds &ends);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_LOWERRINGS_LONEGROUPS_H
