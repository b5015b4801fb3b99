//===- FragmentDeriveTest.cpp - dropDims, transpose, tile and divide ------===//
//
// Derived layouts against enumeration of what each thread holds.
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace tilec;
using namespace tilec::test;

// dropDims and transpose -----------------------------------------------------

TEST(FragmentDerive, RowSumsOfTheAccumulator) {
  FragmentLayout accumulator = *FragmentLayout::get(
      {16, 8}, {{2, 1, 1}, {2, 0, 8}}, {{4, 1, 2}, {8, 0, 1}}, {});
  EXPECT_EQ(accumulator.dropDims({1}).toString(),
            "[16], register = [2 : (8)], lane = [4 : (0), 8 : (1)], warp = []");
  EXPECT_EQ(accumulator.dropDims({0, 1}).toString(),
            "[], register = [], lane = [32 : ()], warp = []");
  EXPECT_EQ(accumulator.transpose({1, 0}).toString(),
            "[8, 16], register = [2 : (1, 0), 2 : (0, 8)], "
            "lane = [4 : (2, 0), 8 : (0, 1)], warp = []");
}

TEST(FragmentDerive, DropDimsProjectsWhatAThreadHolds) {
  Random random(21);
  for (int i = 0; i < 3000; ++i) {
    FragmentLayout layout = makeRandomLayout(random);
    std::vector<int> dropped;
    for (int dim = 0; dim < layout.getRank(); ++dim)
      if (random.flip())
        dropped.push_back(dim);
    FragmentLayout result = layout.dropDims(dropped);
    // The coordinates of box positions, as the projection keeps padding.
    for (int64_t w = 0; w < layout.getExtent(HardwareDim::Warp); ++w)
      for (int64_t l = 0; l < layout.getExtent(HardwareDim::Lane); ++l) {
        std::vector<Coordinate> projected;
        std::set<Coordinate> seen;
        for (int64_t r = 0; r < layout.getRegisterCount(); ++r) {
          Coordinate at = layout.evaluate(r, l, w);
          for (auto dim = dropped.rbegin(); dim != dropped.rend(); ++dim)
            at.erase(at.begin() + *dim);
          if (seen.insert(at).second)
            projected.push_back(at);
        }
        ASSERT_EQ(result.getRegisterCount(),
                  static_cast<int64_t>(projected.size()));
        for (size_t r = 0; r < projected.size(); ++r)
          ASSERT_EQ(result.evaluate(static_cast<int64_t>(r), l, w),
                    projected[r]);
      }
  }
}

TEST(FragmentDerive, TransposePermutesCoordinates) {
  Random random(22);
  for (int i = 0; i < 2000; ++i) {
    FragmentLayout layout = makeRandomLayout(random);
    std::vector<int> permutation(layout.getRank());
    std::iota(permutation.begin(), permutation.end(), 0);
    random.shuffle(permutation);
    FragmentLayout result = layout.transpose(permutation);
    std::vector<int> inverse(permutation.size());
    for (size_t j = 0; j < permutation.size(); ++j) {
      inverse[permutation[j]] = static_cast<int>(j);
      ASSERT_EQ(result.getShape()[j], layout.getShape()[permutation[j]]);
    }
    forAllPositions(layout, [&](int64_t r, int64_t l, int64_t w) {
      Coordinate from = layout.evaluate(r, l, w);
      Coordinate to = result.evaluate(r, l, w);
      for (size_t j = 0; j < permutation.size(); ++j)
        ASSERT_EQ(to[j], from[permutation[j]]);
    });
    ASSERT_EQ(result.transpose(inverse), layout);
  }
}

// tile and divide ------------------------------------------------------------

TEST(FragmentTile, RepeatsAnAtomInTheOrderOfTheList) {
  FragmentLayout atom = *FragmentLayout::get({16, 8}, {{2, 1, 1}, {2, 0, 8}},
                                             {{4, 1, 2}, {8, 0, 1}}, {});
  FragmentLayout layout = *FragmentLayout::tile(atom, {64, 32},
                                                {{HardwareDim::Register, 1, 2},
                                                 {HardwareDim::Warp, 1, 2},
                                                 {HardwareDim::Warp, 0, 4}});
  EXPECT_EQ(layout.toString(),
            "[64, 32], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], "
            "lane = [4 : (0, 2), 8 : (1, 0)], "
            "warp = [2 : (0, 16), 4 : (16, 0)]");
  EXPECT_EQ(FragmentLayout::tile(atom, {64, 32}, {{HardwareDim::Warp, 0, 4}})
                .reason(),
            "the digits in dimension 1 cover 8 of 32");
  EXPECT_EQ(FragmentLayout::tile(atom, {64}, {}).reason(),
            "an atom of rank 2 cannot tile a shape of rank 1");
  EXPECT_FALSE(
      FragmentLayout::tile(atom, {16, 8}, {{HardwareDim::Register, -1, 2}}));
  EXPECT_FALSE(
      FragmentLayout::tile(atom, {16, 8}, {{HardwareDim::Warp, 2, 2}}));
  // Padding: 8 rows of an atom of 16.
  EXPECT_TRUE(FragmentLayout::tile(atom, {8, 8}, {}));
  EXPECT_FALSE(FragmentLayout::tile(atom, {4, 8}, {}));
}

