//===- AccessOrder.cpp - Which accesses are in order ----------------------===//

#include "tile/Analysis/AccessOrder.h"
#include "CopyRounds.h"

#include "tile/Analysis/OperationTable.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Dialect/Tile/TileTarget.h"

#include "llvm/ADT/Sequence.h"

#include <set>

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

bool tile::needsProxyFence(const BlockAccess &earlier,
                           const BlockAccess &later) {
  return earlier.writes && earlier.proxy == tilec::Proxy::Generic &&
         later.proxy == tilec::Proxy::Async;
}

ConflictTable::ConflictTable(LaunchOp launch)
    : launch(launch), points(launch), slots(points.getAccesses()),
      scopes(launch, points.getAccesses(), hasOneWarp(launch)) {
  ArrayRef<BlockAccess> accesses = points.getAccesses();
  for (const BlockAccess &access : accesses) {
    RingAcquireOp fill = getFill(access);
    rings.push_back(fill ? tile::getRing(fill.getRing())
                         : getMbarrierRing(access));
  }
  overlaps.assign(accesses.size(), llvm::BitVector(accesses.size()));
  crossing.resize(accesses.size());
  for (size_t a = 0; a < accesses.size(); ++a)
    for (size_t b = a; b < accesses.size(); ++b)
      if (needOrder(accesses[a], accesses[b])) {
        overlaps[a].set(b);
        overlaps[b].set(a);
        if (crossesProxies(a, b))
          crossing.set(a);
        if (crossesProxies(b, a))
          crossing.set(b);
      }
  launch.walk([&](CopyWaitOp wait) {
    int64_t pending = wait.getPending().value_or(0);
    largestAge = std::max(largestAge, pending + 1);
  });
  launch.walk([&](ProductWaitOp wait) {
    int64_t pending = wait.getPending();
    largestAge = std::max(largestAge, pending + 1);
  });
}

std::optional<ConflictScope>
ConflictTable::findConflict(const PendingAccess &earlier, int64_t later) const {
  bool isCrossing = crossesProxies(earlier.index, later);
  if (!overlaps[earlier.index].test(later) ||
      (earlier.isBlockOrdered && !isCrossing))
    return std::nullopt;
  bool isOrderedByRing = rings[later] && rings[earlier.index] == rings[later] &&
                         (earlier.isReleased || isMbarrierFill(earlier.index) ||
                          isMbarrierFill(later));
  bool hasArrived = isMbarrierFill(earlier.index) && rings[earlier.index] &&
                    isBehindRing(get(later).op, rings[earlier.index]);
  if (earlier.hasArrived ? !isCrossing : isOrderedByRing || hasArrived)
    return std::nullopt;
  RingSlot slot = slots.getSlot(later);
  if (slots.areDifferent(earlier.index, earlier.slot, later, slot))
    return std::nullopt;
  if (earlier.hasArrived)
    return ConflictScope::Thread;
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
  bool needsFence = isCrossing && !earlier.isFenced;
  if (isOrdered && !needsFence && !earlier.isInFlight())
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
    SmallVector<std::pair<PendingAccess, llvm::BitVector>> changed;
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
};
} // namespace

