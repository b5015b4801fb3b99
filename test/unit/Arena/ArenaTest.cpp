//===- ArenaTest.cpp - Packing problems with known answers ---------------===//
//
// The founding cases (flash attention, a buffer carried through a loop), what
// alignment costs, graphs that no lifetimes describe, and the search's limits.
//
//===----------------------------------------------------------------------===//

#include "tile/Arena/Arena.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace tilec::arena;

namespace {

constexpr int64_t kibibyte = 1024;

Solution solveValidated(const Problem &problem,
                        int64_t nodeBudget = longNodeBudget) {
  Solution solution = solve(problem, nodeBudget);
  EXPECT_EQ(validate(problem, solution), std::nullopt)
      << formatMap(problem, solution);
  return solution;
}

/// Flash attention, 128 x 128 tiles, D = 128, f16, two stages: Q is read by the
/// loop [1, 8), K and V are its rings of two slots, O is staged after the loop.
Problem makeFlashAttention() {
  Problem problem;
  problem.addBuffer("Q", 32 * kibibyte, 1024, {{0, 8}});
  problem.addBuffer("K", 64 * kibibyte, 1024, {{1, 8}});
  problem.addBuffer("V", 64 * kibibyte, 1024, {{1, 8}});
  problem.addBuffer("O", 32 * kibibyte, 1024, {{8, 9}});
  return problem;
}

TEST(Arena, FlashAttentionFitsWithQAndOAtOneOffset) {
  Solution solution = solveValidated(makeFlashAttention());
  EXPECT_EQ(solution.totalBytes, 163840);
  EXPECT_EQ(solution.lowerBoundBytes, 163840);
  EXPECT_TRUE(solution.isOptimal);
  EXPECT_EQ(solution.offsets[0], solution.offsets[3]);
}

TEST(Arena, FlashAttentionDoesNotDependOnTheOrderOfItsBuffers) {
  Problem problem = makeFlashAttention();
  std::vector<int> order = {0, 1, 2, 3};
  do {
    Problem shuffled;
    for (int index : order)
      shuffled.buffers.push_back(problem.buffers[index]);
    Solution solution = solveValidated(shuffled);
    EXPECT_EQ(solution.totalBytes, 163840);
    auto offsetOf = [&](int index) {
      return solution.offsets[std::ranges::find(order, index) - order.begin()];
    };
    EXPECT_EQ(offsetOf(0), offsetOf(3));
  } while (std::ranges::next_permutation(order).found);
}

TEST(Arena, BytesAreSharedOnlyWhereTheTotalAsksForIt) {
  // The later buffer fits beside the small ones, with nobody.
  Problem problem;
  problem.addBuffer("large", 4096, 16, {{0, 1}});
  problem.addBuffer("small", 1024, 16, {{2, 3}});
  problem.addBuffer("later", 1024, 16, {{4, 5}});
  Solution solution = solveValidated(problem);
  EXPECT_EQ(solution.totalBytes, 4096);
  EXPECT_NE(solution.offsets[1], solution.offsets[2]);
}

TEST(Arena, CarriedBufferNeverSharesWithOneFirstTouchedInsideTheLoop) {
  // Loaded at 0, read in every iteration of the loop [1, 6): the whole loop.
  Problem problem;
  problem.addBuffer("carried", 4096, 16, {{0, 6}});
  problem.addBuffer("inner", 4096, 16, {{2, 4}});
  problem.addBuffer("after", 4096, 16, {{6, 7}});
  Solution solution = solveValidated(problem);
  EXPECT_NE(solution.offsets[0], solution.offsets[1]);
  EXPECT_EQ(solution.totalBytes, 8192);

  solution.offsets = {0, 0, 0};
  solution.totalBytes = 4096;
  solution.lowerBoundBytes = 0;
  EXPECT_EQ(validate(problem, solution),
            "buffer 'carried' in bytes [0, 4096) overlaps buffer 'inner' in "
            "bytes [0, 4096), which is needed at the same time");
}

TEST(Arena, BuffersInTurnShareAllBytes) {
  Problem problem;
  for (int i = 0; i < 10; ++i)
    problem.addBuffer("b" + std::to_string(i), 1024 + i, 16, {{i, i + 1}});
  Solution solution = solveValidated(problem);
  EXPECT_EQ(solution.totalBytes, 1033);
  EXPECT_EQ(solution.offsets, std::vector<int64_t>(10, 0));
}

TEST(Arena, GapsInALifetimeAreUsed) {
  Problem problem;
  problem.addBuffer("gapped", 1000, 8, {{0, 2}, {6, 8}});
  problem.addBuffer("between", 1000, 8, {{2, 6}});
  EXPECT_EQ(solveValidated(problem).totalBytes, 1000);
}

TEST(Arena, ListedConflictsHoldWithoutLifetimes) {
  // A cycle of five, which no set of single lifetimes describes: its cliques
  // hold two buffers, its packing needs three.
  Problem problem;
  for (int i = 0; i < 5; ++i)
    problem.addBuffer("b" + std::to_string(i), 100, 4);
  for (int i = 0; i < 5; ++i)
    problem.conflicts.push_back({i, (i + 1) % 5});
  Solution solution = solveValidated(problem);
  EXPECT_EQ(solution.lowerBoundBytes, 200);
  EXPECT_EQ(solution.totalBytes, 300);
  EXPECT_TRUE(solution.isOptimal);
}

TEST(Arena, ListedConflictsAddToLifetimes) {
  Problem problem;
  problem.addBuffer("producer", 64, 16, {{0, 2}});
  problem.addBuffer("consumer", 64, 16, {{2, 4}});
  EXPECT_EQ(solveValidated(problem).totalBytes, 64);
  problem.conflicts.push_back({1, 0});
  EXPECT_EQ(solveValidated(problem).totalBytes, 128);
}

TEST(Arena, AlignmentsAreHeldAndCostOnlyWhatTheyMust) {
  for (int64_t alignment : {16, 32, 64, 128, 256, 512, 1024}) {
    Problem problem;
    problem.addBuffer("small", 16, 16, {{0, 2}});
    problem.addBuffer("aligned", 4096, alignment, {{0, 2}});
    problem.addBuffer("odd", 8, 16, {{0, 2}});
    Solution solution = solveValidated(problem);
    // The aligned one goes first, the others end to end behind it.
    EXPECT_EQ(solution.totalBytes, 4096 + 16 + 8) << alignment;
    EXPECT_EQ(solution.offsets[1] % alignment, 0);
    EXPECT_TRUE(solution.isOptimal);
  }
}

TEST(Arena, LowerBoundKnowsThatOnlyTheLastBufferNeedsNoPadding) {
  Problem problem;
  for (int i = 0; i < 3; ++i)
    problem.addBuffer("b" + std::to_string(i), 1000, 1024, {{0, 1}});
  Solution solution = solveValidated(problem);
  EXPECT_EQ(solution.totalBytes, 2 * 1024 + 1000);
  EXPECT_EQ(solution.lowerBoundBytes, solution.totalBytes);
}

/// Lifetimes for which no first-fit order of the solver meets the optimum,
/// found by random search; the exact search does.
Problem makeHardProblem() {
  Problem problem;
  problem.addBuffer("a", 8192, 16, {{6, 14}});
  problem.addBuffer("b", 24576, 16, {{8, 13}});
  problem.addBuffer("c", 20480, 16, {{4, 12}});
  problem.addBuffer("d", 20480, 16, {{1, 6}});
  problem.addBuffer("e", 8192, 16, {{0, 8}});
  problem.addBuffer("f", 16384, 16, {{2, 10}});
  return problem;
}

TEST(Arena, SearchImprovesWhatFirstFitMisses) {
  Problem problem = makeHardProblem();
  Solution firstFit = solveValidated(problem, /*nodeBudget=*/0);
  Solution searched = solveValidated(problem);
  EXPECT_EQ(firstFit.totalBytes, 73728);
  EXPECT_EQ(searched.totalBytes, 69632);
  EXPECT_FALSE(firstFit.isOptimal);
  EXPECT_TRUE(searched.isOptimal);
}

/// Buffers one behind the other beside some that two of them conflict with: packed part
/// by part.
TEST(Arena, PartsArePackedEachFromTheBottom) {
  Problem problem = makeHardProblem();
  int64_t alone = solveValidated(problem).totalBytes;
  for (int64_t copy = 1; copy < 100; ++copy)
    for (const Buffer &buffer : makeHardProblem().buffers) {
      Lifetime span = buffer.lifetimes.front();
      problem.addBuffer(buffer.name, buffer.sizeBytes, 16,
                        {{span.begin + 14 * copy, span.end + 14 * copy}});
    }
  Solution apart = solveValidated(problem);
  EXPECT_EQ(apart.totalBytes, alone);
  EXPECT_TRUE(apart.isOptimal);
  EXPECT_EQ(packBytes(problem, /*limitBytes=*/0), alone);
  // Beside each other 600 buffers conflict with one that is larger than all parts.
  problem.addBuffer("beside", 4 * alone, 16, {{14, 15}});
  problem.conflicts.push_back({0, 600});
  Solution beside = solveValidated(problem);
  EXPECT_EQ(packBytes(problem, /*limitBytes=*/0), beside.totalBytes);
  EXPECT_GT(beside.totalBytes, 4 * alone);
}

/// Twenty buffers of which a short search wastes 720 bytes.
Problem makeCrampedProblem() {
  struct Row {
    int64_t bytes, alignment, begin, end;
  };
  const Row rows[] = {
      {1024, 1024, 4, 24},  {304, 16, 2, 19},     {16384, 16, 11, 20},
      {8192, 16, 10, 26},   {16384, 1024, 7, 37}, {2048, 1024, 9, 31},
      {1024, 1024, 26, 31}, {32768, 128, 4, 32},  {32768, 128, 8, 37},
      {2048, 128, 10, 25},  {16384, 16, 18, 32},  {16384, 128, 27, 31},
      {32768, 16, 1, 10},   {8192, 16, 0, 11},    {128, 128, 14, 17},
      {2048, 1024, 8, 11},  {8192, 128, 1, 23},   {128, 128, 35, 37},
      {8192, 128, 23, 37},  {4096, 128, 5, 37},
  };
  Problem problem;
  for (const Row &row : rows)
    problem.addBuffer("b" + std::to_string(row.begin), row.bytes, row.alignment,
                      {{row.begin, row.end}});
  return problem;
}

TEST(Arena, SearchesForLongOnlyWhereItDecides) {
  Problem problem = makeCrampedProblem();
  Solution quick = solveValidated(problem, shortNodeBudget);
  Solution best = solveValidated(problem, longNodeBudget);
  ASSERT_LT(best.totalBytes, quick.totalBytes);
  EXPECT_EQ(solveWithin(problem, quick.totalBytes).totalBytes,
            quick.totalBytes);
  EXPECT_EQ(solveWithin(problem, quick.totalBytes - 1).totalBytes,
            best.totalBytes);
  // No search makes it fit.
  EXPECT_EQ(solveWithin(problem, best.lowerBoundBytes - 1).totalBytes,
            quick.totalBytes);
}

TEST(Arena, SameInputSameOutput) {
  Problem problem = makeHardProblem();
  Solution first = solve(problem);
  Solution second = solve(problem);
  EXPECT_EQ(first.offsets, second.offsets);
  EXPECT_EQ(first.totalBytes, second.totalBytes);
}

TEST(Arena, DegenerateProblems) {
  Problem problem;
  Solution empty = solveValidated(problem);
  EXPECT_EQ(empty.totalBytes, 0);
  EXPECT_TRUE(empty.isOptimal);

  problem.addBuffer("nothing", 0, 1024, {{0, 4}});
  EXPECT_EQ(solveValidated(problem).totalBytes, 0);
  problem.addBuffer("one", 100, 16, {{0, 4}});
  Solution one = solveValidated(problem);
  EXPECT_EQ(one.totalBytes, 100);
  EXPECT_EQ(one.offsets, (std::vector<int64_t>{0, 0}));
  EXPECT_TRUE(one.isOptimal);
}

TEST(Arena, InvalidProblemsAreNotPacked) {
  Problem problem;
  problem.addBuffer("bad", 100, 24);
  EXPECT_TRUE(solve(problem).offsets.empty());
  EXPECT_NE(validate(problem, solve(problem)), std::nullopt);
  EXPECT_TRUE(getPeak(problem).empty());
}

TEST(Arena, ManyBuffersStayWithinTheBudget) {
  Problem problem;
  uint64_t state = 7;
  auto next = [&](int64_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int64_t>((state >> 33) % static_cast<uint64_t>(bound));
  };
  for (int i = 0; i < 300; ++i) {
    int64_t begin = next(500);
    problem.addBuffer("b" + std::to_string(i), 16 + next(8192),
                      int64_t(16) << next(7), {{begin, begin + 1 + next(60)}});
  }
  Solution solution = solveValidated(problem, /*nodeBudget=*/1000);
  EXPECT_GE(solution.totalBytes, solution.lowerBoundBytes);
  EXPECT_LT(solution.totalBytes, 2 * solution.lowerBoundBytes);
}

TEST(Arena, PeakIsTheHeaviestSetOfConflictingBuffers) {
  EXPECT_EQ(getPeak(makeFlashAttention()), (std::vector<int>{0, 1, 2}));
}

} // namespace
