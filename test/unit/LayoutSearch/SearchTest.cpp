//===- SearchTest.cpp - What the search finds, and in how many steps ------===//

#include "Problems.h"

using namespace tilec;
using namespace tilec::test;

namespace {

const MatrixInstruction &getProductRow() {
  return *findMatrixInstruction(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
}

/// A product of M x N x K on all grids of the warps, of fragments if they are
/// given (or of buffers), as often as `times` says.
NodeId addProduct(LayoutProblem &problem, int64_t M, int64_t N, int64_t K,
                  std::optional<NodeId> a, int64_t times, UseId &nextUse) {
  ProductNode product;
  if (a) {
    product.a = ProductNode::Operand{nextUse++, *a, false};
    problem.useTimes.push_back(times);
  }
  product.result = addNode(problem, {M, N});
  problem.nodes[product.result].times = times;
  for (int64_t warpsM = 1; warpsM <= problem.warps; warpsM *= 2) {
    auto plan =
        planGemm(getProductRow(), M, N, K, warpsM, problem.warps / warpsM);
    if (plan)
      product.candidates.push_back(
          {*plan, {M * N, 0, plan->tilesM * 16 + plan->tilesN * 8}});
  }
  problem.products.push_back(std::move(product));
  return problem.products.back().result;
}

UseId addUse(LayoutProblem &problem, int64_t times, UseId &nextUse) {
  problem.useTimes.push_back(times);
  return nextUse++;
}

/// `result` is computed element by element from `operand`.
void addElementwise(LayoutProblem &problem, NodeId operand, NodeId result,
                    int64_t times, UseId &nextUse) {
  problem.sameEdges.push_back({operand, result});
  problem.operandEdges.push_back(
      {addUse(problem, times, nextUse), operand, result, LayoutMap()});
  problem.nodes[result].instructions = 1;
  problem.nodes[result].times = times;
}

NodeId addRowStatistic(LayoutProblem &problem, NodeId rows, int64_t times,
                       UseId &nextUse) {
  NodeId result = addNode(problem, {problem.nodes[rows].shape[0]});
  problem.nodes[rows].combinations.push_back({{1}, false, times});
  problem.nodes[rows].reduced[1] = true;
  problem.nodes[result].times = times;
  problem.resultEdges.push_back({addUse(problem, times, nextUse),
                                 rows,
                                 result,
                                 LayoutMap::dropDims({1}),
                                 std::nullopt,
                                 {}});
  return result;
}

/// Attention of 64 rows by four warps: scores, their statistics, weights that
/// are operand `a` of the second product, an accumulator that is rescaled.
LayoutProblem makeAttention() {
  LayoutProblem problem = makeProblem(4);
  UseId nextUse = 0;
  constexpr int64_t times = 8;
  NodeId scores = addProduct(problem, 64, 64, 64, {}, times, nextUse);
  NodeId most = addRowStatistic(problem, scores, times, nextUse);
  NodeId spread = addNode(problem, {64, 64});
  problem.operandEdges.push_back({addUse(problem, times, nextUse), most, spread,
                                  LayoutMap::dropDims({1})});
  NodeId weights = addNode(problem, {64, 64});
  addElementwise(problem, scores, weights, times, nextUse);
  addElementwise(problem, spread, weights, times, nextUse);
  problem.nodes[weights].instructions = 10;
  NodeId sum = addRowStatistic(problem, weights, times, nextUse);
  NodeId narrow = addNode(problem, {64, 64});
  problem.nodes[narrow].bits = 16;
  addElementwise(problem, weights, narrow, times, nextUse);
  NodeId result = addProduct(problem, 64, 64, 64, narrow, times, nextUse);
  NodeId carried = addNode(problem, {64, 64});
  problem.sameEdges.push_back({carried, result});
  problem.operandEdges.push_back(
      {addUse(problem, times, nextUse), result, carried, LayoutMap()});
  NodeId scale = addNode(problem, {64});
  addElementwise(problem, sum, scale, times, nextUse);
  NodeId scaled = addNode(problem, {64, 64});
  addElementwise(problem, carried, scaled, times, nextUse);
  NodeId spreadScale = addNode(problem, {64, 64});
  problem.operandEdges.push_back({addUse(problem, times, nextUse), scale,
                                  spreadScale, LayoutMap::dropDims({1})});
  addElementwise(problem, spreadScale, scaled, times, nextUse);
  addGlobalAccess(problem, scaled, /*isStore=*/true, /*pitch=*/4096);
  problem.liveSets.push_back({{result, scores}, times});
  return problem;
}

// Steps do not depend on the machine: a step tries one layout of one class.
TEST(Search, AttentionTakesFewSteps) {
  LayoutProblem problem = makeAttention();
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_TRUE(solution.search.isExact);
  EXPECT_GE(solution.search.classes, 4);
  EXPECT_LE(solution.search.steps, 100);
  // Each warp has whole rows: weights stay where they are, sums in their warp.
  EXPECT_TRUE(solution.exchanges.empty());
  EXPECT_EQ(countCosts(problem, solution).barriers, 0);
}

// The greedy grid reads the fewest elements, and then the weights of the second
// product change warps in every step.
TEST(Search, GridsFollowWhatUsesTheResult) {
  LayoutProblem problem = makeProblem(4);
  UseId nextUse = 0;
  NodeId first = addProduct(problem, 64, 64, 64, {}, 8, nextUse);
  addProduct(problem, 64, 64, 64, first, 8, nextUse);
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_TRUE(solution.exchanges.empty());
  EXPECT_LT(solution.search.cost, solution.search.greedyCost);
  const GemmPlan &plan =
      problem.products[0].candidates[solution.products[0]].plan;
  EXPECT_EQ(plan.warpsM, 4);
  LayoutFailure failure;
  auto greedy = solve(problem, failure, {/*classes=*/0, /*steps=*/0});
  EXPECT_EQ(greedy->search.cost, solution.search.greedyCost);
  EXPECT_EQ(greedy->exchanges.size(), 1u);
  EXPECT_FALSE(greedy->search.isExact);
}

/// Loaded along rows, turned around, stored along rows, of a memref of unknown
/// alignment: one layout is dear to one of the two.
LayoutProblem makeTransposition() {
  LayoutProblem problem = makeProblem(4);
  NodeId loaded = addNode(problem, {64, 64}),
         stored = addNode(problem, {64, 64});
  problem.resultEdges.push_back({0,
                                 loaded,
                                 stored,
                                 LayoutMap::permute({1, 0}),
                                 LayoutMap::permute({1, 0}),
                                 {}});
  addGlobalAccess(problem, loaded, /*isStore=*/false, /*pitch=*/4096);
  addGlobalAccess(problem, stored, /*isStore=*/true, /*pitch=*/4096);
  for (LayoutNode &node : problem.nodes) {
    node.accesses[0].bytes /= node.accesses[0].width;
    node.accesses[0].width = node.memory[0].width = 1;
  }
  return problem;
}

TEST(Search, TranspositionsAreWorthAnExchange) {
  LayoutProblem problem = makeTransposition();
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_EQ(solution.nodes[0], solution.nodes[1]);
  EXPECT_TRUE(solution.produced[1]);
  LayoutCost cost = countCosts(problem, solution);
  EXPECT_EQ(cost.sectors, 2 * 64 * 64 * 4 / 32);
  EXPECT_EQ(cost.exchanges[2], 1);
  EXPECT_EQ(solution.reasons[1].anchor, LayoutAnchor::Access);
  EXPECT_EQ(solution.reasons[1].from, 1);
}

// What a loop asks for decides where there is no access, and an access where there is one.
TEST(Search, HintsDecideWhereNothingElseDoes) {
  LayoutProblem problem = makeProblem(4);
  addGlobalAccess(problem, addNode(problem, {64, 64}), /*isStore=*/false,
                  /*pitch=*/4096);
  problem.sameEdges.push_back({0, addNode(problem, {64, 64})});
  problem.nodes[1].coalescedWidth = 2;
  EXPECT_EQ(solveOrFail(problem).reasons[0].anchor, LayoutAnchor::Access);
  problem.nodes[0].accesses.clear();
  EXPECT_EQ(solveOrFail(problem).reasons[0].anchor, LayoutAnchor::Hint);
  problem.nodes[1].coalescedWidth.reset();
  EXPECT_EQ(solveOrFail(problem).reasons[0].anchor, LayoutAnchor::Default);
}

// Rows of 65 floats, which nothing divides: a lane with a row of its own holds the fewest
// registers, 33, and loads a sector for each; lanes along the row hold a few more.
TEST(Search, RowsThatNothingDividesAreReadWhole) {
  LayoutProblem problem = makeProblem(4);
  NodeId node = addNode(problem, {64, 65});
  addGlobalAccess(problem, node, /*isStore=*/false, /*pitch=*/65);
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_GT(solution.search.greedyCost, 2 * solution.search.cost);
  EXPECT_EQ(countCosts(problem, solution).sectors, 800);
  EXPECT_LE(solution.nodes[node].getRegisterCount(), 48);
}

// A column of 128 is scanned: with neighbours in a lane there is one partial result for
// all of them, where each of those that lie apart has its own.
TEST(Search, ScansHoldNeighbours) {
  LayoutProblem problem = makeProblem(4);
  NodeId node = addNode(problem, {128, 32});
  problem.nodes[node].scanned[0] = true;
  problem.nodes[node].combinations.push_back({{0}, /*isScan=*/true, 1});
  addGlobalAccess(problem, node, /*isStore=*/false, /*pitch=*/32);
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_LT(solution.search.cost, solution.search.greedyCost);
  EXPECT_EQ(solution.nodes[node].toString(),
            "[128, 32], register = [4 : (0, 1), 8 : (1, 0)], "
            "lane = [2 : (0, 4), 16 : (8, 0)], warp = [4 : (0, 8)]");
}

/// The right half of 64 x 128 halves, as a node of its own; of 64 x 2 x 64, whose
/// dimension of two it drops, if it `dropsDim`.
LayoutProblem makeSlice(bool dropsDim = false) {
  LayoutProblem problem = makeProblem(4);
  UseId nextUse = 0;
  NodeId whole =
      dropsDim ? addNode(problem, {64, 2, 64}) : addNode(problem, {64, 128});
  NodeId part = addNode(problem, {64, 64});
  for (LayoutNode &node : problem.nodes)
    node.bits = 16;
  problem.resultEdges.push_back(
      {addUse(problem, 1, nextUse),
       whole,
       part,
       dropsDim ? LayoutMap::slice({0, 1, 0}, {64, 1, 64}, {64, 64})
                : LayoutMap::slice({0, 64}, {64, 64}, {64, 64}),
       std::nullopt,
       {1}});
  return problem;
}

// What is loaded and sliced is spread so that each half is over all threads, by the
// greedy layouts already.
void expectSliceStays(bool dropsDim) {
  LayoutProblem problem = makeSlice(dropsDim);
  addGlobalAccess(problem, 0, /*isStore=*/false, /*pitch=*/dropsDim ? 64 : 128);
  problem.nodes[0].memory.front().strides[0] = 128;
  addGlobalAccess(problem, 1, /*isStore=*/true, /*pitch=*/64);
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_EQ(solution.search.cost, solution.search.greedyCost);
  EXPECT_FALSE(solution.produced[1]);
  LayoutCost cost = countCosts(problem, solution);
  EXPECT_EQ(cost.exchanges[2], 0);
  EXPECT_EQ(cost.sectors, 64 * (128 + 64) * 2 / 32);
}

TEST(Search, SlicesOfWhatIsLoadedStay) { expectSliceStays(/*dropsDim=*/false); }

TEST(Search, SlicesThatDropDimensionsStay) {
  expectSliceStays(/*dropsDim=*/true);
}

// A slice whose layout is given decides how the whole is held.
TEST(Search, SlicesSayHowTheWholeIsHeld) {
  for (bool dropsDim : {false, true}) {
    LayoutProblem problem = makeSlice(dropsDim);
    problem.nodes[0].instructions = 1;
    problem.nodes[1].fixed =
        FragmentLayout::blocked({64, 64}, {0, 1}, 1, 32, 4);
    LayoutSolution solution = solveOrFail(problem);
    EXPECT_LT(solution.search.cost, solution.search.greedyCost);
    EXPECT_FALSE(solution.produced[1]);
  }
}

// Where nothing costs less the greedy layouts stay: here nothing costs anything.
TEST(Search, TiesStayGreedy) {
  LayoutProblem problem = makeTransposition();
  for (LayoutNode &node : problem.nodes)
    node.memory.clear();
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_EQ(solution.search.cost, 0);
  EXPECT_EQ(solution.nodes[1], solution.nodes[0].transpose({1, 0}));
  EXPECT_EQ(solution.reasons[1].anchor, LayoutAnchor::Implied);
  EXPECT_EQ(solution.reasons[1].from, 0);
}

// Out of steps the greedy solution stands.
TEST(Search, LimitsOfTheSearch) {
  LayoutProblem problem = makeTransposition();
  LayoutFailure failure;
  auto limited = solve(problem, failure, {/*classes=*/10, /*steps=*/1});
  ASSERT_TRUE(limited);
  EXPECT_FALSE(limited->search.isExact);
  EXPECT_LE(limited->search.cost, limited->search.greedyCost);
  EXPECT_EQ(validate(problem, *limited), std::nullopt);
  auto few = solve(problem, failure, {/*classes=*/1, /*steps=*/1000});
  EXPECT_FALSE(few->search.isExact);
  EXPECT_EQ(few->search.cost, few->search.greedyCost);
}

TEST(Search, RunnersUpCostNoLess) {
  LayoutProblem problem = makeTransposition();
  LayoutSolution solution = solveOrFail(problem);
  auto runnersUp = findRunnersUp(problem, solution);
  ASSERT_EQ(runnersUp.size(), 2u);
  for (NodeId node : {0, 1}) {
    ASSERT_TRUE(runnersUp[node]);
    EXPECT_NE(runnersUp[node]->layout, solution.nodes[node]);
    EXPECT_GE(runnersUp[node]->cost, solution.search.cost);
  }
  // What is fixed has none.
  problem.nodes[0].fixed = solution.nodes[0];
  runnersUp = findRunnersUp(problem, solveOrFail(problem));
  EXPECT_FALSE(runnersUp[0]);
}

} // namespace
