//===- FormatMapTest.cpp - The text of memory maps -----------------------===//
//
// The maps are read by people in reports and at the end of errors about too
// much shared memory: their text is pinned whole, columns included.
//
//===----------------------------------------------------------------------===//

#include "tile/Arena/Arena.h"

#include "gtest/gtest.h"

using namespace tilec::arena;

namespace {

Problem makeProblem() {
  Problem problem;
  problem.addBuffer("Q", 32768, 1024, {{0, 8}});
  problem.addBuffer("K", 65536, 1024, {{1, 8}});
  problem.addBuffer("O", 32768, 1024, {{8, 9}});
  problem.addBuffer("scratch", 512, 16, {{2, 3}, {10, 12}});
  return problem;
}

TEST(FormatMap, ListsBuffersByOffset) {
  Problem problem = makeProblem();
  Solution solution = {{65536, 0, 65536, 98304}, 98816, 98816, true};
  ASSERT_EQ(validate(problem, solution), std::nullopt);
  EXPECT_EQ(formatMap(problem, solution),
            "      offset       bytes  lifetime         name\n"
            "           0       65536  [1, 8)           K\n"
            "       65536       32768  [0, 8)           Q\n"
            "       65536       32768  [8, 9)           O\n"
            "       98304         512  [2, 3) [10, 12)  scratch\n"
            "total 98816 bytes, lower bound 98816 bytes\n");
  solution.offsets.clear();
  EXPECT_EQ(formatMap(problem, solution),
            "no memory map: the buffers have no offsets\n");
}

TEST(FormatMap, ListsThePeakLargestFirst) {
  EXPECT_EQ(formatPeak(makeProblem()),
            "       bytes  lifetime         name\n"
            "       65536  [1, 8)           K\n"
            "       32768  [0, 8)           Q\n"
            "         512  [2, 3) [10, 12)  scratch\n"
            "98816 bytes are needed at the same time\n");
  Problem graph;
  graph.addBuffer("x", 8, 8);
  EXPECT_EQ(formatPeak(graph), "       bytes  lifetime  name\n"
                               "           8  -         x\n"
                               "8 bytes are needed at the same time\n");
}

} // namespace
