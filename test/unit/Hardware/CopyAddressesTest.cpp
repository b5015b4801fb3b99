//===- CopyAddressesTest.cpp - Few addresses for a thread's copies --------===//

#include "tile/Hardware/CopyAddresses.h"

#include <gtest/gtest.h>

using namespace tilec;

namespace {

/// A tile of f16 in rows of `pitch` elements, copied 16 bytes an access.
CopiedTile getTile(Coordinate shape, int64_t pitch) {
  CopiedTile tile;
  tile.fastest = 1;
  tile.width = 8;
  tile.strides = {pitch, 1};
  tile.isMasked = {false, false};
  tile.buffer = SharedLayout::conflictFree(shape, {1, 0}, 16);
  tile.bufferDims = {0, 1};
  return tile;
}

/// Rows one behind another.
FragmentLayout getRows(const Coordinate &shape, int64_t warps) {
  return FragmentLayout::blocked(shape, {1, 0}, 8, 32, warps);
}

FragmentLayout arrange(const Coordinate &shape, int64_t warps,
                       const CopiedTile &tile) {
  return arrangeCopies(getRows(shape, warps), tile);
}

TEST(CopyAddresses, ImmediatesReach2048BytesDownAnd2047Up) {
  EXPECT_EQ(chooseCopyOrigin({0}).addresses, 1);
  EXPECT_EQ(chooseCopyOrigin({0, 2047}).bytes, 0);
  EXPECT_EQ(chooseCopyOrigin({0, 2047}).addresses, 1);
  EXPECT_EQ(chooseCopyOrigin({-2048, 2047}).addresses, 1);
  EXPECT_EQ(chooseCopyOrigin({0, 128, 2048, 2176}).bytes, 2048);
  EXPECT_EQ(chooseCopyOrigin({0, 128, 2048, 2176}).addresses, 1);
  EXPECT_EQ(chooseCopyOrigin({0, 4095}).addresses, 1);
  EXPECT_EQ(chooseCopyOrigin({0, 4096}).addresses, 2);
  EXPECT_EQ(chooseCopyOrigin({0, 4096}).bytes, 0);
}

TEST(CopyAddresses, RowsOfOneSwizzlePeriodAndBothPanelsTakeOneAddress) {
  FragmentLayout layout = arrange({64, 128}, 8, getTile({64, 128}, 128));
  EXPECT_EQ(
      layout.toString(),
      "[64, 128], register = [8 : (0, 1), 2 : (0, 64), 2 : (8, 0)], "
      "lane = [8 : (0, 8), 4 : (1, 0)], warp = [2 : (4, 0), 4 : (16, 0)]");
}

TEST(CopyAddresses, PanelsAloneWhereRowsAreFarApart) {
  FragmentLayout layout = arrange({32, 128}, 4, getTile({32, 128}, 4096));
  EXPECT_EQ(layout.toString(),
            "[32, 128], register = [8 : (0, 1), 2 : (0, 64), 2 : (16, 0)], "
            "lane = [8 : (0, 8), 4 : (1, 0)], warp = [4 : (4, 0)]");
}

TEST(CopyAddresses, RowsThatBeginWithinSectorsAreCopiedWhole) {
  FragmentLayout rows = FragmentLayout::blocked({32, 128}, {1, 0}, 4, 32, 8);
  CopiedTile even = getTile({32, 128}, 512), odd = getTile({32, 128}, 500);
  even.width = odd.width = 4;
  EXPECT_EQ(arrangeCopies(rows, even).toString(),
            "[32, 128], register = [4 : (0, 1), 2 : (0, 64), 2 : (2, 0)], "
            "lane = [16 : (0, 4), 2 : (1, 0)], warp = [8 : (4, 0)]");
  EXPECT_EQ(arrangeCopies(rows, odd).toString(),
            "[32, 128], register = [4 : (0, 1), 4 : (1, 0)], "
            "lane = [32 : (0, 4)], warp = [8 : (4, 0)]");
}

TEST(CopyAddresses, WhatTakesNoFewerStays) {
  for (Coordinate shape : {Coordinate{128, 32}, {16, 64}, {32, 64}})
    EXPECT_EQ(arrange(shape, 4, getTile(shape, 4096)), getRows(shape, 4));
}

TEST(CopyAddresses, PlacesInTheSwizzledBufferCount) {
  // Rows r, r + 2, .. take one address less than r, r + 4, .. but two more places.
  CopiedTile tile = getTile({64, 64}, 256);
  tile.width = 4;
  FragmentLayout layout = arrangeCopies(
      FragmentLayout::blocked({64, 64}, {1, 0}, tile.width, 32, 8), tile);
  EXPECT_EQ(layout.getDigits(HardwareDim::Register),
            (Digits{{4, 1, 1}, {4, 0, 4}}));
}

TEST(CopyAddresses, ComparisonsOfColumnsCount) {
  CopiedTile tile = getTile({32, 256}, 4096);
  FragmentLayout layout = arrange({32, 256}, 8, tile);
  EXPECT_EQ(layout.getDigits(HardwareDim::Lane),
            (Digits{{8, 1, 8}, {4, 0, 1}}));
  tile.isMasked = {false, true};
  layout = arrange({32, 256}, 8, tile);
  EXPECT_EQ(layout.getDigits(HardwareDim::Lane),
            (Digits{{16, 1, 8}, {2, 0, 1}}));
  // Beside many copies none are held.
  EXPECT_EQ(arrange({32, 256}, 4, tile), getRows({32, 256}, 4));
}

TEST(CopyAddresses, RowsThatAreComparedStayInOneOrder) {
  CopiedTile tile = getTile({64, 128}, 128);
  tile.isMasked = {true, false};
  FragmentLayout layout = arrange({64, 128}, 8, tile);
  EXPECT_EQ(layout.getDigits(HardwareDim::Warp), (Digits{{8, 0, 4}}))
      << layout.toString();
}

TEST(CopyAddresses, EveryElementIsCopiedOnceWithoutConflicts) {
  for (Coordinate shape :
       {Coordinate{64, 64}, {128, 128}, {96, 128}, {64, 256}})
    for (int64_t warps : {2, 4, 8})
      for (int64_t pitch : {shape[1], int64_t(1000)}) {
        CopiedTile tile = getTile(shape, pitch);
        FragmentLayout layout = arrange(shape, warps, tile);
        ASSERT_FALSE(layout.hasPadding());
        ASSERT_EQ(layout.getReplication(), 1);
        std::vector<int64_t> addresses;
        for (int64_t lane = 0; lane < 32; ++lane)
          addresses.push_back(
              tile.buffer.getByteOffset(layout.evaluate(0, lane, 0)));
        EXPECT_EQ(countWavefronts(addresses, 16), 4) << layout.toString();
      }
}

} // namespace
