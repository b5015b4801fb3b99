//===- OracleTest.cpp - The search against all combinations ---------------===//
//
// Random small problems: the search finds what costs as little as the cheapest
// of all combinations of candidates, each completed and counted as a whole. The
// oracle knows nothing of terms and bounds.
//
//===----------------------------------------------------------------------===//

#include "Problems.h"

#include <algorithm>
#include <cstdio>
#include <random>

using namespace tilec;
using namespace tilec::test;

namespace {

class RandomProblem {
public:
  explicit RandomProblem(uint64_t seed) : engine(seed) {}
  LayoutProblem make();

private:
  int64_t get(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % (high - low + 1));
  }
  bool isOneOf(int64_t count) { return get(1, count) == 1; }
  NodeId addDerived(NodeId source);
  NodeId addReduced(NodeId source, UseId use);
  void addFacts(NodeId node);
  void fix(NodeId node);

  std::mt19937_64 engine;
  LayoutProblem problem;
  UseId nextUse = 0;
};

NodeId RandomProblem::addReduced(NodeId source, UseId use) {
  Coordinate shape = problem.nodes[source].shape;
  int dim = static_cast<int>(get(0, static_cast<int64_t>(shape.size()) - 1));
  Combination combination{{dim}, isOneOf(4), get(1, 8)};
  LayoutNode &operand = problem.nodes[source];
  (combination.isScan ? operand.scanned : operand.reduced)[dim] = true;
  operand.combinations.push_back(combination);
  shape.erase(shape.begin() + dim);
  NodeId result = addNode(problem, shape);
  problem.resultEdges.push_back(
      {use, source, result, LayoutMap::dropDims({dim}), std::nullopt, {}});
  return result;
}

/// A node that some operation computes from `source`.
NodeId RandomProblem::addDerived(NodeId source) {
  Coordinate shape = problem.nodes[source].shape;
  UseId use = nextUse++;
  problem.useTimes.push_back(get(1, 8));
  int64_t rank = static_cast<int64_t>(shape.size());
  switch (get(0, 4)) {
  case 0: { // elementwise, joined or not
    NodeId result = addNode(problem, shape);
    if (isOneOf(2))
      problem.sameEdges.push_back({source, result});
    problem.operandEdges.push_back({use, source, result, LayoutMap()});
    return result;
  }
  case 1: { // transposed
    std::ranges::reverse(shape);
    Coordinate order;
    for (int64_t dim = rank - 1; dim >= 0; --dim)
      order.push_back(dim);
    NodeId result = addNode(problem, shape);
    problem.resultEdges.push_back({use,
                                   source,
                                   result,
                                   LayoutMap::permute(order),
                                   LayoutMap::permute(order),
                                   {}});
    return result;
  }
  case 2: // reduced
    if (rank == 2)
      return addReduced(source, use);
    [[fallthrough]];
  case 3: { // repeated along a new first or last dimension
    if (rank == 2)
      break;
    int64_t dim = get(0, 1);
    shape.insert(shape.begin() + dim, int64_t(1) << get(2, 5));
    NodeId result = addNode(problem, shape);
    problem.operandEdges.push_back(
        {use, source, result, LayoutMap::dropDims({dim})});
    return result;
  }
  default:
    break;
  }
  // a part
  Coordinate sizes = shape, offsets(shape.size(), 0);
  sizes.back() = std::max<int64_t>(1, sizes.back() / 2);
  NodeId result = addNode(problem, sizes);
  problem.resultEdges.push_back({use,
                                 source,
                                 result,
                                 LayoutMap::slice(offsets, sizes, sizes),
                                 std::nullopt,
                                 {static_cast<int>(rank) - 1}});
  return result;
}

void RandomProblem::fix(NodeId number) {
  LayoutNode &node = problem.nodes[number];
  std::vector<int> order;
  for (int dim = 0; dim < static_cast<int>(node.shape.size()); ++dim)
    order.push_back(dim);
  FragmentLayout layout = FragmentLayout::blocked(
      node.shape, order, int64_t(1) << get(0, 2), problem.lanes, problem.warps);
  if (isOneOf(2))
    node.fixed = layout;
  else
    problem.demands.push_back({nextUse++, number, layout});
}

