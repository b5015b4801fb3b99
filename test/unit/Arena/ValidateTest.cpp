//===- ValidateTest.cpp - What the checker refuses -----------------------===//
//
// A valid solution, then one thing wrong at a time; each message is pinned.
//
//===----------------------------------------------------------------------===//

#include "tile/Arena/Arena.h"

#include "gtest/gtest.h"

using namespace tilec::arena;

namespace {

struct Validate : testing::Test {
  Validate() {
    problem.addBuffer("a", 64, 16, {{0, 4}});
    problem.addBuffer("b", 32, 32, {{2, 6}});
    problem.addBuffer("c", 64, 16, {{4, 6}});
    problem.addBuffer("d", 16, 16);
    problem.conflicts.push_back({3, 0});
    solution = {{0, 64, 0, 96}, 112, 96, false};
  }
  std::string error() const { return validate(problem, solution).value_or(""); }

  Problem problem;
  Solution solution;
};

TEST_F(Validate, AcceptsAValidSolution) {
  EXPECT_EQ(validate(problem, solution), std::nullopt);
}

TEST_F(Validate, RefusesOverlappingLifetimesInOneByte) {
  solution.offsets[1] = 32;
  EXPECT_EQ(error(), "buffer 'a' in bytes [0, 64) overlaps buffer 'b' in bytes "
                     "[32, 64), which is needed at the same time");
}

TEST_F(Validate, RefusesAListedConflictInOneByte) {
  solution.offsets[3] = 48;
  EXPECT_EQ(error(), "buffer 'a' in bytes [0, 64) overlaps buffer 'd' in bytes "
                     "[48, 64), which is needed at the same time");
}

TEST_F(Validate, AcceptsSharingWithoutAConflict) {
  solution.offsets[3] = 64; // d and b do not conflict
  solution.totalBytes = 96;
  EXPECT_EQ(error(), "");
}

TEST_F(Validate, RefusesAWrongAlignment) {
  solution.offsets[1] = 80;
  EXPECT_EQ(error(), "buffer 'b' is at offset 80, which is not a multiple of "
                     "its alignment of 32 bytes");
}

TEST_F(Validate, RefusesNegativeAndMissingOffsets) {
  solution.offsets[2] = -16;
  EXPECT_EQ(error(), "buffer 'c' has the negative offset -16");
  solution.offsets.pop_back();
  EXPECT_EQ(error(), "the solution has 3 offsets for 4 buffers");
}

TEST_F(Validate, RefusesWrongTotals) {
  solution.totalBytes = 96;
  EXPECT_EQ(error(), "the solution claims 96 bytes; its buffers end at 112");
  solution.totalBytes = 112;
  solution.lowerBoundBytes = 113;
  EXPECT_EQ(error(), "the lower bound of 113 bytes is above the total of 112");
}

TEST_F(Validate, RefusesInvalidProblems) {
  auto errorOf = [](Buffer buffer,
                    std::vector<std::pair<int, int>> pairs = {}) {
    return checkProblem({{std::move(buffer)}, std::move(pairs)}).value_or("");
  };
  EXPECT_EQ(errorOf({"x", -1, 16, {}}),
            "buffer 'x' has a size of -1 bytes; it must be from 0 to "
            "1099511627776");
  EXPECT_EQ(errorOf({"x", 16, 0, {}}),
            "buffer 'x' has an alignment of 0 bytes; it must be a power of two "
            "from 1 to 1048576");
  EXPECT_EQ(errorOf({"x", 16, 48, {}}),
            "buffer 'x' has an alignment of 48 bytes; it must be a power of "
            "two from 1 to 1048576");
  EXPECT_EQ(errorOf({"x", 16, 16, {{5, 4}}}),
            "buffer 'x' has a lifetime that begins at 5 and ends before, at 4");
  EXPECT_EQ(errorOf({"x", 16, 16, {}}, {{0, 1}}),
            "conflict (0, 1) names a buffer that does not exist; there are 1");
  EXPECT_EQ(errorOf({"x", 16, 16, {}}, {{0, 0}}),
            "conflict (0, 0) is of a buffer with itself");
}

} // namespace
