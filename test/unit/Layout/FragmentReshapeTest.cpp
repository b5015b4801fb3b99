//===- FragmentReshapeTest.cpp - The derived layouts that can fail --------===//
//
// A reshape or slice that succeeds holds the same elements in the same threads;
// one that fails has no answer in digits, which an independent search confirms.
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace tilec;
using namespace tilec::test;

static Coordinate delinearize(int64_t index, const Coordinate &shape) {
  Coordinate coordinate(shape.size(), 0);
  for (size_t dim = shape.size(); dim-- > 0;) {
    coordinate[dim] = index % shape[dim];
    index /= shape[dim];
  }
  return coordinate;
}

/// Another shape with as many elements: neighbours joined, extents split.
static Coordinate makeReshape(Random &random, Coordinate shape) {
  for (int64_t j = random.get(1, 3); j > 0; --j) {
    if (random.flip() && shape.size() > 1) {
      size_t dim = random.get(0, static_cast<int64_t>(shape.size()) - 2);
      shape[dim] *= shape[dim + 1];
      shape.erase(shape.begin() + dim + 1);
    } else if (!shape.empty()) {
      size_t dim = random.get(0, static_cast<int64_t>(shape.size()) - 1);
      std::vector<int64_t> divisors;
      for (int64_t divisor = 1; divisor <= shape[dim]; ++divisor)
        if (shape[dim] % divisor == 0)
          divisors.push_back(divisor);
      int64_t inner = random.pick(divisors);
      shape[dim] /= inner;
      shape.insert(shape.begin() + dim + 1, inner);
    }
  }
  return shape;
}

TEST(FragmentReshape, KnownCases) {
  FragmentLayout lanes = *FragmentLayout::get({32}, {}, {{32, 0, 1}}, {});
  EXPECT_EQ(lanes.reshape({8, 4})->toString(),
            "[8, 4], register = [], lane = [4 : (0, 1), 8 : (1, 0)], "
            "warp = []");
  EXPECT_EQ(*lanes.reshape({8, 4})->reshape({32}), lanes);
  FragmentLayout twelve =
      *FragmentLayout::get({12}, {}, {{6, 0, 1}}, {{2, 0, 6}});
  EXPECT_EQ(twelve.reshape({3, 4}).reason(),
            "a digit of extent 6 at row-major step 1 straddles the boundary of "
            "dimension 1 at 4");
  EXPECT_EQ(twelve.reshape({2, 6})->toString(),
            "[2, 6], register = [], lane = [6 : (0, 1)], warp = [2 : (1, 0)]");
  EXPECT_EQ(twelve.reshape({13}).reason(),
            "[12] and [13] have different numbers of elements");
}

TEST(FragmentReshape, PaddingStaysOutermost) {
  // Three of four lanes: the unit dimension does not take the padding.
  FragmentLayout three = *FragmentLayout::get({3}, {}, {{4, 0, 1}}, {});
  EXPECT_EQ(three.reshape({1, 3})->toString(),
            "[1, 3], register = [], lane = [4 : (0, 1)], warp = []");
  EXPECT_EQ(three.reshape({3, 1})->toString(),
            "[3, 1], register = [], lane = [4 : (1, 0)], warp = []");
  FragmentLayout rows =
      *FragmentLayout::get({5, 4}, {{2, 0, 4}}, {{4, 1, 1}, {4, 0, 1}}, {});
  EXPECT_EQ(rows.reshape({20})->toString(),
            "[20], register = [2 : (16)], lane = [16 : (1)], warp = []");
  EXPECT_EQ(*rows.reshape({20})->reshape({5, 4}), rows);
  FragmentLayout columns =
      *FragmentLayout::get({4, 5}, {{2, 1, 4}}, {{4, 1, 1}, {4, 0, 1}}, {});
  EXPECT_EQ(columns.reshape({20}).reason(),
            "dimension 1 is padded from 5 to 8, and the padding would move");
  // But a group of its own keeps its padding.
  EXPECT_TRUE(columns.reshape({2, 2, 5}));
}

TEST(FragmentReshape, RanksOfZero) {
  FragmentLayout scalar = FragmentLayout::replicated({}, 32, 2);
  EXPECT_EQ(scalar.reshape({1, 1})->toString(),
            "[1, 1], register = [], lane = [32 : (0, 0)], warp = [2 : (0, 0)]");
  EXPECT_EQ(*scalar.reshape({1})->reshape({}), scalar);
  FragmentLayout padded = *FragmentLayout::get({1}, {}, {{2, 0, 1}}, {});
  EXPECT_FALSE(padded.reshape({}));
}

