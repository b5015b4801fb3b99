//===- AccessOrder.h - Which accesses are in order --------------*- C++ -*-===//
//
// Within a block every operation is done by all threads at their own pace, so
// two accesses that may touch a common byte, one of them writing, need an order
// on every path from one to the other (WAR, RAW and WAW alike, loop iterations
// included). What makes it depends on whose bytes they are (ConflictScope.h).
//
// Copies by cp.async are complete for the thread that issued them only once it
// waited, and for other threads only after the barrier that follows. Groups
// complete in order, so a copy carries its *age*, the number of groups closed
// since; `copy_wait {pending = k}` completes those older than k:
//
//     copy A          A: age 0, in no group yet
//     copy_commit     A: age 1, in the youngest group
//     copy_commit     A: age 2
//     copy_wait 1     A: complete
//
// A ring with mbarriers (decision 0008) orders whoever holds its slots: a bulk
// load is in order with all accesses to the buffers of its ring, and an access
// to a slot that was released with all that come to it later. With other memory
// a bulk load is in order where its use is waited for, by every thread.
//
// A product that was started reads until `product_wait {pending = k}`, behind
// which all but the k products started last are complete.
//
// Products that read shared memory through descriptors take another path to it,
// the asynchronous proxy. What loads, stores and cp.async wrote is seen there
// only if the threads that wrote it fence it, when it is complete, before they
// meet the others:
//
//     store A         A: for nobody
//     proxy_fence     A: for the proxy too
//     barrier         A: for all threads
//     gemm A
//
// The analysis carries the accesses *pending* at a point: those that may not be
// in order yet with what other threads do next. A barrier removes them, except
// for copies in flight. An operation that conflicts with a pending access is
// *unordered* with it. With each pending access go the points that were passed
// on every path since it was made or completed: at each of these a barrier
// would remove it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_ACCESSORDER_H
#define TILE_ANALYSIS_ACCESSORDER_H

#include "tile/Analysis/ConflictTable.h"

#include "llvm/ADT/SparseBitVector.h"

#include <map>

namespace mlir::tile {

/// What stands directly before an operation: first the waits for copies and for
/// products, then the proxy fence, then the barrier.
struct SyncPoint {
  bool wait = false;
  bool productWait = false;
  bool fence = false;
  /// Who meets at the barrier; `Thread` is nobody.
  ConflictScope barrier = ConflictScope::Thread;

  bool isEmpty() const {
    return !wait && !productWait && !fence && barrier == ConflictScope::Thread;
  }
};

/// Keyed by the position of the operation that follows.
using BarrierPlan = std::map<int64_t, SyncPoint>;

/// Positions of operations, close to each other in launches of any length.
using PointSet = llvm::SparseBitVector<>;

/// Two accesses of a launch, by their numbers, that nothing orders.
struct UnorderedAccesses {
  int64_t earlier = 0, later = 0;
  /// The earlier one is a copy, or is made by a product, that nobody waited for.
  bool needsWait = false;
  /// That copy is a bulk load: only the wait for its use would help.
  bool needsRingWait = false;
  bool needsProductWait = false;
  /// The later one is of the asynchronous proxy, to which the earlier one was
  /// not shown.
  bool needsFence = false;
  /// Whose threads have to meet (after the wait).
  ConflictScope scope = ConflictScope::Block;
  /// The positions before whose operations a barrier would order the two, after
  /// a wait if one is needed.
  PointSet points;
};

/// Which of the unordered pairs of an access are asked for.
enum class OrderExtent {
  All,
  /// Up to the first later access whose order with it makes all that are behind: a
  /// barrier of the block. What covers these covers all, and they are as many as there
  /// are accesses, not as pairs of them.
  UntilSettled
};

/// The pairs of accesses that the barriers and waits of the program, those of
/// `plan` included, leave unordered, sorted by the later and the earlier
/// operation.
SmallVector<UnorderedAccesses>
findUnorderedAccesses(const ConflictTable &table, const BarrierPlan &plan,
                      OrderExtent extent = OrderExtent::All);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_ACCESSORDER_H
