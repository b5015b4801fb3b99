//===- FragmentLayoutTest.cpp - Validity, canonical form and the map ------===//
//
// What `FragmentLayout::get` accepts, that equal maps are equal objects, and
// that evaluate, invert and the facts agree with enumeration.
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"

#include <gtest/gtest.h>
#include <map>

using namespace tilec;
using namespace tilec::test;

// mma.m16n8k16's accumulator: (lane 32, register 4) -> (M 16, N 8)
static FragmentLayout getAccumulator() {
  return *FragmentLayout::get({16, 8}, {{2, 1, 1}, {2, 0, 8}},
                              {{4, 1, 2}, {8, 0, 1}}, {});
}

TEST(FragmentLayout, AccumulatorMatchesThePtxPage) {
  FragmentLayout layout = getAccumulator();
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t reg = 0; reg < 4; ++reg) {
      int64_t row = lane / 4 + (reg < 2 ? 0 : 8);
      int64_t column = lane % 4 * 2 + (reg & 1);
      EXPECT_EQ(layout.evaluate(reg, lane, 0), (Coordinate{row, column}));
    }
}

TEST(FragmentLayout, PrintsAsTheDialect) {
  EXPECT_EQ(getAccumulator().toString(),
            "[16, 8], register = [2 : (0, 1), 2 : (8, 0)], "
            "lane = [4 : (0, 2), 8 : (1, 0)], warp = []");
  EXPECT_EQ(FragmentLayout::replicated({}, 32, 4).toString(),
            "[], register = [], lane = [32 : ()], warp = [4 : ()]");
}

TEST(FragmentLayout, MergesAndDropsDigits) {
  FragmentLayout merged = *FragmentLayout::get({16}, {}, {{16, 0, 1}}, {});
  EXPECT_EQ(*FragmentLayout::get({16}, {{1, 0, 7}},
                                 {{2, 0, 1}, {1, -1, 0}, {8, 0, 2}}, {}),
            merged);
  FragmentLayout swapped =
      *FragmentLayout::get({16}, {}, {{8, 0, 2}, {2, 0, 1}}, {});
  EXPECT_NE(swapped, merged);
  EXPECT_EQ(FragmentLayout::get({}, {}, {{2, -1, 0}, {4, -1, 0}}, {})
                ->getDigits(HardwareDim::Lane),
            (Digits{{8, -1, 0}}));
  // A digit that passes the shape together with one that would not alone.
  EXPECT_TRUE(FragmentLayout::get({2}, {}, {{3, 0, 1}, {2, 0, 3}}, {}));
}

static std::string getReason(Coordinate shape, Digits registers, Digits lanes,
                             Digits warps = {}) {
  return FragmentLayout::get(shape, registers, lanes, warps).reason();
}

TEST(FragmentLayout, RefusesWithNumbers) {
  EXPECT_EQ(getReason({8}, {}, {{4, 0, 1}}),
            "the digits in dimension 0 cover 4 of 8");
  EXPECT_EQ(getReason({8}, {{2, 0, 1}}, {{2, 0, 4}}),
            "the digit of extent 2 in dimension 0 has step 4 where the digits "
            "before it end at 2");
  EXPECT_EQ(getReason({2}, {}, {{3, 0, 1}}, {{2, 0, 3}}),
            "only the last digit in dimension 0 may pass the extent, 2, but an "
            "earlier one reaches 3");
  EXPECT_EQ(getReason({2}, {{2, 0, 1}, {2, -1, 0}}, {}),
            "a register digit must not replicate, but one of extent 2 has a "
            "zero step");
  EXPECT_EQ(getReason({2}, {{0, 0, 1}}, {}),
            "a digit's extent must be positive, not 0 (in 'register')");
  EXPECT_EQ(getReason({2}, {}, {{2, 1, 1}}),
            "a digit steps through dimension 1 of a shape of rank 1 (in "
            "'lane')");
  EXPECT_EQ(getReason({2}, {}, {}, {{2, -1, 1}}),
            "a digit that replicates must have a zero step, not 1 (in 'warp')");
  EXPECT_EQ(getReason({2}, {}, {}, {{2, 0, -1}}),
            "a digit's step must not be negative, but is -1 (in 'warp')");
  EXPECT_EQ(getReason({-2}, {}, {}), "extent -2 of dimension 0 is negative");
}

