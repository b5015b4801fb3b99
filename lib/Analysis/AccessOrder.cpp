//===- AccessOrder.cpp - Which accesses are in order ----------------------===//

#include "tile/Analysis/AccessOrder.h"

#include "tile/Analysis/OperationTable.h"
#include "tile/Dialect/Tile/TileTarget.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

/// Whether two accesses may not be exchanged, apart from who makes them.
static bool needOrder(const BlockAccess &a, const BlockAccess &b) {
  if (!a.writes && !b.writes)
    return false;
  if (a.combines && a.combines == b.combines)
    return false;
  return mayOverlap(a, b);
}

/// Whether the block is one warp; false where no chip says how large that is.
static bool hasOneWarp(LaunchOp launch) {
  const tilec::GpuTarget *target = getTarget(launch);
  return target && launch.getWarpCount(target->warpSize) == 1;
}

ConflictTable::ConflictTable(LaunchOp launch)
    : launch(launch), points(launch), slots(points.getAccesses()),
      scopes(points.getAccesses(), hasOneWarp(launch)) {
  ArrayRef<BlockAccess> accesses = points.getAccesses();
  overlaps.assign(accesses.size(), llvm::BitVector(accesses.size()));
  for (size_t a = 0; a < accesses.size(); ++a)
    for (size_t b = a; b < accesses.size(); ++b)
      if (needOrder(accesses[a], accesses[b])) {
        overlaps[a].set(b);
        overlaps[b].set(a);
      }
  launch.walk([&](CopyWaitOp wait) {
    int64_t pending = wait.getPending().value_or(0);
    largestAge = std::max(largestAge, pending + 1);
  });
}

std::optional<ConflictScope>
ConflictTable::findConflict(const PendingAccess &earlier, int64_t later) const {
  if (!overlaps[earlier.index].test(later))
    return std::nullopt;
  RingSlot slot = slots.getSlot(later);
  if (slots.areDifferent(earlier.index, earlier.slot, later, slot))
    return std::nullopt;
  PlaceFacts facts;
  facts.hasSameValues = earlier.movedBy == PendingAccess::nowhere;
  if (earlier.movedBy >= 0)
    facts.advancedLoop = points.getOperations()[earlier.movedBy];
  facts.isSameSlot = slots.areSame(earlier.index, earlier.slot, later, slot);
  std::optional<ConflictScope> scope = scopes.find(earlier.index, later, facts);
  if (!scope)
    return std::nullopt;
  bool isOrdered = scope == ConflictScope::Thread ||
                   (scope == ConflictScope::Warp && earlier.isWarpOrdered);
  if (isOrdered && !earlier.isInFlight())
    return std::nullopt;
  return scope;
}

//===----------------------------------------------------------------------===//
// What is pending
//===----------------------------------------------------------------------===//

namespace {
/// What is pending at a point, each with the positions passed on every path
/// since.
struct PendingSet {
  std::map<PendingAccess, llvm::BitVector> entries;

  void insert(const PendingAccess &entry, const llvm::BitVector &points) {
    auto [known, isNew] = entries.try_emplace(entry, points);
    if (!isNew)
      known->second &= points;
  }
  bool join(const PendingSet &other) {
    bool changed = false;
    for (const auto &[entry, points] : other.entries) {
      auto [known, isNew] = entries.try_emplace(entry, points);
      changed |= isNew;
      if (isNew || !known->second.test(points))
        continue;
      known->second &= points;
      changed = true;
    }
    return changed;
  }
  /// Applies `change` to every entry and restores the order.
  template <typename Change>
  void transform(const Change &change) {
    std::map<PendingAccess, llvm::BitVector> old;
    std::swap(old, entries);
    for (auto &[known, points] : old) {
      PendingAccess entry = known;
      change(entry, points);
      insert(entry, points);
    }
  }
};
} // namespace

/// Waits until at most `pending` groups are in flight; nothing means none, and
/// no copy outside of groups either.
static void wait(std::optional<int64_t> pending, PendingSet &set) {
  set.transform([&](PendingAccess &entry, llvm::BitVector &points) {
    if (!entry.isInFlight() || (pending && entry.age <= *pending))
      return;
    // A barrier before the wait did not order it.
    entry.age = PendingAccess::complete;
    points.reset();
  });
}

/// Orders all but copies still in flight.
static void meet(ConflictScope scope, PendingSet &set) {
  if (scope == ConflictScope::Block)
    std::erase_if(set.entries,
                  [](const auto &entry) { return !entry.first.isInFlight(); });
  if (scope == ConflictScope::Warp)
    set.transform([](PendingAccess &entry, llvm::BitVector &) {
      entry.isWarpOrdered |= !entry.isInFlight();
    });
}