/// An unpadded atom, a list of repetitions and the shape they cover.
struct RandomTiling {
  FragmentLayout atom;
  Coordinate shape;
  std::vector<FragmentLayout::Outer> outer;
};

static RandomTiling makeRandomTiling(Random &random) {
  RandomOptions options;
  options.minRank = 1;
  options.maxExtent = 4;
  options.padding = false;
  RandomTiling tiling = {makeRandomLayout(random, options), {}, {}};
  tiling.shape = tiling.atom.getShape();
  int rank = tiling.atom.getRank();
  std::vector<int> padded;
  for (int64_t j = random.get(0, 4); j > 0; --j) {
    HardwareDim where = static_cast<HardwareDim>(random.get(0, 2));
    int dim = static_cast<int>(random.get(0, rank - 1));
    if (where != HardwareDim::Register && random.get(0, 4) == 0)
      dim = Digit::replicated;
    int64_t extent = random.get(1, 3);
    tiling.outer.push_back({where, dim, extent});
    if (dim != Digit::replicated)
      tiling.shape[dim] *= extent;
  }
  return tiling;
}

TEST(FragmentTile, EachAtomOfTheTileIsTheAtomShifted) {
  Random random(23);
  for (int i = 0; i < 2000; ++i) {
    RandomTiling tiling = makeRandomTiling(random);
    const FragmentLayout &atom = tiling.atom;
    FragmentLayout layout =
        *FragmentLayout::tile(atom, tiling.shape, tiling.outer);
    std::array<int64_t, 3> inner;
    for (int j = 0; j < 3; ++j)
      inner[j] = atom.getExtent(static_cast<HardwareDim>(j));
    Coordinate box = atom.getBox();
    forAllPositions(layout, [&](int64_t r, int64_t l, int64_t w) {
      Coordinate want = atom.evaluate(r % inner[0], l % inner[1], w % inner[2]);
      std::array<int64_t, 3> rest = {r / inner[0], l / inner[1], w / inner[2]};
      Coordinate unit = box;
      for (const FragmentLayout::Outer &entry : tiling.outer) {
        int64_t &position = rest[static_cast<int>(entry.where)];
        if (entry.dim != Digit::replicated) {
          want[entry.dim] += position % entry.extent * unit[entry.dim];
          unit[entry.dim] *= entry.extent;
        }
        position /= entry.extent;
      }
      ASSERT_EQ(layout.evaluate(r, l, w), want);
    });
  }
}

TEST(FragmentDivide, UndoesTile) {
  Random random(24);
  for (int i = 0; i < 5000; ++i) {
    RandomTiling tiling = makeRandomTiling(random);
    // Shrink the shape so that some tiles are padded in their last digit.
    FragmentLayout layout =
        *FragmentLayout::tile(tiling.atom, tiling.shape, tiling.outer);
    Coordinate smaller = tiling.shape;
    for (int64_t &extent : smaller)
      extent -= random.get(0, 1);
    if (auto padded = FragmentLayout::tile(tiling.atom, smaller, tiling.outer))
      layout = *padded;
    auto outer = layout.divide(tiling.atom);
    ASSERT_TRUE(outer) << outer.reason();
    auto again = FragmentLayout::tile(tiling.atom, layout.getShape(), *outer);
    ASSERT_TRUE(again) << again.reason();
    ASSERT_EQ(*again, layout);
  }
}

TEST(FragmentDivide, SucceedsOnlyIfTileGivesTheLayout) {
  Random random(25);
  int divided = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    RandomOptions options;
    options.maxRank = 2;
    FragmentLayout layout = makeRandomLayout(random, options);
    options.minRank = options.maxRank = layout.getRank();
    options.maxExtent = 3;
    options.replication = false;
    FragmentLayout atom = makeRandomLayout(random, options);
    auto outer = layout.divide(atom);
    ++(outer ? divided : refused);
    if (outer) {
      auto again = FragmentLayout::tile(atom, layout.getShape(), *outer);
      ASSERT_TRUE(again) << again.reason();
      ASSERT_EQ(*again, layout);
    } else {
      ASSERT_FALSE(outer.reason().empty());
    }
  }
  EXPECT_GT(divided, 500);
  EXPECT_GT(refused, 500);
}

TEST(FragmentDivide, RefusesWithBothLayouts) {
  FragmentLayout atom = *FragmentLayout::get({8}, {}, {{8, 0, 1}}, {});
  FragmentLayout other =
      *FragmentLayout::get({16}, {{2, 0, 1}}, {{8, 0, 2}}, {});
  EXPECT_EQ(other.divide(atom).reason(),
            "the atom [8], register = [], lane = [8 : (1)], warp = [] is not "
            "the innermost part of [16], register = [2 : (1)], "
            "lane = [8 : (2)], warp = []");
  // Registers in an order that no list of repetitions gives.
  FragmentLayout crossed =
      *FragmentLayout::get({8, 4}, {{2, 1, 2}, {2, 1, 1}}, {{8, 0, 1}}, {});
  FragmentLayout row = *FragmentLayout::get({8, 1}, {}, {{8, 0, 1}}, {});
  EXPECT_FALSE(crossed.divide(row));
}
