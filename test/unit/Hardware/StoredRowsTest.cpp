//===- StoredRowsTest.cpp - Results in the order of rows ------------------===//

#include "tile/Hardware/StoredRows.h"
#include "tile/Hardware/ExchangeBuffer.h"

#include <gtest/gtest.h>

using namespace tilec;

namespace {

/// The result of 2 x 2 warps, each of 32 x `columns` elements, by m16n8 products.
FragmentLayout getResult(int64_t columns) {
  return *FragmentLayout::get(
      {64, 2 * columns},
      {{2, 1, 1}, {2, 0, 8}, {columns / 8, 1, 8}, {2, 0, 16}},
      {{4, 1, 2}, {8, 0, 1}}, {{2, 0, 32}, {2, 1, columns}});
}

/// Passes over the banks that accesses of `bytes` of the first warp take, above the
/// fewest.
int64_t countConflicts(const SharedLayout &buffer, const FragmentLayout &layout,
                       int64_t bytes) {
  FragmentLayout ordered = orderRegisters(layout, buffer);
  int64_t width = bytes * 8 / buffer.getElementBits();
  EXPECT_EQ(buffer.getVectorWidth(ordered.getDigits(HardwareDim::Register)) %
                width,
            0)
      << buffer.toString();
  int64_t above = 0;
  for (int64_t reg = 0; reg < ordered.getRegisterCount(); reg += width) {
    std::vector<int64_t> addresses;
    for (int64_t lane = 0; lane < 32; ++lane)
      addresses.push_back(buffer.getByteOffset(ordered.evaluate(reg, lane, 0)));
    above +=
        countWavefronts(addresses, bytes) - countIdealWavefronts(32, bytes);
  }
  return above;
}

TEST(StoredRows, LanesGiveTheirBitsBelowTheVectorForTheNextOnes) {
  auto rows = gatherNeighbours(getResult(64), 1, 8);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->toString(),
            "[64, 128], register = [8 : (0, 1), 2 : (8, 0), 2 : (0, 32), 2 : "
            "(16, 0)], lane = [4 : (0, 8), 8 : (1, 0)], warp = [2 : (32, 0), 2 "
            ": (0, 64)]");
  // What a thread has already stays, and so do rows that are too short.
  EXPECT_EQ(gatherNeighbours(getResult(64), 1, 2), getResult(64));
  EXPECT_FALSE(gatherNeighbours(getResult(16), 1, 8));
  EXPECT_FALSE(gatherNeighbours(getResult(64), 1, 6));
}

TEST(StoredRows, LongerRunsTakeLanesOfOtherRows) {
  auto rows = gatherNeighbours(getResult(64), 1, 4, 64);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->toString(),
            "[64, 128], register = [4 : (0, 1), 2 : (8, 0), 4 : (1, 0), 2 : "
            "(16, 0)], lane = [2 : (0, 8), 2 : (0, 4), 4 : (0, "
            "16), 2 : (4, 0)], warp = [2 : (32, 0), 2 : (0, 64)]");
  // Of a row the warp has 64; for more warps change theirs.
  auto all = gatherNeighbours(getResult(64), 1, 4, 128);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->toString(),
            "[64, 128], register = [4 : (0, 1), 2 : (8, 0), 4 : (1, 0), 2 : "
            "(16, 0)], lane = [2 : (0, 8), 2 : (0, 4), 8 : (0, 16)], warp = [2 "
            ": (32, 0), 2 : (4, 0)]");
  EXPECT_FALSE(gatherNeighbours(getResult(64), 1, 4, 256));
}

/// Whether neither side has bank conflicts in the bricks between them, and both move 16
/// bytes at once.
void expectIdealBricks(const FragmentLayout &written,
                       const FragmentLayout &read, int64_t bits,
                       bool areMatrices) {
  auto buffer = getBricks(written, read, bits);
  ASSERT_TRUE(buffer) << bits;
  EXPECT_EQ(buffer->getSizeBytes(), 64 * written.getShape()[1] * bits / 8);
  FragmentLayout ordered = orderRegisters(read, *buffer);
  EXPECT_EQ(holdsMatrices(*buffer, ordered), areMatrices);
  EXPECT_FALSE(holdsMatrices(*buffer, orderRegisters(written, *buffer)));
  EXPECT_EQ(countConflicts(*buffer, written, 16), 0) << buffer->toString();
  if (!areMatrices) {
    EXPECT_EQ(countConflicts(*buffer, read, 16), 0) << buffer->toString();
    return;
  }
  // Matrices: eight rows of 16 bytes each.
  for (int64_t reg = 0; reg < ordered.getRegisterCount(); reg += 32 / bits) {
    std::vector<int64_t> addresses;
    for (int64_t row = 0; row < 8; ++row)
      addresses.push_back(
          buffer->getByteOffset(ordered.evaluate(reg, 4 * row, 0)));
    EXPECT_EQ(countWavefronts(addresses, 16), 1) << buffer->toString();
  }
}

TEST(StoredRows, BricksHaveNoConflicts) {
  for (auto [bits, columns, width] :
       {std::tuple(16, 64, 8), {16, 32, 8}, {8, 128, 16}, {32, 32, 4}})
    expectIdealBricks(getResult(columns),
                      *gatherNeighbours(getResult(columns), 1, width), bits,
                      /*areMatrices=*/bits < 32);
  for (int64_t run : {4, 16, 64, 128})
    expectIdealBricks(getResult(64),
                      *gatherNeighbours(getResult(64), 1, 4, run), 16,
                      /*areMatrices=*/false);
  EXPECT_EQ(getBricks(getResult(64), *gatherNeighbours(getResult(64), 1, 8), 16)
                ->toString(),
            "[64, 128], offset = [2 : (0, 1), 4 : (0, 8), 4 : (0, 2), 8 : (1, "
            "0), 2 : (32, 0), 2 : (0, 64), 2 : (8, 0), 2 : (0, 32), 2 : (16, "
            "0)], xor = [2, 4, 3]");
  // Nothing in common but single elements of a byte.
  EXPECT_FALSE(getBricks(FragmentLayout::blocked({32, 64}, {1, 0}, 2, 32, 2),
                         FragmentLayout::blocked({32, 64}, {0, 1}, 2, 32, 2),
                         8));
}

} // namespace