//===----------------------------------------------------------------------===//
// Dataflow
//===----------------------------------------------------------------------===//

namespace {
class OrderAnalysis {
public:
  OrderAnalysis(const ConflictTable &table, const BarrierPlan &plan,
                Operation *ignored)
      : table(table), plan(plan), ignored(ignored) {}
  SmallVector<UnorderedAccesses> run();

private:
  void transfer(Operation *op, PendingSet &set);
  void compare(Operation *op, const PendingSet &set);
  void cross(const RegionEdge &edge, PendingSet &set);

  const ConflictTable &table;
  const BarrierPlan &plan;
  Operation *ignored;
  /// By the number of the later access and the pending one.
  std::map<std::pair<int64_t, PendingAccess>, UnorderedAccesses> found;
};
} // namespace

static void synchronize(PendingSet &set, const ConflictTable &, BarrierOp op) {
  meet(op.isWithinWarp() ? ConflictScope::Warp : ConflictScope::Block, set);
}

static void closeGroup(PendingSet &set, const ConflictTable &table,
                       CopyCommitOp) {
  set.transform([&](PendingAccess &entry, llvm::BitVector &) {
    if (entry.isInFlight())
      entry.age = std::min(entry.age + 1, table.getLargestAge());
  });
}

static void waitForGroups(PendingSet &set, const ConflictTable &,
                          CopyWaitOp op) {
  wait(op.getPending(), set);
}

using OrderRules = OperationTable<void(PendingSet &, const ConflictTable &)>;

/// The operations that order others.
static const OrderRules &getOrderRules() {
  static const OrderRules rules = [] {
    OrderRules table;
    table.add(synchronize);
    table.add(closeGroup);
    table.add(waitForGroups);
    return table;
  }();
  return rules;
}

void OrderAnalysis::compare(Operation *op, const PendingSet &set) {
  auto [first, last] = table.getPoints().getAccessRange(op);
  for (int64_t later : llvm::seq(first, last))
    for (const auto &[entry, points] : set.entries) {
      std::optional<ConflictScope> scope = table.findConflict(entry, later);
      if (!scope)
        continue;
      auto [known, isNew] = found.try_emplace(
          {later, entry},
          UnorderedAccesses{entry.index, later, entry.isInFlight(), *scope,
                            points});
      if (!isNew)
        known->second.points &= points;
    }
}

void OrderAnalysis::transfer(Operation *op, PendingSet &set) {
  if (auto point = plan.find(op); point != plan.end()) {
    if (point->second.wait)
      wait(std::nullopt, set);
    meet(point->second.barrier, set);
  }
  if (const OrderRules::Rule *rule = getOrderRules().find(op)) {
    if (op != ignored)
      (*rule)(set, table, op);
    return;
  }
  const ProgramPoints &points = table.getPoints();
  int64_t position = points.getPosition(op);
  for (auto &[entry, passed] : set.entries)
    passed.set(position);
  compare(op, set);
  auto [first, last] = points.getAccessRange(op);
  llvm::BitVector none(points.getOperations().size());
  for (int64_t index : llvm::seq(first, last)) {
    bool isDone = table.get(index).completion == tilec::Completion::Immediate;
    set.insert({index, isDone ? PendingAccess::complete : 0,
                table.getSlots().getSlot(index)},
               none);
  }
}

void OrderAnalysis::cross(const RegionEdge &edge, PendingSet &set) {
  bool isBackEdge = edge.from && edge.to;
  int64_t position = table.getPoints().getPosition(edge.op);
  set.transform([&](PendingAccess &entry, llvm::BitVector &) {
    entry.slot = table.getSlots().cross(edge, entry.index, entry.slot);
    if (isBackEdge && table.getScopes().movesWith(edge.op, entry.index))
      entry.movedBy =
          entry.movedBy == PendingAccess::nowhere || entry.movedBy == position
              ? position
              : PendingAccess::anywhere;
  });
}

SmallVector<UnorderedAccesses> OrderAnalysis::run() {
  PendingSet pending;
  runForward(
      table.getLaunch().getBody().front(), pending,
      [&](Operation *op, PendingSet &set) { transfer(op, set); },
      [&](const RegionEdge &edge, PendingSet &set) { cross(edge, set); });
  return llvm::to_vector(llvm::make_second_range(found));
}

SmallVector<UnorderedAccesses>
tile::findUnorderedAccesses(const ConflictTable &table, const BarrierPlan &plan,
                            Operation *ignored) {
  return OrderAnalysis(table, plan, ignored).run();
}