TEST(FragmentLayout, HugeNumbersAreRefusedNotOverflowed) {
  int64_t huge = std::numeric_limits<int64_t>::max();
  for (int64_t extent : {huge, huge / 2, int64_t(1) << 47})
    EXPECT_FALSE(FragmentLayout::get({4}, {{4, 0, 1}, {extent, 0, 4}},
                                     {{extent, -1, 0}, {extent, -1, 0}}, {}));
  EXPECT_FALSE(FragmentLayout::get({huge, huge}, {}, {}, {}));
  EXPECT_FALSE(FragmentLayout::get({4}, {{2, 0, huge}}, {}, {}));
}

TEST(FragmentLayout, AcceptsExactlyTheBijectionsOntoABox) {
  Random random(1);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    // One dimension, few digits of arbitrary steps: most are no chain.
    int64_t extent = random.get(1, 8);
    DigitMap map = {{extent}, {}, {}, {}};
    Digits *lists[] = {&map.registers, &map.lanes, &map.warps};
    std::map<int64_t, int64_t> held;
    int64_t positions = 1, largestStep = 0;
    for (int64_t j = random.get(0, 3); j > 0; --j) {
      Digit digit = {random.get(2, 3), 0, random.get(1, 9)};
      lists[j - 1]->push_back(digit);
      positions *= digit.extent;
      largestStep = std::max(largestStep, digit.step);
    }
    int64_t farthest = 0;
    for (int64_t r = 0; r < 3; ++r)
      for (int64_t l = 0; l < 3; ++l)
        for (int64_t w = 0; w < 3; ++w) {
          auto fits = [](const Digits &list, int64_t at) {
            return at < (list.empty() ? 1 : list[0].extent);
          };
          if (!fits(map.registers, r) || !fits(map.lanes, l) ||
              !fits(map.warps, w))
            continue;
          int64_t at = map.evaluate(r, l, w)[0];
          ++held[at];
          farthest = std::max(farthest, at);
        }
    bool isBijection = static_cast<int64_t>(held.size()) == positions &&
                       farthest == positions - 1;
    // The last digit starts where all others end.
    bool isValid = isBijection && positions >= extent && largestStep <= extent;
    EXPECT_EQ(static_cast<bool>(map.build()), isValid);
    ++(isValid ? accepted : refused);
  }
  EXPECT_GT(accepted, 500);
  EXPECT_GT(refused, 500);
}

TEST(FragmentLayout, EvaluateIsTheSumOfDigitTimesStep) {
  Random random(2);
  for (int i = 0; i < 3000; ++i) {
    RandomOptions options;
    DigitMap map =
        makeRandomDigits(random, makeRandomShape(random, options), options);
    FragmentLayout layout = *map.build();
    forAllPositions(layout, [&](int64_t r, int64_t l, int64_t w) {
      ASSERT_EQ(layout.evaluate(r, l, w), map.evaluate(r, l, w));
    });
  }
}

TEST(FragmentLayout, InvertFindsTheFirstHolder) {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    FragmentLayout layout = makeRandomLayout(random);
    // First in the order warp, lane, register, as forAllPositions walks.
    std::map<Coordinate, HardwarePosition> first;
    std::map<Coordinate, int64_t> copies;
    forAllPositions(layout, [&](int64_t r, int64_t l, int64_t w) {
      Coordinate at = layout.evaluate(r, l, w);
      first.try_emplace(at, HardwarePosition{r, l, w});
      ++copies[at];
    });
    ASSERT_EQ(first.size(), getCoordinates(layout.getBox()).size());
    for (const Coordinate &at : getCoordinates(layout.getBox())) {
      ASSERT_EQ(layout.invert(at), first.at(at));
      ASSERT_EQ(layout.evaluate(layout.invert(at)), at);
      ASSERT_EQ(copies.at(at), layout.getReplication());
    }
  }
}

TEST(FragmentLayout, VectorWidthIsTheLongestRunOfRegisters) {
  Random random(4);
  RandomOptions options;
  options.maxExtent = 7;
  int wide = 0;
  for (int i = 0; i < 2000; ++i) {
    FragmentLayout layout = makeRandomLayout(random, options);
    for (int dim = 0; dim < layout.getRank(); ++dim) {
      int64_t count = layout.getRegisterCount(), widest = 1;
      for (int64_t width = 1; width <= count; ++width) {
        if (count % width != 0)
          continue;
        bool isRun = true;
        forAllPositions(layout, [&](int64_t r, int64_t l, int64_t w) {
          Coordinate start = layout.evaluate(r - r % width, l, w);
          isRun &= start[dim] % width == 0;
          start[dim] += r % width;
          isRun &= layout.evaluate(r, l, w) == start;
        });
        if (isRun)
          widest = width;
      }
      ASSERT_EQ(layout.getVectorWidth(dim), widest) << layout.toString();
      wide += widest > 1;
    }
  }
  EXPECT_GT(wide, 300);
}

