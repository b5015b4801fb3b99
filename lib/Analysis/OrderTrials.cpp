//===- OrderTrials.cpp - Plans that change at one operation ---------------===//

#include "OrderTrials.h"

using namespace mlir;
using namespace mlir::tile;

/// Whether what is pending may be other behind `op` than before it.
bool OrderTrials::isOfMatter(Operation *op) const {
  auto [first, last] = table.getPoints().getAccessRange(op);
  return op->getNumRegions() > 0 || first != last || isOrdering(op);
}

OrderTrials::OrderTrials(const ConflictTable &table, const BarrierPlan &plan,
                         OrderExtent extent)
    : table(table), analysis(table, plan, extent, /*withPoints=*/false) {
  bool isNew = true;
  for (Operation &op : table.getLaunch().getBody().front()) {
    if (isNew)
      steps.emplace_back().position = table.getPoints().getPosition(&op);
    steps.back().ops.push_back(&op);
    isNew = isOfMatter(&op);
  }
}

/// The step that has the operation at `position`.
size_t OrderTrials::findStep(int64_t position) const {
  auto behind = llvm::upper_bound(steps, position,
                                  [](int64_t position, const Step &step) {
                                    return position < step.position;
                                  });
  return behind - steps.begin() - 1;
}

/// Passes `step`; returns what a barrier or a wait would order: all but what needs the
/// wait for a use of a ring.
SmallVector<UnorderedAccesses> OrderTrials::pass(const Step &step,
                                                 PendingSet &set) {
  for (Operation *op : step.ops)
    analysis.pass(op, set);
  SmallVector<UnorderedAccesses> pairs = analysis.takeFound();
  llvm::erase_if(
      pairs, [](const UnorderedAccesses &pair) { return pair.needsRingWait; });
  return pairs;
}

std::optional<UnorderedAccesses> OrderTrials::findNext(bool staysAtPairs) {
  for (; passed < steps.size(); ++passed) {
    PendingSet set = steps[passed].before;
    SmallVector<UnorderedAccesses> pairs = pass(steps[passed], set);
    if (staysAtPairs && !pairs.empty())
      return pairs.front();
    if (passed + 1 < steps.size())
      steps[passed + 1].before = std::move(set);
  }
  return std::nullopt;
}

bool OrderTrials::accept(int64_t position) {
  size_t first = findStep(position), next = first;
  std::vector<PendingSet> changed;
  PendingSet set = steps[first].before;
  do {
    if (!pass(steps[next], set).empty())
      return false;
    changed.push_back(set);
  } while (++next < steps.size() && set != steps[next].before);
  changed.pop_back();
  for (PendingSet &before : changed)
    steps[++first].before = std::move(before);
  return true;
}

SmallVector<UnorderedAccesses> OrderTrials::findWithout(Operation *sync) {
  findNext(/*staysAtPairs=*/false);
  SmallVector<UnorderedAccesses> pairs;
  size_t next = findStep(table.getPoints().getPosition(sync));
  PendingSet set = steps[next].before;
  analysis.ignore(sync);
  do
    llvm::append_range(pairs, pass(steps[next], set));
  while (++next < steps.size() && set != steps[next].before);
  analysis.ignore(nullptr);
  return pairs;
}
