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

#include "tile/Analysis/ConflictScope.h"
#include "tile/Analysis/RingSlots.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

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

/// Keyed by the operation that follows, in the order of the program.
using BarrierPlan = llvm::MapVector<Operation *, SyncPoint>;

/// An access that may not be in order with what comes next.
struct PendingAccess {
  static constexpr int64_t complete = -1, nowhere = -1, anywhere = -2;

  int64_t index = 0; ///< among the accesses of the launch
  /// Of a copy in flight: the groups closed since. Of what a product in flight
  /// reads: the products started since.
  int64_t age = complete;
  RingSlot slot;
  /// The position of the loop in an earlier iteration of which it was made, with
  /// operands that have changed since; of several the one around the others, and
  /// `anywhere` if there is none.
  int64_t movedBy = nowhere;
  /// The threads of each warp have met since.
  bool isWarpOrdered = false;
  /// The slot of a ring with mbarriers that it touched was released since.
  bool isReleased = false;
  /// The block has met since, but the asynchronous proxy does not see it.
  bool isBlockOrdered = false;
  /// The threads that made it have shown it to the asynchronous proxy.
  bool isFenced = false;
  /// Threads filled a slot with it, and every thread has waited for that at the
  /// ring's mbarrier: it is left for those who wait to show it to the proxy.
  bool hasArrived = false;

  bool isInFlight() const { return age != complete; }
  auto operator<=>(const PendingAccess &) const = default;
};

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
  llvm::BitVector points;
};

/// Whether `earlier` writes to shared memory what `later`, through the
/// asynchronous proxy, sees only after a proxy fence.
bool needsProxyFence(const BlockAccess &earlier, const BlockAccess &later);

/// The accesses of a launch and which of them conflict.
class ConflictTable {
public:
  explicit ConflictTable(LaunchOp launch);

  LaunchOp getLaunch() const { return launch; }
  const ProgramPoints &getPoints() const { return points; }
  const RingSlots &getSlots() const { return slots; }
  const BlockAccess &get(int64_t index) const {
    return points.getAccesses()[index];
  }
  /// Whether an access is made by a product, which is in flight until
  /// `tile.product_wait`.
  bool isOfProduct(int64_t index) const {
    return get(index).completion == tilec::Completion::Group &&
           get(index).proxy == tilec::Proxy::Async;
  }
  const ConflictScopes &getScopes() const { return scopes; }
  /// The ring with mbarriers that an access is in a slot of, or, as one of a
  /// fill, fills; null if there is none.
  Operation *getRing(int64_t index) const { return rings[index]; }
  /// Whether an access is one of a fill whose end is an arrival at an mbarrier.
  bool isMbarrierFill(int64_t index) const {
    return get(index).completion == tilec::Completion::Mbarrier;
  }
  /// The age that is as good as any greater one: no wait tells them apart.
  int64_t getLargestAge() const { return largestAge; }
  /// Whether there is any access that may need an order with access `index`.
  bool mayConflict(int64_t index) const { return overlaps[index].any(); }
  /// What orders `later` after `earlier`; nothing if they do not conflict.
  std::optional<ConflictScope> findConflict(const PendingAccess &earlier,
                                            int64_t later) const;
  /// Whether access `earlier` is a write that access `later` would see only
  /// after a proxy fence.
  bool crossesProxies(int64_t earlier, int64_t later) const {
    return needsProxyFence(get(earlier), get(later));
  }
  /// Whether there is such an access that may touch the same bytes.
  bool mayCrossProxies(int64_t earlier) const { return crossing.test(earlier); }

private:
  LaunchOp launch;
  ProgramPoints points;
  RingSlots slots;
  ConflictScopes scopes;
  SmallVector<Operation *> rings; ///< by access
  int64_t largestAge = 0;
  /// For each pair of accesses whether both may touch a byte and one writes.
  SmallVector<llvm::BitVector> overlaps;
  llvm::BitVector crossing; ///< for each access mayCrossProxies
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
/// operation. `ignored`, a barrier or wait of the program, counts as nothing.
SmallVector<UnorderedAccesses>
findUnorderedAccesses(const ConflictTable &table, const BarrierPlan &plan,
                      OrderExtent extent = OrderExtent::All,
                      Operation *ignored = nullptr);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_ACCESSORDER_H
