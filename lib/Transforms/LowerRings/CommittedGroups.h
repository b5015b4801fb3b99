//===- CommittedGroups.h - Which groups hold the uses of rings --*- C++ -*-===//
//
// A commit closes a group of copies, and groups complete in order. So the wait
// for a use may leave as many groups in flight as were closed after that of the
// use, on the path that was taken. The largest number that is safe is the
// fewest over all paths, found by dataflow: for every use that may be committed
// the groups closed since.
//
//     commit %use + 2         {use + 2: 0}
//     commit of other ring    {use + 2: 1, ..}
//     back edge               {use' + 1: 1, ..}     where use' = use + 1
//
// A commit under a condition would make the paths differ in their groups, and
// the fewest too few. It is therefore moved behind the conditions that have
// nothing else to choose (no results, no else) unless the use is waited for
// before their end: the group grows by what is copied until there, and is empty
// where the condition does not hold. Where that is not legal, the count is what
// the paths have in common, which waits for more than it has to.
//
// A use that is filled without asynchronous copies has no group, and its wait
// nothing to wait for.
//
// A use that may be another one, because the two numbers have no common base,
// counts as it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_LOWERRINGS_COMMITTEDGROUPS_H
#define TILE_TRANSFORMS_LOWERRINGS_COMMITTEDGROUPS_H

#include "tile/Analysis/RingNumbers.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::tile {

/// A use of a ring.
struct RingUse {
  RingOp ring;
  RingNumber number;
};

/// The uses whose groups operations close.
using GroupEnds = llvm::MapVector<Operation *, RingUse>;

/// Replaces the commits of uses that asynchronous copies may fill by the ends of
/// groups, behind the conditions around them where that is legal.
GroupEnds lowerCommits(LaunchOp launch);

/// For each wait for a use the most groups that may be in flight behind it.
/// Nothing for those whose uses are filled without asynchronous copies.
llvm::MapVector<Operation *, int64_t>
countGroupsInFlight(LaunchOp launch, const GroupEnds &ends);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_LOWERRINGS_COMMITTEDGROUPS_H
