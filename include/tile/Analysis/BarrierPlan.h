//===- BarrierPlan.h - Where a block has to wait ----------------*- C++ -*-===//
//
// Every two accesses that nothing orders (AccessOrder.h) get a barrier between
// them on every path, copies in flight a wait before it:
//
//     load A          pending: A read
//     gemm A          ..
//     copy -> A       unordered with both  =>  barrier at a point between
//
// A plan is a set of waits and barriers before operations. Of all points that
// order a pair those are chosen that cost least over all pairs (BarrierCover.h),
// where a point weighs what it is expected to run: out of loops where that is
// enough, one barrier for many pairs. First the pairs that the whole block has
// to meet for are covered, then what these barriers leave to order within
// warps, then waits and proxy fences are put before barriers, out of loops if
// possible. Finally every barrier, fence and wait without which all pairs are
// still ordered is taken out again, and so none is redundant by this same
// criterion.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_BARRIERPLAN_H
#define TILE_ANALYSIS_BARRIERPLAN_H

#include "tile/Analysis/AccessOrder.h"

namespace mlir::tile {

/// Two operations that need a barrier or a wait, by their accesses.
struct OrderReason {
  Operation *earlier = nullptr;
  Operation *later = nullptr;
};

/// Why a barrier or a wait is there.
struct SyncReason {
  Operation *sync = nullptr; ///< the barrier or wait
  /// What it alone orders; nothing if it is redundant.
  std::optional<OrderReason> reason;
};

/// The first pair in `launch`, in program order of the later operation, that
/// the barriers and waits of the program together with `plan` leave unordered.
std::optional<UnorderedAccesses> findUnorderedPair(const ConflictTable &table,
                                                   const BarrierPlan &plan);

/// Barriers and waits that order every pair but those that only the wait for a
/// use of a ring would.
BarrierPlan planBarriers(const ConflictTable &table);

/// For every barrier and wait of a launch, in program order, a pair that only
/// it orders.
SmallVector<SyncReason> explainBarriers(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_BARRIERPLAN_H
