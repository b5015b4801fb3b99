//===- LayoutProblemTest.cpp - Layout problems written down ---------------===//
//
// Small problems with the layouts that they must have, and solutions that the
// validator must refuse: each is a right one with one thing changed.
//
//===----------------------------------------------------------------------===//

#include "Problems.h"

using namespace tilec;
using namespace tilec::test;

namespace {

// The class without an anchor is vectorised along its widest access, and not
// wider than leaves every thread work.
TEST(Solve, FollowsTheWidestAccess) {
  LayoutProblem problem = makeProblem(1);
  NodeId node = addNode(problem, {16, 32});
  problem.nodes[node].accesses = {{1, 4, 16, false}, {0, 8, 32, false}};
  EXPECT_EQ(solveOrFail(problem).nodes[node],
            FragmentLayout::blocked({16, 32}, {0, 1}, 8, 32, 1));
  problem.nodes[node].accesses = {{1, 2, 8, false}, {1, 2, 8, true}};
  EXPECT_EQ(solveOrFail(problem).nodes[node],
            FragmentLayout::blocked({16, 32}, {1, 0}, 2, 32, 1));
}

// Of equal accesses global memory decides.
TEST(Solve, PrefersGlobalAccesses) {
  LayoutProblem problem = makeProblem(1);
  NodeId node = addNode(problem, {32, 32});
  problem.nodes[node].accesses = {{1, 4, 16, false}, {0, 4, 16, true}};
  EXPECT_EQ(solveOrFail(problem).nodes[node],
            FragmentLayout::blocked({32, 32}, {0, 1}, 4, 32, 1));
}

// 64 rows reduced along columns by 4 warps: each warp has rows of its own.
TEST(Solve, ReductionsStayInsideWarps) {
  LayoutProblem problem = makeProblem(4);
  NodeId node = addNode(problem, {64, 128});
  problem.nodes[node].reduced[1] = true;
  FragmentLayout layout = solveOrFail(problem).nodes[node];
  for (const Digit &digit : layout.getDigits(HardwareDim::Warp))
    EXPECT_EQ(digit.dim, 0);
}

// 8 rows of 512 that use one vector along them: where they are reduced once, behind
// the loop, each warp loads a part of the vector; else each has rows of its own.
TEST(Solve, WarpsShareTheVectorOfRows) {
  for (bool isReducedOften : {false, true}) {
    LayoutProblem problem = makeProblem(4);
    NodeId vector = addNode(problem, {512}), rows = addNode(problem, {8, 512});
    problem.nodes[vector].accesses = {{0, 8, 16, true}};
    problem.nodes[rows].accesses = {{1, 8, 16, true}};
    problem.nodes[rows].reduced[1] = true;
    problem.nodes[rows].isReducedOften = isReducedOften;
    problem.operandEdges.push_back({0, vector, rows, LayoutMap::dropDims({0})});
    FragmentLayout layout = solveOrFail(problem).nodes[rows];
    for (const Digit &digit : layout.getDigits(HardwareDim::Warp))
      EXPECT_EQ(digit.dim, isReducedOften ? 0 : 1);
  }
}

// A loop of 128 x 4 over 128 threads that reads a fragment of 128: 4 elements a
// thread of the one, 1 of the other, and nothing is replicated but that.
TEST(Solve, SmallOperandsFollowLargeOnes) {
  LayoutProblem problem = makeProblem(4);
  NodeId small = addNode(problem, {128});
  NodeId space = addNode(problem, {128, 4});
  problem.operandEdges.push_back({0, small, space, LayoutMap::project({0})});
  LayoutFailure failure;
  auto greedy = solve(problem, failure, {/*classes=*/0, /*steps=*/0});
  ASSERT_TRUE(greedy);
  for (const LayoutSolution &solution : {*greedy, solveOrFail(problem)}) {
    EXPECT_EQ(solution.nodes[space].getRegisterCount(), 4);
    EXPECT_EQ(solution.nodes[small],
              *LayoutMap::project({0}).apply(solution.nodes[space]));
    EXPECT_TRUE(solution.exchanges.empty());
  }
}

// Two fixed layouts that meet cost one exchange, on the operand.
TEST(Solve, FixedLayoutsMeetAtAnExchange) {
  LayoutProblem problem = makeProblem(1);
  FragmentLayout a = makeLayout({64}, {{2, 0, 1}}, {{32, 0, 2}}, {});
  FragmentLayout b = makeLayout({64}, {{2, 0, 32}}, {{32, 0, 1}}, {});
  NodeId from = addNode(problem, {64}), to = addNode(problem, {64});
  problem.nodes[from].fixed = a;
  problem.nodes[to].fixed = b;
  problem.sameEdges.push_back({from, to});
  problem.operandEdges.push_back({7, from, to, LayoutMap()});
  LayoutSolution solution = solveOrFail(problem);
  ASSERT_EQ(solution.exchanges.size(), 1u);
  EXPECT_EQ(solution.exchanges[0].use, 7);
  EXPECT_EQ(solution.exchanges[0].layout, b);
}

// A result that its operation gives in another layout than its users fixed.
TEST(Solve, ResultsAreConvertedBehindTheirOperation) {
  LayoutProblem problem = makeProblem(1);
  FragmentLayout rows = FragmentLayout::blocked({8, 8}, {1, 0}, 1, 32, 1);
  NodeId from = addNode(problem, {8, 8}), to = addNode(problem, {8, 8});
  problem.nodes[from].fixed = rows;
  problem.nodes[to].fixed = rows;
  problem.resultEdges.push_back({0,
                                 from,
                                 to,
                                 LayoutMap::permute({1, 0}),
                                 LayoutMap::permute({1, 0}),
                                 {}});
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_EQ(solution.nodes[to], rows);
  ASSERT_TRUE(solution.produced[to]);
  EXPECT_EQ(*solution.produced[to], rows.transpose({1, 0}));
}

// A slice that cuts through the threads of a fixed layout: the whole is held in
// registers first.
TEST(Solve, SlicesMakeTheirOperandResident) {
  LayoutProblem problem = makeProblem(1);
  NodeId whole = addNode(problem, {4, 32}), part = addNode(problem, {4, 5});
  problem.nodes[whole].fixed =
      FragmentLayout::blocked({4, 32}, {1, 0}, 1, 32, 1);
  problem.resultEdges.push_back({3,
                                 whole,
                                 part,
                                 LayoutMap::slice({0, 7}, {4, 5}, {4, 5}),
                                 std::nullopt,
                                 {1}});
  LayoutSolution solution = solveOrFail(problem);
  ASSERT_EQ(solution.exchanges.size(), 1u);
  EXPECT_EQ(solution.exchanges[0].use, 3);
  EXPECT_TRUE(solution.exchanges[0].layout.slice({0, 7}, {4, 5}));
}

/// A product of 64 x 64 x 16 by four warps on the two given grids.
LayoutProblem makeProduct(NodeId &result) {
  LayoutProblem problem = makeProblem(4);
  result = addNode(problem, {64, 64});
  NodeId a = addNode(problem, {64, 16});
  const MatrixInstruction *row = findMatrixInstruction(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  ProductNode product;
  product.a = ProductNode::Operand{0, a, false};
  product.result = result;
  product.candidates = {{*planGemm(*row, 64, 64, 16, 4, 1), {4096, 1, 80}},
                        {*planGemm(*row, 64, 64, 16, 2, 2), {4096, 0, 64}}};
  problem.products.push_back(std::move(product));
  return problem;
}

TEST(Solve, ProductsTakeTheCheapestCandidate) {
  NodeId result;
  LayoutProblem problem = makeProduct(result);
  LayoutSolution solution = solveOrFail(problem);
  EXPECT_EQ(solution.products[0], 1);
  const GemmPlan &plan = problem.products[0].candidates[1].plan;
  EXPECT_EQ(solution.nodes[result], plan.result);
  EXPECT_EQ(solution.nodes[1], plan.a);
}

TEST(Solve, FixedResultsChooseTheCandidate) {
  NodeId result;
  LayoutProblem problem = makeProduct(result);
  problem.nodes[result].fixed = problem.products[0].candidates[0].plan.result;
  EXPECT_EQ(solveOrFail(problem).products[0], 0);
}

TEST(Solve, SaysWhichOperandHasNoLayout) {
  LayoutProblem problem = makeProblem(1);
  NodeId from = addNode(problem, {8}), to = addNode(problem, {64});
  problem.nodes[to].fixed = FragmentLayout::blocked({64}, {0}, 1, 32, 1);
  problem.operandEdges.push_back(
      {5, from, to, LayoutMap::slice({4}, {8}, {8})});
  LayoutFailure failure;
  EXPECT_FALSE(solve(problem, failure));
  EXPECT_EQ(failure.use, 5);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// A buffer of 64 x 64 x f16 that may be row-major, the default, or as its one
/// access asks: columns of eight elements together.
LayoutProblem makeBuffer() {
  LayoutProblem problem = makeProblem(1);
  GroupDemand columns{0, 8};
  problem.buffers.push_back(
      {{SharedLayout::conflictFree({64, 64}, {1, 0}, 16)}});
  for (SharedLayout &layout : getLayouts(columns, {64, 64}, 16))
    problem.buffers[0].candidates.push_back(layout);
  problem.bufferEdges.push_back({4, 0, columns});
  return problem;
}

TEST(Buffers, TakeTheFirstLayoutThatMeetsAllDemands) {
  LayoutProblem problem = makeBuffer();
  EXPECT_EQ(solveOrFail(problem).buffers, std::vector<int>{1});
  problem.bufferEdges.clear();
  EXPECT_EQ(solveOrFail(problem).buffers, std::vector<int>{0});
}

// The user fixed another layout: both are said.
TEST(Buffers, FixedLayoutsAreRefusedWithTheReason) {
  LayoutProblem problem = makeBuffer();
  problem.buffers[0].candidates.pop_back();
  LayoutFailure failure;
  EXPECT_FALSE(solve(problem, failure));
  EXPECT_EQ(failure.use, 4);
  EXPECT_EQ(
      failure.reason,
      "its buffer has layout " +
          SharedLayout::conflictFree({64, 64}, {1, 0}, 16).toString() +
          ", which the access cannot use: groups of 8 elements along dimension "
          "0 do not lie together, only of 1; " +
          SharedLayout::conflictFree({64, 64}, {0, 1}, 16).toString() +
          " meets it");
}

// Rows for one access and columns for another.
TEST(Buffers, DemandsThatContradictAreBothSaid) {
  LayoutProblem problem = makeBuffer();
  problem.bufferEdges.push_back({6, 0, GroupDemand{1, 8}});
  LayoutFailure failure;
  EXPECT_FALSE(solve(problem, failure));
  EXPECT_EQ(failure.use, 4);
  EXPECT_NE(failure.reason.find("but not what another access to the buffer "
                                "asks: groups of 8 elements along dimension 1"),
            std::string::npos)
      << failure.reason;
}

TEST(Buffers, TheValidatorChecksThem) {
  LayoutProblem problem = makeBuffer();
  LayoutSolution solution = solveOrFail(problem);
  solution.buffers[0] = 0;
  std::optional<std::string> wrong = validate(problem, solution);
  ASSERT_TRUE(wrong);
  EXPECT_NE(wrong->find("operand 4 is in a buffer of layout"),
            std::string::npos)
      << *wrong;
  solution.buffers[0] = 2;
  EXPECT_EQ(validate(problem, solution), "buffer 0 has no such candidate");
}

//===----------------------------------------------------------------------===//
// The validator
//===----------------------------------------------------------------------===//

TEST(Validate, SeesWhatIsWrong) {
  NodeId result;
  LayoutProblem problem = makeProduct(result);
  NodeId other = addNode(problem, {64, 64});
  problem.nodes[other].fixed =
      FragmentLayout::blocked({64, 64}, {1, 0}, 4, 32, 4);
  problem.operandEdges.push_back({1, result, other, LayoutMap()});
  LayoutSolution right = solveOrFail(problem);
  ASSERT_EQ(right.exchanges.size(), 1u);
  auto expectWrong = [&](auto &&change, const char *reason) {
    LayoutSolution wrong = right;
    change(wrong);
    std::optional<std::string> found = validate(problem, wrong);
    ASSERT_TRUE(found) << "not seen: " << reason;
    EXPECT_NE(found->find(reason), std::string::npos) << *found;
  };
  expectWrong([](auto &s) { s.nodes.pop_back(); }, "not every node");
  expectWrong([](auto &s) { s.products[0] = 2; }, "no such candidate");
  expectWrong([](auto &s) { s.products[0] = 0; }, "its instruction");
  expectWrong([](auto &s) { s.exchanges.clear(); }, "its edge");
  expectWrong([&](auto &s) { s.nodes[other] = s.nodes[result]; }, "was fixed");
  expectWrong([&](auto &s) { s.nodes[1] = s.nodes[result]; }, "another shape");
  expectWrong(
      [&](auto &s) {
        s.nodes[1] = FragmentLayout::blocked({64, 16}, {1, 0}, 1, 32, 2);
      },
      "other threads");
  expectWrong([&](auto &s) { s.produced[result] = s.nodes[other]; },
              "product 0 gives");
}

} // namespace
