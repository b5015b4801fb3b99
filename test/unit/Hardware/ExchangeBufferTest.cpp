//===- ExchangeBufferTest.cpp - The buffer between two layouts ------------===//

#include "tile/Hardware/ExchangeBuffer.h"

#include <gtest/gtest.h>

using namespace tilec;

/// Blocks of 4 x 4 elements of 64 x 64, spread along `dim` first.
static FragmentLayout getBlocks(int dim) {
  int other = 1 - dim;
  return *FragmentLayout::get({64, 64}, {{4, dim, 1}, {4, other, 1}},
                              {{16, dim, 4}, {2, other, 4}}, {{8, other, 8}});
}

TEST(ExchangeBuffer, BlocksAreTransposedWithoutConflicts) {
  FragmentLayout rows = getBlocks(1), columns = getBlocks(0);
  EXPECT_EQ(getExchangeWidth(rows, 0, 32), 4);
  EXPECT_EQ(getExchangeWidth(rows, 1, 32), 4);
  EXPECT_EQ(chooseExchangeDim(2, 32, &rows, &columns), 1);
  SharedLayout buffer = chooseExchangeBuffer({64, 64}, 1, 32, &rows, &columns);
  EXPECT_EQ(buffer.toString(),
            "[64, 64], offset = [32 : (0, 1), 16 : (4, 0), 4 "
            ": (1, 0), 2 : (0, 32)], xor = [3, 4, 3]");
  for (const FragmentLayout &access : {rows, columns}) {
    int64_t ideal = 0;
    EXPECT_EQ(countExchangeWavefronts(buffer, 1, access, ideal), 16);
    EXPECT_EQ(ideal, 16);
  }
  // The one for ldmatrix has four lanes at a bank.
  int64_t ideal = 0;
  EXPECT_EQ(
      countExchangeWavefronts(SharedLayout::conflictFree({64, 64}, {1, 0}, 32),
                              1, columns, ideal),
      64);
}

TEST(ExchangeBuffer, TheLayoutForMatrixLoadsStaysWhereItHasNoConflicts) {
  FragmentLayout rows = FragmentLayout::blocked({64, 64}, {1, 0}, 8, 32, 4);
  EXPECT_EQ(chooseExchangeBuffer({64, 64}, 1, 16, &rows, &rows),
            SharedLayout::conflictFree({64, 64}, {1, 0}, 16));
  EXPECT_EQ(chooseExchangeBuffer({128}, 0, 32, nullptr, nullptr),
            SharedLayout::conflictFree({128}, {0}, 32));
}

TEST(ExchangeBuffer, RegistersAreOrderedAlongTheBuffer) {
  EXPECT_EQ(orderRegisters(getBlocks(0), 1).toString(),
            "[64, 64], register = [4 : (0, 1), 4 : (1, 0)], lane = [16 : (4, "
            "0), 2 : (0, 4)], warp = [8 : (0, 8)]");
  EXPECT_EQ(orderRegisters(getBlocks(1), 1), getBlocks(1));
}
