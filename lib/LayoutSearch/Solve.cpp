//===- Solve.cpp - The cheapest layouts of all classes --------------------===//
//
// Branch and bound over the candidates of the classes that have several. What an
// assignment of some of them costs at least: the terms whose variables are all
// decided, and for each other variable the least that the terms cost which lack
// only this one. The greedy layouts are the first incumbent, and only what costs
// less replaces one, so that equal solutions stay the greedy one.
//
//===----------------------------------------------------------------------===//

#include "Terms.h"

#include <algorithm>
#include <numeric>

using namespace tilec;
using namespace tilec::detail;

namespace {

class BranchAndBound {
public:
  BranchAndBound(Terms &terms, int64_t stepLimit)
      : terms(terms), stepLimit(stepLimit) {}

  /// Improves on `best`, values that cost `bestCost`.
  void run();

  std::vector<int> best; ///< by variable: the candidate
  int64_t bestCost = 0;
  int64_t steps = 0;
  bool isExact = true;

private:
  void start();
  int64_t getLeast(int variable) const {
    return *std::ranges::min_element(costs[variable]);
  }
  void decide(int variable, int value);
  void search(size_t depth, int64_t decided);

  Terms &terms;
  int64_t stepLimit;
  std::vector<int> order; ///< of variables
  std::vector<int> values;
  std::vector<bool> isDecided;
  /// By variable and candidate: the terms that lack only this variable.
  std::vector<std::vector<int64_t>> costs;
  std::vector<std::vector<int>> termsOf; ///< by variable
};

} // namespace

/// Variables of the most terms first.
void BranchAndBound::start() {
  int count = terms.getVariableCount();
  values.assign(count, 0);
  isDecided.assign(count, false);
  termsOf.resize(count);
  for (int variable = 0; variable < count; ++variable)
    costs.emplace_back(terms.getDomain(variable), 0);
  for (int term = 0; term < terms.getTermCount(); ++term) {
    const std::vector<int> &scope = terms.getScope(term);
    for (int variable : scope)
      termsOf[variable].push_back(term);
    if (scope.size() != 1)
      continue;
    int variable = scope.front();
    for (int value = 0; value < terms.getDomain(variable); ++value) {
      values[variable] = value;
      costs[variable][value] += terms.getCost(term, values);
    }
  }
  order.resize(count);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int variable) {
    return std::pair(-static_cast<int>(termsOf[variable].size()), variable);
  });
}

/// Adds what the terms cost of which one variable is left.
void BranchAndBound::decide(int variable, int value) {
  values[variable] = value;
  isDecided[variable] = true;
  for (int term : termsOf[variable]) {
    int open = -1, openCount = 0;
    for (int other : terms.getScope(term))
      if (!isDecided[other]) {
        open = other;
        ++openCount;
      }
    if (openCount != 1)
      continue;
    for (int other = 0; other < terms.getDomain(open); ++other) {
      values[open] = other;
      costs[open][other] += terms.getCost(term, values);
    }
  }
}

void BranchAndBound::search(size_t depth, int64_t decided) {
  if (depth == order.size()) {
    best = values;
    bestCost = decided;
    return;
  }
  int variable = order[depth];
  std::vector<int> candidates(terms.getDomain(variable));
  std::iota(candidates.begin(), candidates.end(), 0);
  std::ranges::sort(candidates, {}, [&](int value) {
    return std::pair(costs[variable][value], value);
  });
  for (int value : candidates) {
    if (steps >= stepLimit) {
      isExact = false;
      return;
    }
    ++steps;
    int64_t total = decided + costs[variable][value];
    if (total >= bestCost)
      return;
    std::vector<std::vector<int64_t>> before = costs;
    decide(variable, value);
    int64_t bound = total;
    for (size_t i = depth + 1; i < order.size(); ++i)
      bound += getLeast(order[i]);
    if (bound < bestCost)
      search(depth + 1, total);
    isDecided[variable] = false;
    costs = std::move(before);
  }
}

void BranchAndBound::run() {
  start();
  int64_t constant = 0;
  for (int term = 0; term < terms.getTermCount(); ++term)
    if (terms.getScope(term).empty())
      constant += terms.getCost(term, values);
  search(0, constant);
}

//===----------------------------------------------------------------------===//
// The solution
//===----------------------------------------------------------------------===//

std::optional<LayoutSolution> tilec::solve(const LayoutProblem &problem,
                                           LayoutFailure &failure,
                                           const SearchLimits &limits) {
  auto buffers = chooseBuffers(problem, failure);
  if (!buffers)
    return std::nullopt;
  GreedyLayouts greedy = chooseGreedily(problem);
  Consequences consequences(problem, greedy);
  auto candidates = listCandidates(problem, greedy, consequences);
  Terms terms(problem, greedy, consequences, candidates, *buffers);

  BranchAndBound search(terms, limits.steps);
  search.best.assign(terms.getVariableCount(), 0);
  int64_t greedyCost = search.bestCost = terms.getTotal(search.best);
  bool isSearched = terms.getVariableCount() <= limits.classes;
  if (isSearched)
    search.run();
  auto solution = consequences.complete(terms.getLayouts(search.best), failure);
  if (!solution)
    return std::nullopt;
  solution->buffers = std::move(*buffers);
  for (NodeId node = 0; node < static_cast<NodeId>(problem.nodes.size());
       ++node) {
    NodeId number = greedy.classes.getClass(node);
    int variable = terms.getVariable(number);
    int value = variable < 0 ? 0 : search.best[variable];
    solution->reasons.push_back(candidates[number][value].reason);
  }
  solution->search = {terms.getVariableCount(), search.steps,
                      isSearched && search.isExact, greedyCost,
                      search.bestCost};
  return solution;
}
