//===- BufferDemandTest.cpp - What accesses ask of buffers ----------------===//
//
// What is proposed for a demand meets it, and what does not is refused with the
// reason. That patterns are what the hardware reads: SharedDemandTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/BufferDemand.h"
#include "tile/Hardware/ExchangeBuffer.h"
#include "tile/Hardware/MatrixInstruction.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace tilec;

namespace {

const MatrixInstruction &getWgmma() {
  return *findMatrixInstruction(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.ss");
}

/// What the instruction asks of operand A, over dimensions `dims`.
PatternDemand getDemandOfA(std::vector<int> dims) {
  const MatrixInstruction &row = getWgmma();
  return {{row.a.sharedLayouts.begin(), row.a.sharedLayouts.end()},
          std::move(dims),
          {row.m, row.k}};
}

SharedLayout makeSwizzled(Coordinate shape, std::vector<int> order,
                          int64_t mode) {
  auto layout = SharedLayout::swizzled(shape, order, mode, 16);
  EXPECT_TRUE(layout) << layout.reason();
  return *layout;
}

// Every pattern gives a layout, the widest mode along K first; all meet the
// demand, the dense one in panels of 16 bytes too.
TEST(BufferDemand, PatternsAreRepeatedOverTheBuffer) {
  BufferDemand demand = getDemandOfA({0, 1});
  std::vector<SharedLayout> layouts = getLayouts(demand, {128, 64}, 16);
  ASSERT_EQ(layouts.size(), 8u);
  EXPECT_EQ(layouts.front(), makeSwizzled({128, 64}, {1, 0}, 128));
  EXPECT_EQ(layouts[1], makeSwizzled({128, 64}, {0, 1}, 128));
  EXPECT_EQ(layouts[6].toString(),
            "[128, 64], offset = [8 : (0, 1), 128 : (1, 0), 8 : (0, 8)]");
  for (const SharedLayout &layout : layouts)
    EXPECT_EQ(findObstacle(demand, layout), std::nullopt) << layout.toString();
}

// K is dimension 0 of the buffer, and the one before it counts slots.
TEST(BufferDemand, DimensionsAreThoseOfTheBuffer) {
  BufferDemand demand = getDemandOfA({2, 1});
  std::vector<SharedLayout> layouts = getLayouts(demand, {3, 64, 128}, 16);
  ASSERT_FALSE(layouts.empty());
  EXPECT_EQ(layouts.front(), makeSwizzled({3, 64, 128}, {1, 2, 0}, 128));
}

// Rows of 48 elements have 96 bytes: no mode of 64 or 128.
TEST(BufferDemand, ModesThatDoNotFitAreLeftOut) {
  BufferDemand demand = getDemandOfA({0, 1});
  std::vector<SharedLayout> layouts = getLayouts(demand, {64, 48}, 16);
  for (const SharedLayout &layout : layouts)
    EXPECT_EQ(findObstacle(demand, layout), std::nullopt) << layout.toString();
  EXPECT_FALSE(
      std::ranges::count(layouts, makeSwizzled({64, 48}, {1, 0}, 32)) == 0);
  // No whole number of instructions.
  EXPECT_TRUE(getLayouts(demand, {40, 64}, 16).empty());
}

TEST(BufferDemand, OtherPatternsAreRefusedWithTheReason) {
  BufferDemand demand = getDemandOfA({0, 1});
  auto dense = SharedLayout::linear({64, 64}, {1, 0}, 0, 16);
  ASSERT_TRUE(dense);
  auto obstacle = findObstacle(demand, *dense);
  ASSERT_TRUE(obstacle);
  // Of the pattern without an XOR, which the buffer has not either.
  EXPECT_NE(obstacle->find("element"), std::string::npos) << *obstacle;
  EXPECT_TRUE(
      findObstacle(demand, *SharedLayout::linear({64, 64}, {1, 0}, 0, 8)));
}

TEST(BufferDemand, GroupsLieTogether) {
  SharedLayout rows = SharedLayout::conflictFree({64, 32}, {1, 0}, 16);
  EXPECT_EQ(findObstacle(GroupDemand{1, 8}, rows), std::nullopt);
  EXPECT_EQ(findObstacle(GroupDemand{0, 1}, rows), std::nullopt);
  EXPECT_EQ(findObstacle(GroupDemand{0, 8}, rows),
            "groups of 8 elements along dimension 0 do not lie together, only "
            "of 1");
  std::vector<SharedLayout> columns =
      getLayouts(GroupDemand{0, 8}, {64, 32}, 16);
  ASSERT_EQ(columns.size(), 1u);
  EXPECT_EQ(columns.front(), SharedLayout::conflictFree({64, 32}, {0, 1}, 16));
  // 12 elements are no whole number of groups.
  EXPECT_TRUE(getLayouts(GroupDemand{0, 8}, {12, 32}, 16).empty());
}

TEST(BufferDemand, GroupsOfRegistersGoOnAlongOtherDimensions) {
  SharedLayout buffer = *SharedLayout::get({16, 32},
                                           {{2, 1, 1, 1},
                                            {4, 0, 2, 2},
                                            {2, 0, 1, 8},
                                            {16, 1, 2, 16},
                                            {2, 0, 8, 256}},
                                           Swizzle(), 16);
  FragmentLayout layout =
      *FragmentLayout::get({16, 32}, {{2, 1, 1}, {4, 0, 2}, {2, 1, 16}},
                           {{8, 1, 2}, {2, 0, 1}, {2, 0, 8}}, {});
  EXPECT_EQ(buffer.getVectorWidth(layout.getDigits(HardwareDim::Register)), 8);
  GroupDemand group(getFirstRegisters(layout, 8));
  EXPECT_EQ(group.numbering, (Digits{{2, 1, 1}, {4, 0, 2}}));
  EXPECT_EQ(findObstacle(group, buffer), std::nullopt);
  EXPECT_EQ(
      findObstacle(GroupDemand(getFirstRegisters(layout, 16)), buffer),
      "groups of 16 elements along dimension 1, then 0, then 1 do not lie "
      "together, only of 8");
  // Eight of 4 x 7 end within the second digit.
  FragmentLayout odd =
      *FragmentLayout::get({4, 7, 2}, {{4, 0, 1}, {7, 1, 1}, {2, 2, 1}},
                           {{32, Digit::replicated, 0}}, {});
  EXPECT_EQ(GroupDemand(getFirstRegisters(odd, 8)).getCount(), 4);
}

} // namespace
