//===- FragmentWarpsTest.cpp - The same tile on fewer warps ---------------===//

#include "RandomLayouts.h"

#include "tile/Layout/FragmentWarps.h"

#include <gtest/gtest.h>

using namespace tilec;
using namespace tilec::test;

TEST(FragmentWarps, WarpsTakeOverWhatOthersHold) {
  FragmentLayout tile = *FragmentLayout::get(
      {64, 32}, {{8, 1, 1}}, {{4, 1, 8}, {8, 0, 1}}, {{8, 0, 8}});
  EXPECT_EQ(foldWarps(tile, 4)->toString(),
            "[64, 32], register = [8 : (0, 1), 2 : (32, 0)], "
            "lane = [4 : (0, 8), 8 : (1, 0)], warp = [4 : (8, 0)]");
  EXPECT_EQ(*foldWarps(tile, 8), tile);
}

TEST(FragmentWarps, SaysWhatCannotBeShared) {
  FragmentLayout tile = *FragmentLayout::get({32, 3, 4}, {}, {{32, 0, 1}},
                                             {{3, 1, 1}, {4, 2, 1}});
  EXPECT_NE(foldWarps(tile, 4).reason().find("steps of 3"), std::string::npos);
  EXPECT_NE(foldWarps(tile, 5).reason().find("no divisor"), std::string::npos);
  EXPECT_TRUE(static_cast<bool>(foldWarps(tile, 3)));
}

/// What one thread holds, each element once.
static std::set<Coordinate> getSet(const FragmentLayout &layout, int64_t lane,
                                   int64_t warp) {
  std::vector<Coordinate> held = getHeld(layout, lane, warp);
  return {held.begin(), held.end()};
}

TEST(FragmentWarps, FoldsAreUnionsAndAgree) {
  Random random(71);
  int64_t folded = 0;
  for (int i = 0; i < 1000; ++i) {
    FragmentLayout layout = makeRandomLayout(random);
    int64_t all = layout.getExtent(HardwareDim::Warp);
    for (int64_t warps = 1; warps < all; ++warps) {
      auto result = foldWarps(layout, warps);
      if (!result)
        continue;
      ++folded;
      ASSERT_EQ(result->getExtent(HardwareDim::Warp), warps);
      for (int64_t lane = 0; lane < layout.getExtent(HardwareDim::Lane); ++lane)
        for (int64_t warp = 0; warp < warps; ++warp) {
          std::set<Coordinate> held;
          for (int64_t own = warp; own < all; own += warps)
            held.merge(getSet(layout, lane, own));
          ASSERT_EQ(getSet(*result, lane, warp), held) << layout.toString();
        }
      // Rows fold with the tile that they place.
      if (layout.getRank() > 1) {
        auto rows = foldWarps(layout.dropDims({1}), warps);
        ASSERT_TRUE(static_cast<bool>(rows)) << layout.toString();
        ASSERT_EQ(*rows, result->dropDims({1})) << layout.toString();
      }
    }
  }
  EXPECT_GT(folded, 100);
}

TEST(FragmentWarps, RoundsHoldWhatRegistersDid) {
  // Along the rows first: 8 of the 16 registers are two rows' elements of 4.
  FragmentLayout tile = *FragmentLayout::get(
      {32, 64}, {{4, 0, 8}, {4, 1, 16}}, {{16, 1, 1}, {2, 0, 1}}, {{4, 0, 2}});
  EXPECT_EQ(
      spreadRegisters(tile, 8, 1)->toString(),
      "[32, 64], register = [2 : (8, 0), 4 : (0, 16)], "
      "lane = [16 : (0, 1), 2 : (1, 0)], warp = [4 : (2, 0), 2 : (16, 0)]");
  EXPECT_EQ(*spreadRegisters(tile, 16, 1), tile);

  Random random(72);
  int64_t spread = 0;
  for (int i = 0; i < 1000; ++i) {
    FragmentLayout layout = makeRandomLayout(random);
    auto result = spreadRegisters(layout, 3, layout.getRank() - 1);
    if (!result)
      continue;
    int64_t warps = layout.getExtent(HardwareDim::Warp);
    ASSERT_EQ(result->getExtent(HardwareDim::Warp) % warps, 0);
    ASSERT_LE(result->getRegisterCount(), 3);
    int64_t rounds = result->getExtent(HardwareDim::Warp) / warps;
    spread += rounds > 1;
    for (int64_t lane = 0; lane < layout.getExtent(HardwareDim::Lane); ++lane)
      for (int64_t warp = 0; warp < warps; ++warp) {
        std::set<Coordinate> held;
        for (int64_t round = 0; round < rounds; ++round)
          held.merge(getSet(*result, lane, round * warps + warp));
        ASSERT_EQ(held, getSet(layout, lane, warp)) << layout.toString();
      }
  }
  EXPECT_GT(spread, 100);
}
