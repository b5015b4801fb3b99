//===- BlockedLayoutTest.cpp - The default layouts ------------------------===//
//
// `blocked` exists for every shape and thread count, never wastes registers
// that another distribution of lanes and warps would save, and gives the
// layouts one expects where there is an obvious one.
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace tilec;
using namespace tilec::test;

static std::string getBlocked(Coordinate shape, int64_t vectorWidth,
                              int64_t lanes, int64_t warps) {
  std::vector<int> order(shape.size());
  std::iota(order.rbegin(), order.rend(), 0);
  return FragmentLayout::blocked(shape, order, vectorWidth, lanes, warps)
      .toString();
}

TEST(BlockedLayout, FoundingCaseHasFourRegistersAThread) {
  for (int64_t vectorWidth : {1, 2, 4, 8}) {
    FragmentLayout layout =
        FragmentLayout::blocked({128, 4}, {1, 0}, vectorWidth, 32, 4);
    EXPECT_EQ(layout.getRegisterCount(), 4) << layout.toString();
    EXPECT_EQ(layout.getReplication(), 1);
  }
  EXPECT_EQ(getBlocked({128, 4}, 1, 32, 4),
            "[128, 4], register = [4 : (32, 0)], "
            "lane = [4 : (0, 1), 8 : (1, 0)], warp = [4 : (8, 0)]");
}

TEST(BlockedLayout, KnownTiles) {
  EXPECT_EQ(getBlocked({128, 128}, 8, 32, 4),
            "[128, 128], register = [8 : (0, 1), 16 : (8, 0)], "
            "lane = [16 : (0, 8), 2 : (1, 0)], warp = [4 : (2, 0)]");
  EXPECT_EQ(getBlocked({32, 4096}, 8, 32, 8),
            "[32, 4096], register = [8 : (0, 1), 2 : (0, 2048), 32 : (1, 0)], "
            "lane = [32 : (0, 8)], warp = [8 : (0, 256)]");
  // 960 vectors over 128 threads: nine each, as 80 = 10 vectors is odd twice.
  EXPECT_EQ(getBlocked({96, 80}, 8, 32, 4),
            "[96, 80], register = [8 : (0, 1), 3 : (0, 32), 3 : (32, 0)], "
            "lane = [2 : (0, 8), 16 : (1, 0)], "
            "warp = [2 : (0, 16), 2 : (16, 0)]");
  EXPECT_EQ(getBlocked({128}, 1, 32, 3),
            "[128], register = [2 : (96)], lane = [32 : (1)], "
            "warp = [3 : (32)]");
  EXPECT_EQ(getBlocked({8}, 1, 32, 5),
            "[8], register = [], lane = [8 : (1), 4 : (0)], warp = [5 : (0)]");
  EXPECT_EQ(getBlocked({}, 8, 32, 6),
            "[], register = [], lane = [32 : ()], warp = [6 : ()]");
  EXPECT_EQ(FragmentLayout::blocked({64, 32}, {0, 1}, 4, 32, 1).toString(),
            "[64, 32], register = [4 : (1, 0), 16 : (0, 2)], "
            "lane = [16 : (4, 0), 2 : (0, 1)], warp = []");
}

TEST(BlockedLayout, VectorWidthIsReducedToADivisor) {
  FragmentLayout layout = FragmentLayout::blocked({4, 12}, {1, 0}, 8, 32, 1);
  EXPECT_EQ(layout.getVectorWidth(1), 4);
  EXPECT_EQ(FragmentLayout::blocked({7}, {0}, 4, 32, 1).getVectorWidth(0), 1);
}

TEST(BlockedLayout, ReplicatedHoldsEverythingEverywhere) {
  FragmentLayout layout = FragmentLayout::replicated({5, 7}, 32, 3);
  EXPECT_EQ(layout.getReplication(), 96);
  for (int64_t i = 0; i < 35; ++i)
    EXPECT_EQ(layout.evaluate(i, 31, 2), (Coordinate{i / 7, i % 7}));
}

// Laws -----------------------------------------------------------------------

/// The fewest registers any distribution reaches, by trying all of them.
static int64_t getFewest(std::vector<int64_t> extents, int64_t lanes,
                         int64_t warps) {
  if (extents.empty())
    return 1;
  int64_t extent = extents.back(), fewest = extent * 1000000;
  extents.pop_back();
  for (int64_t l = 1; l <= lanes; ++l)
    for (int64_t w = 1; w <= warps; ++w) {
      if (lanes % l != 0 || warps % w != 0 || (l > extent && w > 1))
        continue;
      int64_t here = (extent + l * w - 1) / (l * w);
      fewest =
          std::min(fewest, here * getFewest(extents, lanes / l, warps / w));
    }
  return fewest;
}

TEST(BlockedLayout, ExistsAndIsTightForEveryShapeAndThreadCount) {
  Random random(11);
  for (int i = 0; i < 4000; ++i) {
    Coordinate shape(random.get(0, 3));
    for (int64_t &extent : shape)
      extent = random.flip() ? random.get(1, 40)
                             : random.pick<int64_t>({48, 64, 80, 96, 128});
    std::vector<int> order(shape.size());
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(order);
    int64_t vectorWidth = int64_t(1) << random.get(0, 3);
    int64_t lanes = int64_t(1) << random.get(0, 6);
    int64_t warps = random.get(1, 32);
    FragmentLayout layout =
        FragmentLayout::blocked(shape, order, vectorWidth, lanes, warps);
    ASSERT_EQ(layout.getShape(), shape);
    ASSERT_EQ(layout.getExtent(HardwareDim::Lane), lanes);
    ASSERT_EQ(layout.getExtent(HardwareDim::Warp), warps);

    std::vector<int64_t> extents;
    int64_t vector = 1;
    for (int dim : order)
      extents.push_back(shape[dim]);
    if (!order.empty()) {
      vector = std::gcd(extents[0], vectorWidth);
      extents[0] /= vector;
      ASSERT_GE(layout.getVectorWidth(order[0]), vector);
    }
    ASSERT_EQ(layout.getRegisterCount(),
              vector * getFewest(extents, lanes, warps))
        << layout.toString();
  }
}

TEST(BlockedLayout, AsManyLanesGoAlongAsAreAskedFor) {
  EXPECT_EQ(FragmentLayout::blocked({64, 65}, {1, 0}, 1, 32, 4).toString(),
            "[64, 65], register = [33 : (0, 2)], lane = [32 : (1, 0)], "
            "warp = [2 : (0, 1), 2 : (32, 0)]");
  EXPECT_EQ(FragmentLayout::blocked({64, 65}, {1, 0}, 1, 32, 4, 8).toString(),
            "[64, 65], register = [9 : (0, 8), 4 : (16, 0)], "
            "lane = [8 : (0, 1), 4 : (1, 0)], warp = [4 : (4, 0)]");
}

TEST(BlockedLayout, HighRanksAreCheap) {
  FragmentLayout layout =
      FragmentLayout::blocked({2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                              {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, 4, 32, 30);
  EXPECT_EQ(layout.getExtent(HardwareDim::Lane), 32);
  EXPECT_EQ(layout.getExtent(HardwareDim::Warp), 30);
}