TEST(FragmentReshape, KeepsElementsWhereTheyAre) {
  Random random(31);
  int kept = 0, padded = 0;
  for (int i = 0; i < 10000; ++i) {
    FragmentLayout layout = makeRandomLayout(random);
    Coordinate shape = makeReshape(random, layout.getShape());
    auto result = layout.reshape(shape);
    if (!result) {
      ASSERT_FALSE(result.reason().empty());
      continue;
    }
    ASSERT_EQ(result->getShape(), shape);
    ++kept;
    padded += layout.hasPadding();
    forAllPositions(layout, [&](int64_t r, int64_t l, int64_t w) {
      Coordinate from = layout.evaluate(r, l, w);
      Coordinate to = result->evaluate(r, l, w);
      ASSERT_EQ(layout.isInShape(from), result->isInShape(to));
      if (layout.isInShape(from)) {
        ASSERT_EQ(linearize(from, layout.getShape()), linearize(to, shape));
      }
    });
  }
  EXPECT_GT(kept, 2000);
  EXPECT_GT(padded, 500);
}

TEST(FragmentReshape, FailsOnlyWhereNoDigitsFit) {
  Random random(32);
  int kept = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    RandomOptions options;
    options.padding = false;
    FragmentLayout layout = makeRandomLayout(random, options);
    Coordinate shape = makeReshape(random, layout.getShape());
    auto renamed = [&](int64_t r, int64_t l, int64_t w) {
      return delinearize(linearize(layout.evaluate(r, l, w), layout.getShape()),
                         shape);
    };
    bool fits = true;
    for (int where = 0; where < 3; ++where) {
      std::vector<Coordinate> table;
      int64_t count = layout.getExtent(static_cast<HardwareDim>(where));
      for (int64_t at = 0; at < count; ++at)
        table.push_back(renamed(where == 0 ? at : 0, where == 1 ? at : 0,
                                where == 2 ? at : 0));
      fits &= isDigitList(table);
    }
    // The three must add without carrying, too.
    if (fits)
      forAllPositions(layout, [&](int64_t r, int64_t l, int64_t w) {
        Coordinate sum = renamed(r, l, w), a = renamed(r, 0, 0),
                   b = renamed(0, l, 0), c = renamed(0, 0, w);
        for (size_t dim = 0; dim < shape.size(); ++dim)
          fits &= sum[dim] == a[dim] + b[dim] + c[dim];
      });
    auto result = layout.reshape(shape);
    ASSERT_EQ(static_cast<bool>(result), fits)
        << layout.toString() << ": " << result.reason();
    ++(fits ? kept : refused);
  }
  EXPECT_GT(kept, 1000);
  EXPECT_GT(refused, 500);
}

// Slices ---------------------------------------------------------------------

TEST(FragmentSlice, KnownCases) {
  FragmentLayout layout = FragmentLayout::blocked({128, 64}, {1, 0}, 4, 32, 4);
  EXPECT_EQ(layout.toString(),
            "[128, 64], register = [4 : (0, 1), 16 : (8, 0)], "
            "lane = [16 : (0, 4), 2 : (1, 0)], warp = [4 : (2, 0)]");
  EXPECT_EQ(layout.slice({32, 0}, {64, 64})->toString(),
            "[64, 64], register = [4 : (0, 1), 8 : (8, 0)], "
            "lane = [16 : (0, 4), 2 : (1, 0)], warp = [4 : (2, 0)]");
  EXPECT_EQ(layout.slice({0, 32}, {128, 32}).reason(),
            "lanes and warps hold dimension 1 in blocks of 64, which the part "
            "at offset 32 of size 32 cuts");
  EXPECT_EQ(layout.slice({120, 0}, {16, 64}).reason(),
            "the part of dimension 0 at offset 120 of size 16 is not inside "
            "the extent, 128");
  EXPECT_EQ(*layout.slice({0, 0}, {128, 64}), layout);
  EXPECT_EQ(layout.slice({112, 0}, {16, 60})->toString(),
            "[16, 60], register = [4 : (0, 1), 2 : (8, 0)], "
            "lane = [16 : (0, 4), 2 : (1, 0)], warp = [4 : (2, 0)]");
}

struct RandomPart {
  Coordinate offsets, sizes;
  bool includes(const Coordinate &at) const {
    for (size_t dim = 0; dim < at.size(); ++dim)
      if (at[dim] < offsets[dim] || at[dim] >= offsets[dim] + sizes[dim])
        return false;
    return true;
  }
};

static RandomPart makePart(Random &random, const Coordinate &shape) {
  RandomPart part;
  for (int64_t extent : shape) {
    int64_t offset = random.flip() ? 0 : random.get(0, extent - 1);
    part.offsets.push_back(offset);
    part.sizes.push_back(random.flip() ? extent - offset
                                       : random.get(1, extent - offset));
  }
  return part;
}

static Coordinate getEnd(const RandomPart &part) {
  Coordinate end = part.offsets;
  for (size_t dim = 0; dim < end.size(); ++dim)
    end[dim] += part.sizes[dim];
  return end;
}

