//===- ConflictTable.h - Which accesses need an order -----------*- C++ -*-===//
//
// Two accesses of a launch conflict where both may touch a byte and one of them writes.
// What it takes to order them depends besides on what has happened since the earlier one
// was made (AccessOrder.h), which goes with it as a pending access.
//
// Long launches have many accesses and few kinds of them: those that are alike are
// compared with the others together. Outside of loops an access is always compared with
// the same values, so that it is known before which is the last one to need an order with
// it: what only its own threads touch again never waits for anybody.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_CONFLICTTABLE_H
#define TILE_ANALYSIS_CONFLICTTABLE_H

#include "tile/Analysis/ConflictScope.h"
#include "tile/Analysis/RingSlots.h"

#include "llvm/ADT/BitVector.h"

#include <vector>

namespace mlir::tile {

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
  bool mayConflict(int64_t index) const { return getLastConflict(index) >= 0; }
  /// Whether two accesses need an order with the same others, and get it from the same.
  bool areAlike(int64_t first, int64_t second) const {
    return groupOf[first] == groupOf[second] && rings[first] == rings[second] &&
           scopes.getKinds().getKind(first) ==
               scopes.getKinds().getKind(second) &&
           get(first).completion == get(second).completion;
  }
  /// Whether anything from `op` on, an operation of the launch's own block, may
  /// conflict with what is pending there.
  bool mayConflictFrom(const PendingAccess &earlier, Operation *op) const;
  /// What orders `later` after `earlier`; nothing if they do not conflict.
  std::optional<ConflictScope> findConflict(const PendingAccess &earlier,
                                            int64_t later) const;
  /// How often that was asked: what a launch costs to plan.
  int64_t getComparisons() const { return comparisons; }
  /// Whether access `earlier` is a write that access `later` would see only
  /// after a proxy fence.
  bool crossesProxies(int64_t earlier, int64_t later) const {
    return needsProxyFence(get(earlier), get(later));
  }
  /// Whether there is such an access that may touch the same bytes.
  bool mayCrossProxies(int64_t earlier) const {
    return getGroup(earlier).lastCrossing >= 0;
  }

private:
  /// Accesses that are alike in what they need an order with, apart from who makes
  /// them and when.
  struct Group {
    int64_t example = 0; ///< one of them
    int64_t last = 0;    ///< the last of them
    /// The last access that needs an order with them, and the last that would see
    /// them only after a proxy fence; -1 if there is none.
    int64_t lastConflict = -1, lastCrossing = -1;
    llvm::BitVector overlaps; ///< by group: those that need an order with them
  };

  const Group &getGroup(int64_t index) const { return groups[groupOf[index]]; }
  int64_t getLastConflict(int64_t index) const;
  bool isPlain(int64_t index) const;
  void addGroups();
  void addConflict(Group &earlier, const Group &later);
  void addRings();

  LaunchOp launch;
  ProgramPoints points;
  RingSlots slots;
  ConflictScopes scopes;
  SmallVector<Operation *> rings; ///< by access
  /// The position of the operation of the launch's own block that is or has the
  /// last use of a ring.
  llvm::DenseMap<Operation *, int64_t> ringEnds;
  int64_t largestAge = 0;
  mutable int64_t comparisons = 0;
  SmallVector<int> groupOf; ///< by access
  std::vector<Group> groups;
  /// Of accesses outside of loops, which are complete at once, by group and kind: the
  /// last that may need an order with them; -1 if there is none.
  mutable std::map<std::pair<int, int>, int64_t> lastConflicts;
};

} // namespace mlir::tile

#endif // TILE_ANALYSIS_CONFLICTTABLE_H
