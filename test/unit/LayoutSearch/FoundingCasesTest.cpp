//===- FoundingCasesTest.cpp - A loop and the fragments that it reads -----===//
//
// Which layout a loop over a fragment has: its own ("plan": spread over all
// threads) or the fragment's. Cases by how the two contain each other, and by
// what the shapes and the user leave to choose.
//
//===----------------------------------------------------------------------===//

#include "Problems.h"

using namespace tilec;
using namespace tilec::test;

namespace {

/// A loop of `shape` that computes and stores, on four warps.
LayoutProblem makeLoop(Coordinate shape, int64_t warps = 4) {
  LayoutProblem problem = makeProblem(warps);
  NodeId loop = addNode(problem, std::move(shape));
  problem.nodes[loop].instructions = 4;
  addGlobalAccess(problem, loop, /*isStore=*/true, /*pitch=*/1024);
  return problem;
}

/// A fragment that the loop, node 0, reads at `dims` of its variables; of all of
/// them in order the two should have one layout.
NodeId addRead(LayoutProblem &problem, const Coordinate &dims) {
  Coordinate shape;
  for (int64_t dim : dims)
    shape.push_back(problem.nodes[0].shape[dim]);
  NodeId fragment = addNode(problem, shape);
  auto use = static_cast<UseId>(problem.operandEdges.size());
  if (shape == problem.nodes[0].shape) {
    problem.sameEdges.push_back({fragment, 0});
    problem.operandEdges.push_back({use, fragment, 0, LayoutMap()});
  } else {
    problem.operandEdges.push_back(
        {use, fragment, 0, LayoutMap::project(dims)});
  }
  return fragment;
}

/// Exchanges by kind, those that only change names first.
std::array<int64_t, 3> getExchanges(const LayoutProblem &problem,
                                    const LayoutSolution &solution) {
  return countCosts(problem, solution).exchanges;
}

// Every thread holds the fragment: the loop is shared all the same, and nothing
// moves.
TEST(FoundingCases, PlanInsideTheFragment) {
  LayoutProblem problem = makeLoop({128});
  NodeId fragment = addRead(problem, {0});
  problem.nodes[fragment].fixed = FragmentLayout::replicated({128}, 32, 4);
  problem.nodes[0].instructions = 400;
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_EQ(solution.nodes[0].getReplication(), 1);
  EXPECT_EQ(getExchanges(problem, solution), (std::array<int64_t, 3>{1, 0, 0}));
  // Iterations that cost less than the choice among registers stay copies.
  problem.nodes[0].instructions = 0;
  problem.nodes[0].memory.clear();
  EXPECT_EQ(solveOrFail(problem).nodes[0], *problem.nodes[fragment].fixed);
}

// Each thread has an element, and the loop should be run by all for all: what it
// reads has to come together.
TEST(FoundingCases, FragmentInsideThePlan) {
  LayoutProblem problem = makeLoop({128});
  NodeId fragment = addRead(problem, {0});
  problem.nodes[fragment].fixed = FragmentLayout::blocked({128}, {0}, 1, 32, 4);
  problem.nodes[0].fixed = FragmentLayout::replicated({128}, 32, 4);
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_EQ(getExchanges(problem, solution), (std::array<int64_t, 3>{0, 0, 1}));
  // Left to itself the loop has what the fragment has.
  problem.nodes[0].fixed.reset();
  solution = solveOrFail(problem);
  EXPECT_EQ(solution.nodes[0], *problem.nodes[fragment].fixed);
  EXPECT_TRUE(solution.exchanges.empty());
}

// Rows to the one, columns to the other: inside of a warp, or across.
TEST(FoundingCases, NeitherContainsTheOther) {
  for (int64_t warps : {1, 4}) {
    Coordinate shape = {4 * warps, 8};
    LayoutProblem problem = makeLoop(shape, warps);
    NodeId fragment = addRead(problem, {0, 1});
    problem.nodes[fragment].fixed =
        FragmentLayout::blocked(shape, {0, 1}, 1, 32, warps);
    problem.nodes[0].fixed =
        FragmentLayout::blocked(shape, {1, 0}, 1, 32, warps);
    LayoutSolution solution = solveOrFail(problem);
    EXPECT_EQ(getExchanges(problem, solution)[warps == 1 ? 1 : 2], 1);
  }
}

// A part of 5 columns is in whole registers neither of its own default nor of
// that of the whole: the whole is made resident.
TEST(FoundingCases, BothAreInvalid) {
  LayoutProblem problem = makeLoop({4, 5}, 1);
  NodeId whole = addNode(problem, {4, 32}), part = addRead(problem, {0, 1});
  problem.nodes[whole].fixed =
      FragmentLayout::blocked({4, 32}, {1, 0}, 1, 32, 1);
  problem.resultEdges.push_back({1,
                                 whole,
                                 part,
                                 LayoutMap::slice({0, 7}, {4, 5}, {4, 5}),
                                 std::nullopt,
                                 {1}});
  LayoutSolution solution = solveOrFail(problem);
  ASSERT_FALSE(solution.exchanges.empty());
  EXPECT_EQ(solution.exchanges[0].use, 1);
  EXPECT_TRUE(solution.exchanges[0].layout.slice({0, 7}, {4, 5}));
}

// The user's layout of the loop is the fragment's too, the same for a row that is
// read along it; of the fragment it is the loop's.
TEST(FoundingCases, ExplicitOnOne) {
  FragmentLayout columns = FragmentLayout::blocked({64, 32}, {0, 1}, 2, 32, 4);
  for (bool onLoop : {true, false}) {
    LayoutProblem problem = makeLoop({64, 32});
    NodeId fragment = addRead(problem, {0, 1}), row = addRead(problem, {0});
    problem.nodes[onLoop ? 0 : fragment].fixed = columns;
    LayoutSolution solution = solveOrFail(problem);
    EXPECT_EQ(solution.nodes[0], columns);
    EXPECT_EQ(solution.nodes[fragment], columns);
    EXPECT_EQ(solution.nodes[row], columns.project({0}));
    EXPECT_TRUE(solution.exchanges.empty());
    EXPECT_EQ(solution.reasons[0].anchor, LayoutAnchor::Fixed);
    EXPECT_EQ(solution.reasons[row].anchor, LayoutAnchor::Implied);
  }
}

// A value for each row and one for each column: where the loop needs them,
// copied along the other dimension.
TEST(FoundingCases, BroadcastsAlongEitherDimension) {
  LayoutProblem problem = makeLoop({64, 32});
  NodeId row = addRead(problem, {0}), column = addRead(problem, {1});
  for (NodeId operand : {row, column})
    addGlobalAccess(problem, operand, /*isStore=*/false, /*pitch=*/1);
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_EQ(solution.nodes[row], solution.nodes[0].project({0}));
  EXPECT_EQ(solution.nodes[column], solution.nodes[0].project({1}));
  EXPECT_TRUE(solution.exchanges.empty());
}

// Reading a fragment the other way round is a layout of its own.
TEST(FoundingCases, DimensionsInAnotherOrder) {
  LayoutProblem problem = makeLoop({64, 64});
  NodeId fragment = addNode(problem, {64, 64});
  problem.operandEdges.push_back({0, fragment, 0, LayoutMap::project({1, 0})});
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_EQ(solution.nodes[fragment], solution.nodes[0].transpose({1, 0}));
}

// Nothing divides anything: the last threads have padding, and no element is
// held twice but by threads that are left over.
TEST(FoundingCases, ExtentsThatDoNotDivide) {
  for (const Coordinate &shape : {Coordinate{100}, Coordinate{7, 13},
                                  Coordinate{96, 80}, Coordinate{33, 5}}) {
    LayoutProblem problem = makeLoop(shape);
    Coordinate all;
    for (size_t dim = 0; dim < shape.size(); ++dim)
      all.push_back(static_cast<int64_t>(dim));
    NodeId fragment = addRead(problem, all);
    LayoutSolution solution = solveOrFail(problem);
    EXPECT_EQ(solution.nodes[fragment], solution.nodes[0]);
    EXPECT_TRUE(solution.exchanges.empty());
    int64_t elements = 1;
    for (int64_t extent : shape)
      elements *= extent;
    EXPECT_GE(solution.nodes[0].getRegisterCount() * 128, elements);
    EXPECT_LE(solution.nodes[0].getReplication(), 2);
  }
}

// 16 iterations on 128 threads: each element is computed by several threads and
// stored by one.
TEST(FoundingCases, MoreThreadsThanElements) {
  LayoutProblem problem = makeLoop({16});
  NodeId fragment = addRead(problem, {0});
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_EQ(solution.nodes[0].getRegisterCount(), 1);
  EXPECT_EQ(solution.nodes[0].getReplication(), 8);
  EXPECT_EQ(solution.nodes[fragment], solution.nodes[0]);
  EXPECT_EQ(countCosts(problem, solution).accesses, 1);
}

// The width that the user wants stays, though accesses of 16 bytes cost less.
TEST(FoundingCases, CoalescedWidth) {
  LayoutProblem problem = makeLoop({64, 64});
  problem.nodes[0].accesses.clear();
  problem.nodes[0].coalescedDim = 1;
  problem.nodes[0].coalescedWidth = 2;
  NodeId fragment = addRead(problem, {0, 1});
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_EQ(solution.nodes[0].getVectorWidth(1), 2);
  EXPECT_EQ(solution.nodes[fragment], solution.nodes[0]);
  EXPECT_FALSE(findRunnersUp(problem, solution)[0]);
}

} // namespace