/// Where the part ends, or the shape if it begins with one and ends in the last of the blocks
/// that lanes and warps share out: what lies behind it there is padding of the part.
static Coordinate getPaddedEnd(const FragmentLayout &layout,
                               const RandomPart &part) {
  Coordinate end;
  for (int dim = 0; dim < layout.getRank(); ++dim) {
    int64_t step = 1, shape = layout.getShape()[dim];
    for (HardwareDim where : {HardwareDim::Lane, HardwareDim::Warp})
      for (const Digit &digit : layout.getDigits(where))
        if (digit.dim == dim)
          step = std::max(step, digit.step * digit.extent);
    int64_t stop = getEnd(part)[dim];
    bool endsInLast = part.offsets[dim] % step == 0 &&
                      (stop - 1) / step == (shape - 1) / step;
    end.push_back(endsInLast ? shape : stop);
  }
  return end;
}

/// Registers with elements inside the part, and whether each of them has none
/// outside in any thread but padding of the part.
static std::vector<int64_t> getWholeRegisters(const FragmentLayout &layout,
                                              const RandomPart &part,
                                              bool &areWhole) {
  std::set<int64_t> inside, outside;
  RandomPart padded = part;
  Coordinate end = getPaddedEnd(layout, part);
  for (size_t dim = 0; dim < end.size(); ++dim)
    padded.sizes[dim] = end[dim] - part.offsets[dim];
  forAllPositions(layout, [&](int64_t r, int64_t l, int64_t w) {
    Coordinate at = layout.evaluate(r, l, w);
    if (part.includes(at))
      inside.insert(r);
    else if (layout.isInShape(at) && !padded.includes(at))
      outside.insert(r);
  });
  areWhole = true;
  for (int64_t r : inside)
    areWhole &= outside.count(r) == 0;
  return {inside.begin(), inside.end()};
}

TEST(FragmentSlice, HoldsThePartInTheSameThreads) {
  Random random(33);
  int kept = 0, padded = 0;
  for (int i = 0; i < 20000; ++i) {
    FragmentLayout layout = makeRandomLayout(random);
    ASSERT_EQ(*layout.slice(Coordinate(layout.getRank(), 0), layout.getShape()),
              layout);
    RandomPart part = makePart(random, layout.getShape());
    auto result = layout.slice(part.offsets, part.sizes);
    bool areWhole;
    getWholeRegisters(layout, part, areWhole);
    if (!result) {
      ASSERT_FALSE(result.reason().empty());
      continue;
    }
    ASSERT_TRUE(areWhole) << layout.toString();
    ++kept;
    padded += layout.hasPadding() && *result != layout;
    for (int64_t w = 0; w < layout.getExtent(HardwareDim::Warp); ++w)
      for (int64_t l = 0; l < layout.getExtent(HardwareDim::Lane); ++l) {
        std::vector<Coordinate> want, have = getHeld(*result, l, w);
        for (Coordinate at : getHeld(layout, l, w))
          if (part.includes(at)) {
            for (size_t dim = 0; dim < at.size(); ++dim)
              at[dim] -= part.offsets[dim];
            want.push_back(at);
          }
        std::sort(have.begin(), have.end());
        std::sort(want.begin(), want.end());
        ASSERT_EQ(have, want);
      }
  }
  EXPECT_GT(kept, 3000);
  EXPECT_GT(padded, 200);
}

TEST(FragmentSlice, FailsOnlyWhereNoDigitsFit) {
  Random random(34);
  int kept = 0, refused = 0, sorted = 0;
  for (int i = 0; i < 20000; ++i) {
    RandomOptions options;
    options.padding = false;
    options.maxRank = 2;
    FragmentLayout layout = makeRandomLayout(random, options);
    RandomPart part = makePart(random, layout.getShape());
    bool fits;
    std::vector<Coordinate> table;
    for (int64_t r : getWholeRegisters(layout, part, fits)) {
      table.push_back(layout.evaluate(r, 0, 0));
      for (size_t dim = 0; dim < part.offsets.size(); ++dim)
        table.back()[dim] -= part.offsets[dim];
    }
    // In their old order if they count so, else in that of the elements.
    bool keepsOrder = isDigitList(table);
    if (!keepsOrder)
      std::sort(table.begin(), table.end());
    fits = fits && isDigitList(table);
    auto result = layout.slice(part.offsets, part.sizes);
    // A digit other than the last reaches behind a part that ends inside of its block.
    if (!result && fits && getPaddedEnd(layout, part) != getEnd(part)) {
      ASSERT_NE(result.reason().find("only the last digit"), std::string::npos)
          << layout.toString() << ": " << result.reason();
      continue;
    }
    ASSERT_EQ(static_cast<bool>(result), fits)
        << layout.toString() << ": " << result.reason();
    for (size_t r = 0; fits && r < table.size(); ++r)
      ASSERT_EQ(result->evaluate(r, 0, 0), table[r]) << layout.toString();
    ++(fits ? kept : refused);
    sorted += fits && !keepsOrder;
  }
  EXPECT_GT(kept, 1000);
  EXPECT_GT(refused, 500);
  EXPECT_GT(sorted, 20);
}
