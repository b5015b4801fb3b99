//===- CostTest.cpp - What layouts cost, counted by hand ------------------===//

#include "Problems.h"

using namespace tilec;
using namespace tilec::test;

namespace {

/// The cost of one node that has `layout`.
LayoutCost countNode(LayoutProblem problem, const FragmentLayout &layout) {
  problem.nodes[0].fixed = layout;
  return countCosts(problem, solveOrFail(problem));
}

// 32 x 32 floats by a warp, rows of a memref along lanes: 32 registers of one
// element are 32 loads of four sectors; four together are 8 loads of sixteen.
TEST(Cost, GlobalAccessesAndSectors) {
  LayoutProblem problem = makeProblem(1);
  NodeId node = addNode(problem, {32, 32});
  addGlobalAccess(problem, node, /*isStore=*/false, /*pitch=*/1024);
  LayoutCost narrow =
      countNode(problem, FragmentLayout::blocked({32, 32}, {1, 0}, 1, 32, 1));
  EXPECT_EQ(narrow.accesses, 32);
  EXPECT_EQ(narrow.sectors, 128);
  LayoutCost wide =
      countNode(problem, FragmentLayout::blocked({32, 32}, {1, 0}, 4, 32, 1));
  EXPECT_EQ(wide.accesses, 8);
  EXPECT_EQ(wide.sectors, 128);
  // A lane with a row of its own loads half a sector each time.
  LayoutCost across =
      countNode(problem, FragmentLayout::blocked({32, 32}, {0, 1}, 1, 32, 1));
  EXPECT_EQ(across.accesses, 8);
  EXPECT_EQ(across.sectors, 8 * 32);
}

// Every second row of 1004 floats begins in the middle of a sector.
TEST(Cost, SectorsOfRowsThatBeginWithinThem) {
  LayoutProblem problem = makeProblem(1);
  NodeId node = addNode(problem, {32, 32});
  addGlobalAccess(problem, node, /*isStore=*/false, /*pitch=*/1004);
  LayoutCost rows =
      countNode(problem, FragmentLayout::blocked({32, 32}, {1, 0}, 1, 32, 1));
  EXPECT_EQ(rows.accesses, 32);
  EXPECT_EQ(rows.sectors, 16 * 4 + 16 * 5);
}

// Four warps that hold one row each load it: once from memory, three times from
// the cache. One of them stores it.
TEST(Cost, CopiesAreLoadedByAllAndStoredByOne) {
  LayoutProblem problem = makeProblem(4);
  NodeId node = addNode(problem, {32});
  addGlobalAccess(problem, node, /*isStore=*/false, /*pitch=*/1);
  FragmentLayout copies = FragmentLayout::blocked({32}, {0}, 1, 32, 4);
  LayoutCost load = countNode(problem, copies);
  EXPECT_EQ(load.accesses, 4);
  EXPECT_EQ(load.sectors, 4);
  EXPECT_EQ(load.repeats, 12);
  problem.nodes[node].memory[0].isStore = true;
  LayoutCost store = countNode(problem, copies);
  EXPECT_EQ(store.accesses, 1);
  EXPECT_EQ(store.sectors, 4);
}

// Columns of a buffer with rows of 128 bytes and no pattern meet in one bank.
TEST(Cost, SharedWavefronts) {
  LayoutProblem problem = makeProblem(1);
  NodeId node = addNode(problem, {32, 32});
  problem.buffers.push_back({{*SharedLayout::linear({32, 32}, {1, 0}, 0, 32)}});
  MemoryAccess access;
  access.buffer = 0;
  access.bufferDims = {0, 1};
  problem.nodes[node].memory = {access};
  EXPECT_EQ(
      countNode(problem, FragmentLayout::blocked({32, 32}, {1, 0}, 1, 32, 1))
          .wavefronts,
      32);
  EXPECT_EQ(
      countNode(problem, FragmentLayout::blocked({32, 32}, {0, 1}, 1, 32, 1))
          .wavefronts,
      32 * 32);
  problem.nodes[node].memory[0].avoidsConflicts = true;
  EXPECT_EQ(
      countNode(problem, FragmentLayout::blocked({32, 32}, {0, 1}, 1, 32, 1))
          .wavefronts,
      32);
}

// Operations run once for each register, in loops as often as they say.
TEST(Cost, InstructionsFollowRegisters) {
  LayoutProblem problem = makeProblem(4);
  NodeId node = addNode(problem, {128});
  problem.nodes[node].instructions = 3;
  problem.nodes[node].times = 10;
  EXPECT_EQ(countNode(problem, FragmentLayout::blocked({128}, {0}, 1, 32, 4))
                .instructions,
            3 * 10 * 4);
  EXPECT_EQ(
      countNode(problem, FragmentLayout::replicated({128}, 32, 4)).instructions,
      3 * 10 * 4 * 128);
}

// 32 rows of 32 columns: reduced in registers where a lane holds a row, with
// five rounds for each of 32 rows where the lanes share one.
TEST(Cost, ShufflesOfReductions) {
  LayoutProblem problem = makeProblem(1);
  NodeId node = addNode(problem, {32, 32});
  problem.nodes[node].combinations = {{{1}, false, 1}};
  LayoutCost alone =
      countNode(problem, FragmentLayout::blocked({32, 32}, {0, 1}, 1, 32, 1));
  EXPECT_EQ(alone.shuffles, 0);
  EXPECT_EQ(alone.instructions, 31);
  LayoutCost shared =
      countNode(problem, FragmentLayout::blocked({32, 32}, {1, 0}, 1, 32, 1));
  EXPECT_EQ(shared.shuffles, 32 * 5);
  EXPECT_EQ(shared.barriers, 0);
}

// A row over four warps: one value of each travels.
TEST(Cost, ReductionsAcrossWarpsGoThroughMemory) {
  LayoutProblem problem = makeProblem(4);
  NodeId node = addNode(problem, {128});
  problem.nodes[node].combinations = {{{0}, false, 1}};
  LayoutCost cost =
      countNode(problem, FragmentLayout::blocked({128}, {0}, 1, 32, 4));
  EXPECT_EQ(cost.shuffles, 4 * 5);
  EXPECT_EQ(cost.barriers, 2);
  EXPECT_EQ(cost.accesses, 4 * (1 + 1));
  EXPECT_EQ(cost.wavefronts, 4 * (1 + 4));
}

// 8 columns of which each of three warps could have 8: two have padding, and
// nothing is exchanged with them.
TEST(Cost, ScansPastTheShapeStayInTheirWarp) {
  LayoutProblem problem = makeProblem(3);
  NodeId node = addNode(problem, {8, 8});
  problem.nodes[node].combinations = {{{1}, /*isScan=*/true, 1}};
  FragmentLayout layout =
      makeLayout({8, 8}, {{2, 1, 1}}, {{4, 1, 2}, {8, 0, 1}}, {{3, 1, 8}});
  LayoutCost cost = countNode(problem, layout);
  EXPECT_EQ(cost.barriers, 0);
  EXPECT_EQ(cost.shuffles, 3 * 3); // two rounds, and what stands before
  problem.nodes[node].shape = {8, 24};
  layout =
      makeLayout({8, 24}, {{2, 1, 1}}, {{4, 1, 2}, {8, 0, 1}}, {{3, 1, 8}});
  // Three boxes: one total is written, three are read at once.
  cost = countNode(problem, layout);
  EXPECT_EQ(cost.barriers, 2);
  EXPECT_EQ(cost.accesses, 3 * (1 + 1));
}

// From rows along the lanes to a row in each lane: 32 stores of an element, 8
// loads of four, which take four wavefronts each; 31 shuffles of 32 registers with
// the choices around them would take longer. An element in each lane takes a
// shuffle. Copies only change names.
TEST(Cost, ExchangesByKind) {
  LayoutProblem problem = makeProblem(1);
  NodeId from = addNode(problem, {32, 32}), to = addNode(problem, {32, 32});
  problem.nodes[from].fixed =
      FragmentLayout::blocked({32, 32}, {1, 0}, 1, 32, 1);
  problem.nodes[to].fixed = FragmentLayout::blocked({32, 32}, {0, 1}, 1, 32, 1);
  problem.operandEdges.push_back({0, from, to, LayoutMap()});
  problem.useTimes = {3};
  LayoutCost cost = countCosts(problem, solveOrFail(problem));
  EXPECT_EQ(cost.exchanges, (std::array<int64_t, 3>{0, 0, 3}));
  EXPECT_EQ(cost.barriers, 3 * 2);
  EXPECT_EQ(cost.accesses, 3 * (32 + 8));
  EXPECT_EQ(cost.wavefronts, 3 * (32 + 8 * 4));
  problem.nodes[from].fixed = FragmentLayout::replicated({32, 32}, 32, 1);
  cost = countCosts(problem, solveOrFail(problem));
  EXPECT_EQ(cost.exchanges, (std::array<int64_t, 3>{3, 0, 0}));
  EXPECT_EQ(cost.accesses, 0);
}

// Lanes go through the elements by rows or by columns: each warp shuffles a word. Two
// elements of 16 bits are put into one and taken out again.
TEST(Cost, ExchangesByShuffles) {
  for (int64_t width : {1, 2}) {
    LayoutProblem problem = makeProblem(2);
    Coordinate shape = {16, 4 * width};
    NodeId from = addNode(problem, shape), to = addNode(problem, shape);
    Digit rows{8, 0, 1}, columns{4, 1, width}, warps{2, 0, 8};
    Digits registers;
    if (width > 1)
      registers.push_back({width, 1, 1});
    problem.nodes[from].bits = 32 / width;
    problem.nodes[from].fixed =
        *FragmentLayout::get(shape, registers, {columns, rows}, {warps});
    problem.nodes[to].fixed =
        *FragmentLayout::get(shape, registers, {rows, columns}, {warps});
    problem.operandEdges.push_back({0, from, to, LayoutMap()});
    problem.useTimes = {3};
    LayoutCost cost = countCosts(problem, solveOrFail(problem));
    EXPECT_EQ(cost.exchanges, (std::array<int64_t, 3>{0, 3, 0}));
    EXPECT_EQ(cost.shuffles, 3 * 2);
    EXPECT_EQ(cost.instructions, 3 * 2 * (width == 1 ? 1 : 1 + 2 * 2));
    EXPECT_EQ(cost.barriers, 0);
  }
}

TEST(Cost, SpillsAreWhatPassesTheBudget) {
  LayoutProblem problem = makeProblem(4);
  NodeId a = addNode(problem, {128, 64}), b = addNode(problem, {128, 64});
  problem.nodes[b].bits = 16;
  problem.liveSets.push_back({{a, b}, 5});
  problem.registerBudget = 64 + 32;
  EXPECT_EQ(countCosts(problem, solveOrFail(problem)).spills, 0);
  problem.registerBudget = 64 + 30;
  EXPECT_EQ(countCosts(problem, solveOrFail(problem)).spills, 2 * 4 * 5);
}

TEST(Cost, WeightsFollowTheMultiprocessor) {
  CostWeights weights;
  const Throughput &row = getThroughput(*findTarget("sm_80"));
  CostWeights found = CostWeights::get(row, /*threads=*/128);
  EXPECT_EQ(found.access, weights.access);
  EXPECT_EQ(found.wavefront, weights.wavefront);
  EXPECT_EQ(found.sector, weights.sector);
  EXPECT_EQ(found.repeat, weights.repeat);
  EXPECT_EQ(found.shuffle, weights.shuffle);
  EXPECT_EQ(found.barrier, weights.barrier);
  EXPECT_EQ(found.shuffleExchange, weights.shuffleExchange);
  EXPECT_EQ(found.exchange, weights.exchange);
  EXPECT_EQ(found.spill, weights.spill);
}

} // namespace
