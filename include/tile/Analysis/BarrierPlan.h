//===- BarrierPlan.h - Where a block has to wait ----------------*- C++ -*-===//
//
// Within a block every operation is done by all threads at their own pace, so
// two accesses that may touch a common byte, one of them writing, need a
// barrier between them on every path (WAR, RAW and WAW alike, loop iterations
// included). Copies by cp.async are complete only after `tile.copy_wait`, and
// for other threads only after the barrier that follows it.
//
// The analysis carries the set of accesses *pending* at a point: those made
// since the last barrier on some path. An operation that conflicts with a
// pending access is *unordered*. A placement is a set of waits and barriers
// before operations; the planner adds one for the first unordered operation
// until there is none:
//
//     load A          pending: A read
//     gemm A          ..
//     copy -> A       unordered with both  =>  barrier before it
//
// The place is the latest one on the path, directly before the operation; but
// out of loops that do not contain the earlier access, where it runs less
// often. Finally every barrier and wait without which all pairs are still
// ordered is taken out again, innermost first. So none is redundant by this
// same criterion.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_BARRIERPLAN_H
#define TILE_ANALYSIS_BARRIERPLAN_H

#include "tile/Dialect/Tile/TileOps.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::tile {

/// What stands directly before an operation: first the wait, then the barrier.
struct SyncPoint {
  bool wait = false;
  bool barrier = false;
};

/// Keyed by the operation that follows, in the order of the program.
using BarrierPlan = llvm::MapVector<Operation *, SyncPoint>;

/// Two accesses that nothing orders under a placement.
struct UnorderedPair {
  Operation *earlier = nullptr;
  Operation *later = nullptr;
  /// The earlier one is an asynchronous copy that nobody waited for.
  bool needsWait = false;
};

/// The first pair in `launch`, in program order of the later operation, that
/// the barriers and waits in the program together with `plan` leave unordered.
std::optional<UnorderedPair> findUnorderedPair(LaunchOp launch,
                                               const BarrierPlan &plan);

/// Barriers and waits that order every pair.
BarrierPlan planBarriers(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_BARRIERPLAN_H
