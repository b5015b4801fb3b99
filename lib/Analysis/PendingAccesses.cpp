//===- PendingAccesses.cpp - What is pending at a point -------------------===//

#include "PendingAccesses.h"

#include "tile/Analysis/OperationTable.h"
#include "tile/Analysis/RingFills.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// The set
//===----------------------------------------------------------------------===//

void PendingSet::insert(const PendingAccess &entry, const PointSet &points) {
  auto [known, isNew] = entries.try_emplace(entry, points);
  if (!isNew)
    known->second &= points;
}

bool PendingSet::join(const PendingSet &other) {
  bool changed = false;
  for (const auto &[entry, points] : other.entries) {
    auto [known, isNew] = entries.try_emplace(entry, points);
    changed |= isNew || (known->second &= points);
  }
  return changed;
}

void PendingSet::transform(
    llvm::function_ref<void(PendingAccess &, PointSet &)> change) {
  SmallVector<std::pair<PendingAccess, PointSet>> changed;
  for (auto next = entries.begin(); next != entries.end();) {
    auto known = next++;
    PendingAccess entry = known->first;
    change(entry, known->second);
    if (entry == known->first)
      continue;
    changed.emplace_back(entry, std::move(known->second));
    entries.erase(known);
  }
  for (const auto &[entry, points] : changed)
    insert(entry, points);
}

//===----------------------------------------------------------------------===//
// Waits, fences and barriers
//===----------------------------------------------------------------------===//

/// Completes accesses in flight for which `isDone`.
template <typename Predicate>
static void complete(PendingSet &set, const Predicate &isDone) {
  set.transform([&](PendingAccess &entry, PointSet &points) {
    if (!entry.isInFlight() || !isDone(entry))
      return;
    // A barrier before the wait did not order it.
    entry.age = PendingAccess::complete;
    points.clear();
  });
}

/// Waits until at most `pending` groups are in flight; nothing means none, and
/// no copy outside of groups either. What an mbarrier counts is in none.
static void wait(const ConflictTable &table, std::optional<int64_t> pending,
                 PendingSet &set) {
  complete(set, [&](const PendingAccess &entry) {
    bool isOfGroup =
        !table.isOfProduct(entry.index) && !table.isMbarrierFill(entry.index);
    return isOfGroup && (!pending || entry.age > *pending);
  });
}

/// Waits until at most `pending` products are in flight.
static void waitForProducts(const ConflictTable &table, int64_t pending,
                            PendingSet &set) {
  complete(set, [&](const PendingAccess &entry) {
    return table.isOfProduct(entry.index) && entry.age >= pending;
  });
}

/// Shows what is complete to the asynchronous proxy.
static void fence(const ConflictTable &table, PendingSet &set) {
  set.drop([](const PendingAccess &entry) { return entry.hasArrived; });
  set.transform([&](PendingAccess &entry, PointSet &points) {
    if (entry.isInFlight() || entry.isFenced ||
        !table.mayCrossProxies(entry.index))
      return;
    // A barrier before the fence did not order it.
    entry.isFenced = true;
    points.clear();
  });
}

/// Orders all but copies still in flight, and what waits for a fence with the
/// generic proxy only.
static void meet(const ConflictTable &table, ConflictScope scope,
                 PendingSet &set) {
  if (scope >= table.getScopes().getWidest()) {
    set.drop([&](const PendingAccess &entry) {
      bool lacksFence = table.mayCrossProxies(entry.index) && !entry.isFenced;
      return !entry.isInFlight() && !lacksFence;
    });
    set.transform([](PendingAccess &entry, PointSet &) {
      entry.isBlockOrdered |= !entry.isInFlight();
    });
  }
  if (scope == ConflictScope::Warp)
    set.transform([](PendingAccess &entry, PointSet &) {
      entry.isWarpOrdered |= !entry.isInFlight();
    });
}

void tile::synchronize(const ConflictTable &table, const SyncPoint &point,
                       PendingSet &set) {
  if (point.wait)
    wait(table, std::nullopt, set);
  if (point.productWait)
    waitForProducts(table, 0, set);
  if (point.fence)
    fence(table, set);
  meet(table, point.barrier, set);
}

void tile::age(const ConflictTable &table, bool ofProducts, PendingSet &set) {
  set.transform([&](PendingAccess &entry, PointSet &) {
    if (entry.isInFlight() && !table.isMbarrierFill(entry.index) &&
        table.isOfProduct(entry.index) == ofProducts)
      entry.age = std::min(entry.age + 1, table.getLargestAge());
  });
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static void meetAtBarrier(PendingSet &set, const ConflictTable &table,
                          BarrierOp op) {
  meet(table, op.isWithinWarp() ? ConflictScope::Warp : ConflictScope::Block,
       set);
}

static void showToProxy(PendingSet &set, const ConflictTable &table,
                        ProxyFenceOp) {
  fence(table, set);
}

/// Every thread sees what fills of the use have brought; through the asynchronous
/// proxy it sees what threads wrote behind a fence of its own.
static void waitForUse(PendingSet &set, const ConflictTable &table,
                       RingWaitOp op) {
  Operation *ring = tile::getRing(op.getRing());
  RingSlot slot = table.getSlots().getSlotOfUse(op);
  auto isOfUse = [&](const PendingAccess &access) {
    bool isOther = access.slot.symbol != RingSlot::unknown &&
                   access.slot.symbol == slot.symbol &&
                   access.slot.number != slot.number;
    return table.isMbarrierFill(access.index) &&
           table.getRing(access.index) == ring && !isOther;
  };
  set.drop([&](const PendingAccess &entry) {
    return isOfUse(entry) && !table.mayCrossProxies(entry.index);
  });
  set.transform([&](PendingAccess &entry, PointSet &points) {
    if (!isOfUse(entry))
      return;
    entry.hasArrived = true;
    entry.age = PendingAccess::complete;
    points.clear();
  });
}

static void releaseUse(PendingSet &set, const ConflictTable &table,
                       RingReleaseOp op) {
  Operation *ring = tile::getRing(op.getRing());
  RingSlot slot = table.getSlots().getSlotOfUse(op);
  set.transform([&](PendingAccess &entry, PointSet &) {
    entry.isReleased |= slot.symbol != RingSlot::unknown &&
                        entry.slot == slot && !entry.isInFlight() &&
                        table.getRing(entry.index) == ring;
  });
}

static void closeGroup(PendingSet &set, const ConflictTable &table,
                       CopyCommitOp) {
  age(table, /*ofProducts=*/false, set);
}

static void waitForGroups(PendingSet &set, const ConflictTable &table,
                          CopyWaitOp op) {
  wait(table, op.getPending(), set);
}

static void waitForStarted(PendingSet &set, const ConflictTable &table,
                           ProductWaitOp op) {
  waitForProducts(table, op.getPending(), set);
}

using OrderRules = OperationTable<void(PendingSet &, const ConflictTable &)>;

/// The operations that order others.
static const OrderRules &getOrderRules() {
  static const OrderRules rules = [] {
    OrderRules table;
    table.add(meetAtBarrier);
    table.add(showToProxy);
    table.add(closeGroup);
    table.add(waitForGroups);
    table.add(waitForUse);
    table.add(releaseUse);
    table.add(waitForStarted);
    return table;
  }();
  return rules;
}

bool tile::isOrdering(Operation *op) { return getOrderRules().find(op); }

void tile::order(const ConflictTable &table, Operation *op, PendingSet &set) {
  (*getOrderRules().find(op))(set, table, op);
}