/// Completes accesses in flight for which `isDone`.
template <typename Predicate>
static void complete(PendingSet &set, const Predicate &isDone) {
  set.transform([&](PendingAccess &entry, llvm::BitVector &points) {
    if (!entry.isInFlight() || !isDone(entry))
      return;
    // A barrier before the wait did not order it.
    entry.age = PendingAccess::complete;
    points.reset();
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
  std::erase_if(set.entries,
                [](const auto &entry) { return entry.first.hasArrived; });
  set.transform([&](PendingAccess &entry, llvm::BitVector &points) {
    if (entry.isInFlight() || entry.isFenced ||
        !table.mayCrossProxies(entry.index))
      return;
    // A barrier before the fence did not order it.
    entry.isFenced = true;
    points.reset();
  });
}

/// Orders all but copies still in flight, and what waits for a fence with the
/// generic proxy only.
static void meet(const ConflictTable &table, ConflictScope scope,
                 PendingSet &set) {
  if (scope == ConflictScope::Block) {
    std::erase_if(set.entries, [&](const auto &known) {
      const PendingAccess &entry = known.first;
      bool lacksFence = table.mayCrossProxies(entry.index) && !entry.isFenced;
      return !entry.isInFlight() && !lacksFence;
    });
    set.transform([](PendingAccess &entry, llvm::BitVector &) {
      entry.isBlockOrdered |= !entry.isInFlight();
    });
  }
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
                OrderExtent extent, Operation *ignored)
      : table(table), plan(plan), extent(extent), ignored(ignored) {}
  SmallVector<UnorderedAccesses> run();

private:
  void transfer(Operation *op, PendingSet &set);
  void compare(Operation *op, PendingSet &set);
  int64_t joinLoops(int64_t before, int64_t now) const;
  void cross(const RegionEdge &edge, PendingSet &set);
  void dropLanded(const RegionEdge &edge, PendingSet &set);
  bool settles(const UnorderedAccesses &pair) const;

  const ConflictTable &table;
  const BarrierPlan &plan;
  OrderExtent extent;
  Operation *ignored;
  CopyRounds rounds;
  /// By the number of the later access and the pending one.
  std::map<std::pair<int64_t, PendingAccess>, UnorderedAccesses> found;
};
} // namespace

static void synchronize(PendingSet &set, const ConflictTable &table,
                        BarrierOp op) {
  meet(table, op.isWithinWarp() ? ConflictScope::Warp : ConflictScope::Block,
       set);
}

static void showToProxy(PendingSet &set, const ConflictTable &table,
                        ProxyFenceOp) {
  fence(table, set);
}

/// One more group is closed, or one more product started.
static void age(PendingSet &set, const ConflictTable &table, bool ofProducts) {
  set.transform([&](PendingAccess &entry, llvm::BitVector &) {
    if (entry.isInFlight() && !table.isMbarrierFill(entry.index) &&
        table.isOfProduct(entry.index) == ofProducts)
      entry.age = std::min(entry.age + 1, table.getLargestAge());
  });
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
  std::erase_if(set.entries, [&](const auto &entry) {
    return isOfUse(entry.first) && !table.mayCrossProxies(entry.first.index);
  });
  set.transform([&](PendingAccess &entry, llvm::BitVector &points) {
    if (!isOfUse(entry))
      return;
    entry.hasArrived = true;
    entry.age = PendingAccess::complete;
    points.reset();
  });
}

static void releaseUse(PendingSet &set, const ConflictTable &table,
                       RingReleaseOp op) {
  Operation *ring = tile::getRing(op.getRing());
  RingSlot slot = table.getSlots().getSlotOfUse(op);
  set.transform([&](PendingAccess &entry, llvm::BitVector &) {
    entry.isReleased |= slot.symbol != RingSlot::unknown &&
                        entry.slot == slot && !entry.isInFlight() &&
                        table.getRing(entry.index) == ring;
  });
}