// Canonical form -------------------------------------------------------------

static bool areEqualMaps(const FragmentLayout &a, const FragmentLayout &b) {
  for (HardwareDim dim :
       {HardwareDim::Register, HardwareDim::Lane, HardwareDim::Warp})
    if (a.getExtent(dim) != b.getExtent(dim))
      return false;
  bool isEqual = a.getShape() == b.getShape();
  if (isEqual)
    forAllPositions(a, [&](int64_t r, int64_t l, int64_t w) {
      isEqual &= a.evaluate(r, l, w) == b.evaluate(r, l, w);
    });
  return isEqual;
}

TEST(FragmentLayout, PositionsThatDifferInPaddingShareNothing) {
  // Three warps along 8 columns of 8: two hold padding.
  auto padded =
      FragmentLayout::get({8, 8}, {{8, 1, 1}}, {{8, 0, 1}}, {{3, 1, 8}});
  ASSERT_TRUE(padded) << padded.reason();
  EXPECT_FALSE(padded->isShared(HardwareDim::Warp, 1));
  EXPECT_TRUE(padded->isShared(HardwareDim::Lane, 0));
  EXPECT_FALSE(padded->isShared(HardwareDim::Lane, 1));
  // Four along 24: three share them.
  auto partly =
      FragmentLayout::get({8, 24}, {{8, 1, 1}}, {{8, 0, 1}}, {{4, 1, 8}});
  ASSERT_TRUE(partly) << partly.reason();
  EXPECT_TRUE(partly->isShared(HardwareDim::Warp, 1));
  EXPECT_FALSE(partly->isShared(HardwareDim::Warp, 0));
}

TEST(FragmentLayout, EqualMapsAreEqualObjects) {
  Random random(5);
  int equal = 0;
  for (int i = 0; i < 60000; ++i) {
    // Few enough layouts that two draws often have the same map.
    RandomOptions options;
    Coordinate shape = {random.pick<int64_t>({2, 4, 6, 8})};
    if (random.flip())
      shape.push_back(2);
    FragmentLayout a = *makeRandomDigits(random, shape, options).build();
    FragmentLayout b = *makeRandomDigits(random, shape, options).build();
    ASSERT_EQ(areEqualMaps(a, b), a == b) << a.toString() << "\n"
                                          << b.toString();
    ASSERT_EQ(a == b, a.toString() == b.toString());
    ASSERT_EQ(a == b, (a <=> b) == std::strong_ordering::equal);
    if (a == b) {
      ASSERT_EQ(a.getHash(), b.getHash());
    }
    equal += a == b;
  }
  EXPECT_GT(equal, 500);
}

/// The same digits, each cut into factors, with digits of extent 1 between.
static Digits cutDigits(Random &random, const Digits &digits) {
  Digits cut;
  for (Digit digit : digits) {
    for (int64_t factor = 2; factor < digit.extent; ++factor)
      if (digit.extent % factor == 0 && random.flip()) {
        cut.push_back({factor, digit.dim, digit.step});
        digit.extent /= factor;
        digit.step *= factor;
      }
    cut.push_back(digit);
    if (random.flip())
      cut.push_back({1, digit.dim, digit.step});
  }
  return cut;
}

TEST(FragmentLayout, AnySpellingGivesTheCanonicalOne) {
  Random random(6);
  for (int i = 0; i < 3000; ++i) {
    FragmentLayout layout = makeRandomLayout(random);
    Expected<FragmentLayout> again = FragmentLayout::get(
        layout.getShape(),
        cutDigits(random, layout.getDigits(HardwareDim::Register)),
        cutDigits(random, layout.getDigits(HardwareDim::Lane)),
        cutDigits(random, layout.getDigits(HardwareDim::Warp)));
    ASSERT_TRUE(again) << again.reason();
    ASSERT_EQ(*again, layout);
  }
}