void RandomProblem::addFacts(NodeId number) {
  LayoutNode &node = problem.nodes[number];
  node.bits = int64_t(8) << get(0, 2);
  node.times = get(1, 8);
  node.instructions = get(0, 3);
  if (isOneOf(2))
    addGlobalAccess(problem, number, isOneOf(2), 512, isOneOf(3));
  if (isOneOf(4) && node.shape.size() == 2) {
    MemoryAccess access;
    access.isStore = isOneOf(2);
    access.bits = node.bits;
    access.width = 4;
    access.buffer = 0;
    access.bufferDims = {0, 1};
    problem.buffers = {
        {{SharedLayout::conflictFree({32, 64}, {1, 0}, node.bits)}}};
    node.memory.push_back(access);
  }
  if (isOneOf(6))
    fix(number);
}

LayoutProblem RandomProblem::make() {
  problem = makeProblem(int64_t(1) << get(0, 1), /*lanes=*/8);
  int64_t count = get(3, 6);
  addNode(problem, {int64_t(1) << get(2, 4), isOneOf(4) ? 12 : 16});
  while (static_cast<int64_t>(problem.nodes.size()) < count)
    addDerived(static_cast<NodeId>(
        get(0, static_cast<int64_t>(problem.nodes.size()) - 1)));
  for (NodeId node = 0; node < count; ++node)
    addFacts(node);
  if (isOneOf(2)) {
    problem.registerBudget = get(4, 24);
    problem.liveSets.push_back({{0, 1}, get(1, 4)});
  }
  return problem;
}

/// The cost of the cheapest combination, and how many there are; no cost where
/// none can be completed.
struct Oracle {
  const LayoutProblem &problem;
  LayoutChoices choices = {};
  std::optional<int64_t> best = {};
  int64_t combinations = 0;

  int64_t countCombinations() const {
    int64_t count = 1;
    for (const auto &list : choices.candidates)
      count *= std::max<int64_t>(1, static_cast<int64_t>(list.size()));
    return count;
  }

  void enumerate(NodeId next, std::vector<FragmentLayout> &layouts) {
    if (next < static_cast<NodeId>(problem.nodes.size())) {
      NodeId number = choices.classes[next];
      if (number != next) {
        layouts[next] = layouts[number];
        return enumerate(next + 1, layouts);
      }
      for (const FragmentLayout &layout : choices.candidates[number]) {
        layouts[next] = layout;
        enumerate(next + 1, layouts);
      }
      return;
    }
    ++combinations;
    LayoutFailure failure;
    auto solution = completeSolution(problem, layouts, failure);
    if (!solution)
      return;
    EXPECT_EQ(validate(problem, *solution), std::nullopt);
    int64_t cost = countCosts(problem, *solution).getTotal(problem.weights);
    if (!best || cost < *best)
      best = cost;
  }
};

TEST(Oracle, TheSearchIsExact) {
  constexpr int64_t problemCount = 300, mostCombinations = 150;
  int64_t searched = 0, improved = 0, combinations = 0;
  double worst = 0, sum = 0;
  for (uint64_t seed = 1; searched < problemCount; ++seed) {
    LayoutProblem problem = RandomProblem(seed).make();
    Oracle oracle{problem, listChoices(problem)};
    if (oracle.countCombinations() > mostCombinations)
      continue;
    std::vector<FragmentLayout> layouts(problem.nodes.size());
    oracle.enumerate(0, layouts);
    combinations += oracle.combinations;
    LayoutFailure failure;
    auto solution = solve(problem, failure);
    ASSERT_EQ(solution.has_value(), oracle.best.has_value())
        << "problem " << seed;
    if (!solution)
      continue;
    ++searched;
    ASSERT_TRUE(solution->search.isExact) << "problem " << seed;
    ASSERT_EQ(solution->search.cost, *oracle.best) << "problem " << seed;
    ASSERT_EQ(countCosts(problem, *solution).getTotal(problem.weights),
              *oracle.best)
        << "problem " << seed;
    ASSERT_EQ(validate(problem, *solution), std::nullopt) << "problem " << seed;
    ASSERT_LE(solution->search.cost, solution->search.greedyCost);
    double over = *oracle.best == 0
                      ? 0
                      : static_cast<double>(solution->search.greedyCost) /
                                static_cast<double>(*oracle.best) -
                            1;
    improved += over > 0;
    worst = std::max(worst, over);
    sum += over;
  }
  double mean = sum / static_cast<double>(searched);
  std::printf("%lld problems, %lld combinations: greedy costs more in %lld, "
              "%.1f %% in the mean, %.0f %% at worst\n",
              (long long)searched, (long long)combinations, (long long)improved,
              100 * mean, 100 * worst);
  EXPECT_LE(mean, 0.65);
  // Of slices of slices of slices of 12 columns, which greedy layouts do not look ahead to.
  EXPECT_LE(worst, 21);
}

} // namespace
