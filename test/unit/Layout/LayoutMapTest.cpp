//===- LayoutMapTest.cpp - How one layout follows from another ------------===//
//
// Each map against what it says of elements: which thread holds the element of
// the result that an element of the source becomes.
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/LayoutMap.h"

#include <gtest/gtest.h>

using namespace tilec;

namespace {

const FragmentLayout layout =
    FragmentLayout::blocked({8, 16}, {1, 0}, 2, 32, 2);

/// Calls `check` with every position and the coordinate it holds.
template <typename Check>
void forEachPosition(const FragmentLayout &layout, Check check) {
  for (int64_t warp = 0; warp < layout.getExtent(HardwareDim::Warp); ++warp)
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg)
        check(HardwarePosition{reg, lane, warp},
              layout.evaluate(reg, lane, warp));
}

/// Whether some register of the thread at `at` holds `coordinate`.
bool holds(const FragmentLayout &layout, const HardwarePosition &at,
           const Coordinate &coordinate) {
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg)
    if (layout.evaluate(reg, at.lane, at.warp) == coordinate)
      return true;
  return false;
}

TEST(LayoutMap, IdentityGivesTheLayout) {
  EXPECT_TRUE(LayoutMap().isIdentity());
  EXPECT_EQ(*LayoutMap().apply(layout), layout);
}

TEST(LayoutMap, PermutedElementsStayInTheirThread) {
  FragmentLayout result = *LayoutMap::permute({1, 0}).apply(layout);
  forEachPosition(layout, [&](HardwarePosition at, const Coordinate &c) {
    EXPECT_TRUE(holds(result, at, {c[1], c[0]}));
  });
}

TEST(LayoutMap, DroppedDimensionsReplicate) {
  FragmentLayout result = *LayoutMap::dropDims({1}).apply(layout);
  forEachPosition(layout, [&](HardwarePosition at, const Coordinate &c) {
    EXPECT_TRUE(holds(result, at, {c[0]}));
  });
  EXPECT_TRUE(LayoutMap::dropDims({1}).drops(1));
  EXPECT_FALSE(LayoutMap::dropDims({0, 1}).drops(1));
  EXPECT_FALSE(LayoutMap::permute({1, 0}).drops(1));
}

TEST(LayoutMap, ProjectionReadsAtVariables) {
  FragmentLayout result = *LayoutMap::project({1, 0}).apply(layout);
  forEachPosition(layout, [&](HardwarePosition at, const Coordinate &c) {
    EXPECT_TRUE(holds(result, at, {c[1], c[0]}));
  });
  EXPECT_EQ(*LayoutMap::project({0}).apply(layout),
            *LayoutMap::dropDims({1}).apply(layout));
}

TEST(LayoutMap, ReshapeKeepsRowMajorOrder) {
  FragmentLayout result = *LayoutMap::reshape({128}).apply(layout);
  forEachPosition(layout, [&](HardwarePosition at, const Coordinate &c) {
    EXPECT_TRUE(holds(result, at, {c[0] * 16 + c[1]}));
  });
}

TEST(LayoutMap, SlicesAreWholeRegistersOrFail) {
  // 8 x 16 elements over 64 threads: two a thread, side by side.
  FragmentLayout wide = FragmentLayout::replicated({8, 16}, 32, 2);
  FragmentLayout part = *LayoutMap::slice({2, 0}, {1, 16}, {16}).apply(wide);
  EXPECT_EQ(part.getShape(), (Coordinate{16}));
  EXPECT_FALSE(LayoutMap::slice({2, 0}, {1, 16}, {16}).apply(layout));
  EXPECT_FALSE(LayoutMap::ifSliceable({2, 0}, {1, 16}, {16}).apply(layout));
  EXPECT_EQ(*LayoutMap::ifSliceable({2, 0}, {1, 16}, {16}).apply(wide), wide);
}

TEST(LayoutMap, RecastGoesThereAndBack) {
  FragmentLayout bytes = *LayoutMap::recast(16, 8).apply(layout);
  EXPECT_EQ(bytes.getShape(), (Coordinate{8, 32}));
  EXPECT_EQ(*LayoutMap::recast(8, 16).apply(bytes), layout);
  forEachPosition(layout, [&](HardwarePosition at, const Coordinate &c) {
    EXPECT_TRUE(holds(bytes, at, {c[0], 2 * c[1]}));
    EXPECT_TRUE(holds(bytes, at, {c[0], 2 * c[1] + 1}));
  });
  // One element a thread: the halves of a wider one are in two threads.
  FragmentLayout single = FragmentLayout::blocked({64}, {0}, 1, 32, 2);
  EXPECT_FALSE(LayoutMap::recast(8, 16).apply(single));
}

TEST(LayoutMap, IsWrittenAsTheHeaderSays) {
  EXPECT_EQ(LayoutMap().toString(), "identity");
  EXPECT_EQ(LayoutMap::dropDims({1}).toString(), "drop dims [1]");
  EXPECT_EQ(LayoutMap::permute({1, 0}).toString(), "permute [1, 0]");
  EXPECT_EQ(LayoutMap::project({0}).toString(), "project [0]");
  EXPECT_EQ(LayoutMap::reshape({8, 4}).toString(), "reshape [8, 4]");
  EXPECT_EQ(LayoutMap::slice({0, 4}, {8, 4}, {8, 4}).toString(),
            "slice [0, 4] [8, 4]");
  EXPECT_EQ(LayoutMap::ifSliceable({0, 4}, {8, 4}, {8, 4}).toString(),
            "if sliceable [0, 4] [8, 4]");
  EXPECT_EQ(LayoutMap::recast(8, 16).toString(), "recast 8 to 16 bits");
}

} // namespace
