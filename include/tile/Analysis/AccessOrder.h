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

/// What stands directly before an operation: first the wait, then the barrier.
struct SyncPoint {
  bool wait = false;
  /// Who meets at the barrier; `Thread` is nobody.
  ConflictScope barrier = ConflictScope::Thread;

  bool isEmpty() const { return !wait && barrier == ConflictScope::Thread; }
};

/// Keyed by the operation that follows, in the order of the program.
using BarrierPlan = llvm::MapVector<Operation *, SyncPoint>;

/// An access that may not be in order with what comes next.
struct PendingAccess {
  static constexpr int64_t complete = -1, nowhere = -1, anywhere = -2;

  int64_t index = 0; ///< among the accesses of the launch
  /// Of a copy in flight: the groups closed since.
  int64_t age = complete;
  RingSlot slot;
  /// The position of the loop in an earlier iteration of which it was made, with
  /// operands that have changed since; `anywhere` if there are several.
  int64_t movedBy = nowhere;
  /// The threads of each warp have met since.
  bool isWarpOrdered = false;

  bool isInFlight() const { return age != complete; }
  auto operator<=>(const PendingAccess &) const = default;
};

/// Two accesses of a launch, by their numbers, that nothing orders.
struct UnorderedAccesses {
  int64_t earlier = 0, later = 0;
  /// The earlier one is a copy that nobody waited for.
  bool needsWait = false;
  /// Whose threads have to meet (after the wait).
  ConflictScope scope = ConflictScope::Block;
  /// The positions before whose operations a barrier would order the two, after
  /// a wait if one is needed.
  llvm::BitVector points;
};

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
  const ConflictScopes &getScopes() const { return scopes; }
  /// The age that is as good as any greater one: no wait tells them apart.
  int64_t getLargestAge() const { return largestAge; }
  /// What orders `later` after `earlier`; nothing if they do not conflict.
  std::optional<ConflictScope> findConflict(const PendingAccess &earlier,
                                            int64_t later) const;

private:
  LaunchOp launch;
  ProgramPoints points;
  RingSlots slots;
  ConflictScopes scopes;
  int64_t largestAge = 0;
  /// For each pair of accesses whether both may touch a byte and one writes.
  SmallVector<llvm::BitVector> overlaps;
};

/// The pairs of accesses that the barriers and waits of the program, those of
/// `plan` included, leave unordered, sorted by the later and the earlier
/// operation. `ignored`, a barrier or wait of the program, counts as nothing.
SmallVector<UnorderedAccesses>
findUnorderedAccesses(const ConflictTable &table, const BarrierPlan &plan,
                      Operation *ignored = nullptr);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_ACCESSORDER_H