static void closeGroup(PendingSet &set, const ConflictTable &table,
                       CopyCommitOp) {
  age(set, table, /*ofProducts=*/false);
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
    table.add(synchronize);
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

/// Whether what orders `pair` orders its earlier access with all that comes behind the
/// later one, too.
bool OrderAnalysis::settles(const UnorderedAccesses &pair) const {
  bool isShown = pair.needsFence || !table.mayCrossProxies(pair.earlier);
  return extent == OrderExtent::UntilSettled && isShown &&
         pair.scope == ConflictScope::Block && !pair.needsRingWait;
}

void OrderAnalysis::compare(Operation *op, PendingSet &set) {
  auto [first, last] = table.getPoints().getAccessRange(op);
  std::set<PendingAccess> settled;
  for (int64_t later : llvm::seq(first, last))
    for (const auto &[entry, points] : set.entries) {
      std::optional<ConflictScope> scope = table.findConflict(entry, later);
      if (!scope)
        continue;
      bool isOfProduct = table.isOfProduct(entry.index);
      bool needsFence =
          table.crossesProxies(entry.index, later) && !entry.isFenced;
      auto [known, isNew] = found.try_emplace(
          {later, entry},
          UnorderedAccesses{
              entry.index, later, entry.isInFlight() && !isOfProduct,
              entry.isInFlight() && table.isMbarrierFill(entry.index),
              entry.isInFlight() && isOfProduct, needsFence, *scope, points});
      if (!isNew)
        known->second.points &= points;
      if (settles(known->second))
        settled.insert(entry);
    }
  std::erase_if(set.entries, [&](const auto &entry) {
    return settled.contains(entry.first);
  });
}

void OrderAnalysis::transfer(Operation *op, PendingSet &set) {
  if (auto point = plan.find(op); point != plan.end()) {
    if (point->second.wait)
      wait(table, std::nullopt, set);
    if (point->second.productWait)
      waitForProducts(table, 0, set);
    if (point->second.fence)
      fence(table, set);
    meet(table, point->second.barrier, set);
  }
  if (const OrderRules::Rule *rule = getOrderRules().find(op)) {
    if (op != ignored)
      (*rule)(set, table, op);
    // A use of a ring looks at mbarriers besides.
    if (!isMbarrierUse(op))
      return;
  }
  const ProgramPoints &points = table.getPoints();
  int64_t position = points.getPosition(op);
  for (auto &[entry, passed] : set.entries)
    passed.set(position);
  compare(op, set);
  if (isa<GemmAsyncOp>(op))
    age(set, table, /*ofProducts=*/true);
  auto [first, last] = points.getAccessRange(op);
  llvm::BitVector none(points.getOperations().size());
  for (int64_t index : llvm::seq(first, last)) {
    if (!table.mayConflict(index))
      continue;
    bool isDone = table.get(index).completion == tilec::Completion::Immediate;
    set.insert({index, isDone ? PendingAccess::complete : 0,
                table.getSlots().getSlot(index)},
               none);
  }
}

/// Of the positions of two loops the one of the outer, in an iteration of which all
/// that the other does may be anything.
int64_t OrderAnalysis::joinLoops(int64_t before, int64_t now) const {
  if (before < 0)
    return before == PendingAccess::nowhere ? now : before;
  ArrayRef<Operation *> operations = table.getPoints().getOperations();
  if (operations[now]->isAncestor(operations[before]))
    return now;
  return operations[before]->isAncestor(operations[now])
             ? before
             : PendingAccess::anywhere;
}

/// Leaves out copies that no run has in flight behind the branch.
void OrderAnalysis::dropLanded(const RegionEdge &edge, PendingSet &set) {
  std::erase_if(set.entries, [&](const auto &known) {
    const PendingAccess &entry = known.first;
    return entry.isInFlight() && !table.isOfProduct(entry.index) &&
           !table.isMbarrierFill(entry.index) &&
           rounds.hasLanded(table.get(entry.index).op, edge.op,
                            /*isLeftOut=*/!edge.from);
  });
}

void OrderAnalysis::cross(const RegionEdge &edge, PendingSet &set) {
  if (!edge.to)
    dropLanded(edge, set);
  bool isBackEdge = edge.from && edge.to;
  int64_t position = table.getPoints().getPosition(edge.op);
  set.transform([&](PendingAccess &entry, llvm::BitVector &) {
    entry.slot = table.getSlots().cross(edge, entry.index, entry.slot);
    if (isBackEdge && table.getScopes().movesWith(edge.op, entry.index))
      entry.movedBy = joinLoops(entry.movedBy, position);
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
                            OrderExtent extent, Operation *ignored) {
  return OrderAnalysis(table, plan, extent, ignored).run();
}
