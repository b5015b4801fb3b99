//===- BankConflictsTest.cpp - Wavefronts, and layouts without conflicts --===//
//
// The count against a naive model of the banks, and `conflictFree` against
// every ldmatrix that a kernel may issue.
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

using namespace tilec;
using namespace tilec::test;

/// Serves one group lane by lane: in each pass a bank opens one word, and every
/// lane whose words are all served is done.
static int64_t countNaively(const std::vector<int64_t> &addresses,
                            int64_t bytes) {
  size_t group = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  int64_t passes = 0;
  for (size_t begin = 0; begin < addresses.size(); begin += group) {
    std::set<int64_t> open;
    for (size_t i = begin; i < std::min(begin + group, addresses.size()); ++i)
      for (int64_t byte = 0; byte < bytes; ++byte)
        open.insert((addresses[i] + byte) / 4);
    while (!open.empty()) {
      std::set<int64_t> busyBanks;
      for (auto word = open.begin(); word != open.end();)
        word = busyBanks.insert(*word % 32).second ? open.erase(word)
                                                   : std::next(word);
      ++passes;
    }
  }
  return passes;
}

TEST(BankConflicts, KnownAccesses) {
  auto getStrided = [](int64_t lanes, int64_t strideBytes) {
    std::vector<int64_t> addresses;
    for (int64_t lane = 0; lane < lanes; ++lane)
      addresses.push_back(lane * strideBytes);
    return addresses;
  };
  EXPECT_EQ(countWavefronts(getStrided(32, 4), 4), 1);
  EXPECT_EQ(countWavefronts(getStrided(32, 0), 4), 1);
  EXPECT_EQ(countWavefronts(getStrided(32, 8), 4), 2);
  EXPECT_EQ(countWavefronts(getStrided(32, 128), 4), 32);
  EXPECT_EQ(countWavefronts(getStrided(32, 132), 4), 1);
  EXPECT_EQ(countWavefronts(getStrided(32, 2), 2), 1);
  EXPECT_EQ(countWavefronts(getStrided(32, 8), 8), 2);
  EXPECT_EQ(countWavefronts(getStrided(32, 16), 16), 4);
  EXPECT_EQ(countWavefronts(getStrided(8, 64), 16), 4);
  EXPECT_EQ(countWavefronts(getStrided(8, 80), 16), 1);
  EXPECT_EQ(countWavefronts({}, 4), 0);
  EXPECT_EQ(countIdealWavefronts(32, 4), 1);
  EXPECT_EQ(countIdealWavefronts(32, 8), 2);
  EXPECT_EQ(countIdealWavefronts(32, 16), 4);
  EXPECT_EQ(countIdealWavefronts(9, 16), 2);
  EXPECT_EQ(countIdealWavefronts(0, 16), 0);
}

TEST(BankConflicts, CountMatchesTheNaiveModel) {
  Random random(61);
  for (int i = 0; i < 5000; ++i) {
    int64_t bytes = random.pick<int64_t>({1, 2, 4, 8, 16});
    std::vector<int64_t> addresses(random.get(1, 32));
    int64_t range = random.pick<int64_t>({8, 64, 512});
    for (int64_t &address : addresses)
      address = random.get(0, range) * bytes;
    int64_t count = countWavefronts(addresses, bytes);
    ASSERT_EQ(count, countNaively(addresses, bytes));
    ASSERT_GE(count, countIdealWavefronts(
                         static_cast<int64_t>(addresses.size()), bytes));
  }
}

// conflictFree ---------------------------------------------------------------

/// Eight rows of 16 bytes from (row, column) on, as ldmatrix reads them.
static void expectFreeMatrix(const SharedLayout &layout, int64_t row,
                             int64_t column) {
  int64_t unit = 128 / layout.getElementBits();
  std::vector<int64_t> addresses;
  for (int64_t i = 0; i < 8; ++i) {
    int64_t address = layout.getByteOffset({row + i, column});
    EXPECT_EQ(address % 16, 0);
    for (int64_t j = 0; j < unit; ++j)
      ASSERT_EQ(layout.getBitOffset({row + i, column + j}),
                address * 8 + j * layout.getElementBits());
    addresses.push_back(address);
  }
  EXPECT_EQ(countWavefronts(addresses, 16), 1)
      << layout.toString() << " at " << row << ", " << column;
}

