//===- LoneOrder.cpp - Copies of one slot before those ahead --------------===//

#include "LoneOrder.h"
#include "SplitFills.h"

#include "tile/Analysis/BlockAccesses.h"

using namespace mlir;
using namespace mlir::tile;
namespace schedule = tilec::schedule;

namespace {
class LoneCopySorter {
public:
  LoneCopySorter(const LoopStatements &statements,
                 const schedule::Problem &problem,
                 const schedule::AheadPlan &plan);
  SmallVector<int> sort();

private:
  bool isAhead(int statement) const { return plan.leads[statement] > 0; }
  llvm::BitVector collectNeeded(int64_t first, int64_t copy) const;
  int64_t moveToFront(int64_t first, int64_t copy);

  const LoopStatements &statements;
  const schedule::Problem &problem;
  const schedule::AheadPlan &plan;
  /// The statements in the order of a step.
  SmallVector<int> sorted;
};
} // namespace

LoneCopySorter::LoneCopySorter(const LoopStatements &statements,
                               const schedule::Problem &problem,
                               const schedule::AheadPlan &plan)
    : statements(statements), problem(problem), plan(plan),
      sorted(plan.leads.size()) {
  for (auto [statement, order] : llvm::enumerate(plan.schedule.orders))
    sorted[order] = static_cast<int>(statement);
}

/// The copy at a position and what it needs of its own step from `first` on.
llvm::BitVector LoneCopySorter::collectNeeded(int64_t first,
                                              int64_t copy) const {
  llvm::BitVector needed(sorted.size());
  needed.set(sorted[copy]);
  for (int64_t position = copy - 1; position >= first; --position) {
    int statement = sorted[position];
    if (llvm::any_of(problem.graph.edges, [&](const schedule::Edge &edge) {
          return edge.from == statement && edge.distance == 0 &&
                 needed.test(edge.to) &&
                 plan.leads[edge.from] == plan.leads[edge.to];
        }))
      needed.set(statement);
  }
  return needed;
}

/// Puts the copy at a position, and what it needs, at `first`; returns how many
/// statements these are, none if it may not be there.
int64_t LoneCopySorter::moveToFront(int64_t first, int64_t copy) {
  llvm::BitVector needed = collectNeeded(first, copy);
  // Computation would hold up what runs ahead.
  for (unsigned statement : needed.set_bits())
    if (!problem.body.statements[statement].mayRunAhead)
      return 0;
  SmallVector<int> changed, others;
  for (auto [position, statement] : llvm::enumerate(sorted)) {
    bool isBehind = static_cast<int64_t>(position) >= first;
    (isBehind && !needed.test(statement) ? others : changed)
        .push_back(statement);
  }
  llvm::append_range(changed, others);
  schedule::Schedule candidate = plan.schedule;
  for (auto [order, statement] : llvm::enumerate(changed))
    candidate.orders[statement] = static_cast<int>(order);
  if (schedule::validate(problem, candidate))
    return 0;
  sorted = std::move(changed);
  return needed.count();
}

SmallVector<int> LoneCopySorter::sort() {
  ArrayRef<Operation *> ops = statements.getOps();
  auto first = llvm::find_if(sorted, [&](int statement) {
    return isAhead(statement) && isFillByGroups(ops[statement]);
  });
  int64_t count = sorted.size(), front = first - sorted.begin();
  for (int64_t position = front; position < count; ++position)
    if (!isAhead(sorted[position]) && isFillByGroups(ops[sorted[position]]))
      front += moveToFront(front, position);
  return sorted;
}

SmallVector<int> tile::issueLoneCopiesFirst(const LoopStatements &statements,
                                            const schedule::Problem &problem,
                                            const schedule::AheadPlan &plan) {
  return LoneCopySorter(statements, problem, plan).sort();
}
