//===- AccessOrder.cpp - Which accesses are in order ----------------------===//

#include "OrderAnalysis.h"

#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/StructuredDataflow.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::tile;

/// Whether what orders `pair` orders its earlier access with all that comes behind the
/// later one, too.
bool OrderAnalysis::settles(const UnorderedAccesses &pair) const {
  bool isShown = pair.needsFence || !table.mayCrossProxies(pair.earlier);
  return extent == OrderExtent::UntilSettled && isShown &&
         pair.scope == table.getScopes().getWidest() && !pair.needsRingWait;
}

/// Behind a branch that may not be taken, an access is compared with those of each branch
/// that follows, as often as this. The last pair stands for all that are behind.
static constexpr int64_t mostSettlements = 8;

/// Counts `pair`, a new one of `entry`. The last one is to be ordered where all behind
/// are: not in branches in which the earlier access is not.
void OrderAnalysis::countSettlement(UnorderedAccesses &pair,
                                    const PendingAccess &entry) {
  if (++settlements[entry] < mostSettlements)
    return;
  Operation *earlier = table.get(pair.earlier).op;
  PointSet common;
  for (int64_t point : pair.points)
    if (table.getPoints().getOperations()[point]->getParentRegion()->isAncestor(
            earlier->getParentRegion()))
      common.set(point);
  if (!common.empty())
    pair.points = common;
}

/// Leaves out what a later access settles, and what has been settled often.
void OrderAnalysis::dropSettled(const std::set<PendingAccess> &settled,
                                PendingSet &set) {
  set.drop([&](const PendingAccess &entry) {
    if (settled.contains(entry))
      return true;
    auto often = settlements.find(entry);
    return often != settlements.end() && often->second >= mostSettlements;
  });
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
      if (!settles(known->second))
        continue;
      settled.insert(entry);
      if (isNew && withPoints)
        countSettlement(known->second, entry);
    }
  dropSettled(settled, set);
}

/// Adds what is made now. What orders it with all behind orders those before that are
/// like it, too; they are left out where many are pending, as of points that cost the same
/// that is taken which orders most.
void OrderAnalysis::add(PendingAccess entry, PendingSet &set) {
  constexpr size_t manyPending = 64;
  if (extent == OrderExtent::UntilSettled && set.entries.size() > manyPending)
    set.drop([&](PendingAccess before) {
      if (!table.areAlike(before.index, entry.index))
        return false;
      before.index = entry.index;
      return before == entry;
    });
  set.insert(entry, PointSet());
}

void OrderAnalysis::transfer(Operation *op, PendingSet &set) {
  const ProgramPoints &points = table.getPoints();
  int64_t position = points.getPosition(op);
  if (auto point = plan.find(position); point != plan.end())
    synchronize(table, point->second, set);
  if (isOrdering(op)) {
    if (op != ignored)
      order(table, op, set);
    // A use of a ring looks at mbarriers besides.
    if (!isMbarrierUse(op))
      return;
  }
  if (withPoints)
    for (auto &[entry, passed] : set.entries)
      passed.set(position);
  compare(op, set);
  if (isa<GemmAsyncOp>(op))
    age(table, /*ofProducts=*/true, set);
  auto [first, last] = points.getAccessRange(op);
  for (int64_t index : llvm::seq(first, last)) {
    if (!table.mayConflict(index))
      continue;
    bool isDone = table.get(index).completion == tilec::Completion::Immediate;
    add({index, isDone ? PendingAccess::complete : 0,
         table.getSlots().getSlot(index)},
        set);
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
  set.drop([&](const PendingAccess &entry) {
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
  set.transform([&](PendingAccess &entry, PointSet &) {
    entry.slot = table.getSlots().cross(edge, entry.index, entry.slot);
    if (isBackEdge && table.getScopes().movesWith(edge.op, entry.index))
      entry.movedBy = joinLoops(entry.movedBy, position);
  });
}

void OrderAnalysis::pass(Operation *op, PendingSet &set) {
  RegionFlows<PendingSet> flows;
  passForward(
      op, set, [&](Operation *op, PendingSet &set) { transfer(op, set); },
      [&](const RegionEdge &edge, PendingSet &set) { cross(edge, set); },
      &flows);
  if (Operation *next = op->getNextNode())
    set.drop([&](const PendingAccess &entry) {
      return !table.mayConflictFrom(entry, next);
    });
}

SmallVector<UnorderedAccesses> OrderAnalysis::takeFound() {
  auto pairs = llvm::to_vector(llvm::make_second_range(found));
  found.clear();
  return pairs;
}

SmallVector<UnorderedAccesses>
tile::findUnorderedAccesses(const ConflictTable &table, const BarrierPlan &plan,
                            OrderExtent extent) {
  OrderAnalysis analysis(table, plan, extent, /*withPoints=*/true);
  PendingSet pending;
  for (Operation &op : table.getLaunch().getBody().front())
    analysis.pass(&op, pending);
  return analysis.takeFound();
}