TEST(ConflictFree, EveryMatrixLoadTakesOneWavefront) {
  for (int64_t elementBits : {8, 16, 32}) {
    int64_t unit = 128 / elementBits;
    for (int64_t rows : {8, 16, 24, 48, 64, 80, 96, 128})
      for (int64_t columns : {8, 16, 20, 24, 32, 40, 48, 64, 72, 80, 96, 100,
                              112, 128, 160, 192, 256, 320}) {
        SharedLayout layout =
            SharedLayout::conflictFree({rows, columns}, {1, 0}, elementBits);
        if (columns < unit)
          continue;
        for (int64_t row = 0; row < rows; row += 8)
          for (int64_t column = 0; column + unit <= columns; column += unit)
            expectFreeMatrix(layout, row, column);
      }
  }
}

TEST(ConflictFree, ColumnMajorIsTheTransposedLayout) {
  SharedLayout layout = SharedLayout::conflictFree({96, 40}, {0, 1}, 16);
  SharedLayout transposed = SharedLayout::conflictFree({40, 96}, {1, 0}, 16);
  for (const Coordinate &c : getCoordinates({96, 40}))
    ASSERT_EQ(layout.getBitOffset(c), transposed.getBitOffset({c[1], c[0]}));
}

TEST(ConflictFree, ChoosesTheLargestModeElseTheOddPitch) {
  auto choose = [](Coordinate shape, int64_t elementBits) {
    std::vector<int> order;
    for (int dim = static_cast<int>(shape.size()) - 1; dim >= 0; --dim)
      order.push_back(dim);
    return SharedLayout::conflictFree(shape, order, elementBits).toString();
  };
  EXPECT_EQ(choose({64, 64}, 16),
            "[64, 64], offset = [64 : (0, 1), 64 : (1, 0)], xor = [3, 4, 3]");
  EXPECT_EQ(choose({64, 96}, 16),
            "[64, 96], offset = [32 : (0, 1), 64 : (1, 0), 3 : (0, 32)], "
            "xor = [2, 4, 3]");
  EXPECT_EQ(choose({64, 80}, 16),
            "[64, 80], offset = [16 : (0, 1), 64 : (1, 0), 5 : (0, 16)], "
            "xor = [1, 4, 3]");
  // 48 bytes are three units, odd already; 40 bytes become three.
  EXPECT_EQ(choose({64, 24}, 16), "[64, 24], offset = [24 : (0, 1), "
                                  "64 : (1, 0)]");
  EXPECT_EQ(choose({64, 20}, 16), "[64, 20], offset = [20 : (0, 1), "
                                  "64 : (1, 0) weight 24]");
  EXPECT_EQ(choose({64, 28}, 16), "[64, 28], offset = [28 : (0, 1), "
                                  "64 : (1, 0) weight 40]");
  // Nothing to spread: short rows, one row, one dimension, none.
  EXPECT_EQ(choose({64, 4}, 16), "[64, 4], offset = [4 : (0, 1), 64 : (1, 0)]");
  EXPECT_EQ(choose({1, 64}, 16), "[1, 64], offset = [64 : (0, 1)]");
  EXPECT_EQ(choose({512}, 32), "[512], offset = [512 : (1)]");
  EXPECT_EQ(choose({}, 32), "[], offset = []");
}

TEST(ConflictFree, WholePanelsAreWrittenWithoutConflicts) {
  // Eight lanes write 16 bytes each over the width of one panel, row by row.
  for (int64_t columns : {16, 32, 48, 64, 80, 96, 128, 256}) {
    SharedLayout layout = SharedLayout::conflictFree({64, columns}, {1, 0}, 16);
    int64_t lanesAlong = std::min<int64_t>(8, (columns / 8) & -(columns / 8));
    for (int64_t row = 0; row < 64; row += 8 / lanesAlong)
      for (int64_t column = 0; column < columns; column += lanesAlong * 8) {
        std::vector<int64_t> addresses;
        for (int64_t lane = 0; lane < 8; ++lane)
          addresses.push_back(layout.getByteOffset(
              {row + lane / lanesAlong, column + lane % lanesAlong * 8}));
        ASSERT_EQ(countWavefronts(addresses, 16), 1) << layout.toString();
      }
  }
}
