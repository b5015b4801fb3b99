//===- SharedLayoutTest.cpp - Offsets, panels, padding and the XOR --------===//
//
// The map of a shared buffer against enumeration, and the hardware's XOR modes
// against tables written out by hand.
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"

#include <gtest/gtest.h>
#include <map>

using namespace tilec;
using namespace tilec::test;

// The XOR modes --------------------------------------------------------------

// Where the 16-byte chunks of rows 0 to 7 are: chunk number within the row's
// own 128 (64, 32) bytes.
static const int64_t mode128[8][8] = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6},
    {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4},
    {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2},
    {6, 7, 4, 5, 2, 3, 0, 1}, {7, 6, 5, 4, 3, 2, 1, 0}};
static const int64_t mode64[8][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {1, 0, 3, 2},
                                     {1, 0, 3, 2}, {2, 3, 0, 1}, {2, 3, 0, 1},
                                     {3, 2, 1, 0}, {3, 2, 1, 0}};
static const int64_t mode32[8][2] = {{0, 1}, {0, 1}, {0, 1}, {0, 1},
                                     {1, 0}, {1, 0}, {1, 0}, {1, 0}};

template <size_t Chunks>
static void expectTable(const int64_t (&table)[8][Chunks],
                        int64_t elementBits) {
  int64_t modeBytes = Chunks * 16, chunk = 128 / elementBits;
  SharedLayout layout =
      *SharedLayout::swizzled({32, static_cast<int64_t>(Chunks) * chunk},
                              {1, 0}, modeBytes, elementBits);
  for (int64_t row = 0; row < 32; ++row)
    for (int64_t c = 0; c < static_cast<int64_t>(Chunks); ++c)
      for (int64_t i = 0; i < chunk; ++i)
        EXPECT_EQ(layout.getBitOffset({row, c * chunk + i}),
                  (row * modeBytes + table[row % 8][c] * 16) * 8 +
                      i * elementBits);
}

TEST(SharedLayout, XorModesMatchTheTables) {
  for (int64_t elementBits : {4, 8, 16, 32, 64}) {
    expectTable(mode128, elementBits);
    expectTable(mode64, elementBits);
    expectTable(mode32, elementBits);
  }
}

TEST(SharedLayout, LongRowsBecomePanels) {
  SharedLayout layout = *SharedLayout::swizzled({32, 128}, {1, 0}, 128, 16);
  EXPECT_EQ(layout.toString(),
            "[32, 128], offset = [64 : (0, 1), 32 : (1, 0), 2 : (0, 64)], "
            "xor = [3, 4, 3]");
  EXPECT_EQ(layout.getByteOffset({0, 64}), 32 * 128);
  EXPECT_EQ(layout.getByteOffset({1, 64}), 32 * 128 + 128 + 16);
  EXPECT_EQ(layout.getSizeBytes(), 8192);
  EXPECT_EQ(layout.getAlignmentBytes(), 1024);
  EXPECT_EQ(layout.getVectorWidth(1), 8);
  EXPECT_EQ(layout.getVectorWidth(0), 1);
  // Column-major, and an outer dimension whose slices are two-dimensional ones.
  EXPECT_EQ(SharedLayout::swizzled({64, 32}, {0, 1}, 64, 16)->toString(),
            "[64, 32], offset = [32 : (1, 0), 32 : (0, 1), 2 : (32, 0)], "
            "xor = [2, 4, 3]");
  EXPECT_EQ(
      SharedLayout::swizzled({3, 32, 128}, {2, 1, 0}, 128, 16)->toString(),
      "[3, 32, 128], offset = [64 : (0, 0, 1), 32 : (0, 1, 0), "
      "2 : (0, 0, 64), 3 : (1, 0, 0)], xor = [3, 4, 3]");
}

TEST(SharedLayout, LinearAndPadded) {
  SharedLayout plain = *SharedLayout::linear({128, 64}, {1, 0}, 0, 16);
  EXPECT_EQ(plain.toString(),
            "[128, 64], offset = [64 : (0, 1), 128 : (1, 0)]");
  EXPECT_EQ(plain.getVectorWidth(1), 64);
  EXPECT_EQ(plain.getAlignmentBytes(), 16);
  SharedLayout padded = *SharedLayout::linear({128, 64}, {1, 0}, 8, 16);
  EXPECT_EQ(padded.toString(),
            "[128, 64], offset = [64 : (0, 1), 128 : (1, 0) weight 72]");
  EXPECT_EQ(padded.getVectorWidth(1), 8);
  EXPECT_EQ(padded.getSizeBytes(), (127 * 72 + 64) * 2);
  EXPECT_EQ(padded.invert(64 * 16), std::nullopt);
  EXPECT_EQ(padded.invert(72 * 16), (Coordinate{1, 0}));
  EXPECT_EQ(SharedLayout::linear({6, 5, 4}, {0, 2, 1}, 2, 32)->toString(),
            "[6, 5, 4], offset = [6 : (1, 0, 0), 4 : (0, 0, 1) weight 8, "
            "5 : (0, 1, 0)]");
  EXPECT_EQ(SharedLayout::linear({}, {}, 0, 64)->getSizeBytes(), 16);
}

TEST(SharedLayout, RefusesWithNumbers) {
  EXPECT_EQ(SharedLayout::swizzled({128, 80}, {1, 0}, 64, 16).reason(),
            "a row of 80 elements of 16 bits is no multiple of 64 bytes; mode "
            "32 fits it");
  EXPECT_EQ(SharedLayout::swizzled({128, 96}, {1, 0}, 128, 16).reason(),
            "a row of 96 elements of 16 bits is no multiple of 128 bytes; "
            "modes 64 and 32 fit it");
  EXPECT_EQ(SharedLayout::swizzled({128, 12}, {1, 0}, 32, 16).reason(),
            "a row of 12 elements of 16 bits is no multiple of 32 bytes; no "
            "mode fits it (padding does)");
  EXPECT_EQ(SharedLayout::swizzled({128, 64}, {1, 0}, 16, 16).reason(),
            "the XOR modes are 32, 64 and 128 bytes, not 16");
  EXPECT_EQ(SharedLayout::linear({4, 4}, {1, 1}, 0, 16).reason(),
            "the order [1, 1] must name each of 2 dimensions once");
  EXPECT_EQ(
      SharedLayout::get({4, 4}, {{4, 1, 1, 1}, {4, 0, 1, 3}}, {}, 16).reason(),
      "the digit of extent 4 in dimension 0 has weight 3, less than the "
      "4 elements that the digits before it span");
  EXPECT_EQ(SharedLayout::get({4}, {{4, 0, 1, 1}}, {3, 4, 2}, 16).reason(),
            "the XOR's shift, 2, must be at least its bits, 3");
  EXPECT_EQ(SharedLayout::get({4}, {{4, 0, 1, 1}}, {1, 1, 3}, 32).reason(),
            "the XOR's base, 1, tears elements of 32 bits apart");
  EXPECT_EQ(SharedLayout::get({4}, {{2, 0, 1, 1}}, {}, 32).reason(),
            "the digits in dimension 0 cover 2 of 4");
  EXPECT_FALSE(SharedLayout::get({4}, {{4, 0, 1, 1}}, {}, 12));
  EXPECT_FALSE(SharedLayout::get({4}, {{4, 0, 1, 1}, {2, -1, 0, 4}}, {}, 8));
  EXPECT_FALSE(
      SharedLayout::linear({1 << 20, 1 << 20}, {1, 0}, int64_t(1) << 32, 8));
}

// Laws -----------------------------------------------------------------------

/// Random digits with random gaps, in any order of dimensions.
static SharedLayout makeRandomShared(Random &random) {
  RandomOptions options;
  Coordinate shape = makeRandomShape(random, options);
  options.replication = false;
  DigitMap map = makeRandomDigits(random, shape, options);
  OffsetDigits digits;
  int64_t weight = 1;
  std::vector<Digit> all = map.registers;
  all.insert(all.end(), map.lanes.begin(), map.lanes.end());
  all.insert(all.end(), map.warps.begin(), map.warps.end());
  for (const Digit &digit : all) {
    if (random.get(0, 3) == 0)
      weight += random.get(1, 5);
    digits.push_back({digit.extent, digit.dim, digit.step, weight});
    weight += (digit.extent - 1) * weight;
    // Half of the time the next digit starts right behind the last element.
    if (random.get(0, 3) == 0) {
      int64_t span = 1;
      for (const OffsetDigit &before : digits)
        span += (before.extent - 1) * before.weight;
      weight = span;
    }
  }
  Swizzle swizzle;
  int64_t elementBits = random.pick<int64_t>({4, 8, 16, 32, 64});
  if (random.flip()) {
    swizzle.bits = static_cast<int>(random.get(1, 3));
    swizzle.base = static_cast<int>(random.get(3, 4));
    swizzle.shift = static_cast<int>(random.get(swizzle.bits, 4));
  }
  return *SharedLayout::get(shape, digits, swizzle, elementBits);
}

TEST(SharedLayout, NoTwoElementsShareBitsAndInvertFindsThem) {
  Random random(51);
  int gaps = 0;
  for (int i = 0; i < 3000; ++i) {
    SharedLayout layout = makeRandomShared(random);
    std::map<int64_t, Coordinate> at;
    int64_t bits = layout.getElementBits(), end = 0;
    for (const Coordinate &c : getCoordinates(layout.getShape())) {
      int64_t bit = layout.getBitOffset(c);
      ASSERT_EQ(bit % bits, 0);
      ASSERT_TRUE(at.emplace(bit, c).second) << layout.toString();
    }
    Coordinate box(layout.getRank(), 1);
    for (const OffsetDigit &digit : layout.getDigits())
      box[digit.dim] *= digit.extent;
    for (const Coordinate &c : getCoordinates(box))
      end = std::max(end, (layout.getLinearOffset(c) + 1) * bits);
    int64_t alignment = layout.getAlignmentBytes();
    int64_t size = layout.getSizeBytes();
    ASSERT_EQ(size, ((end + 7) / 8 + alignment - 1) / alignment * alignment);
    for (int64_t bit = 0; bit < size * 8; bit += bits) {
      auto found = at.find(bit);
      ASSERT_EQ(layout.invert(bit),
                found == at.end() ? std::nullopt
                                  : std::optional<Coordinate>(found->second));
      gaps += found == at.end();
    }
    ASSERT_LT(at.rbegin()->first, size * 8);
    ASSERT_EQ(layout.invert(-1), std::nullopt);
  }
  EXPECT_GT(gaps, 1000);
}

TEST(SharedLayout, EqualMapsAreEqualObjects) {
  Random random(52);
  int merged = 0;
  for (int i = 0; i < 3000; ++i) {
    SharedLayout layout = makeRandomShared(random);
    OffsetDigits cut;
    for (OffsetDigit digit : layout.getDigits()) {
      for (int64_t factor = 2; factor < digit.extent; ++factor)
        if (digit.extent % factor == 0 && random.flip()) {
          cut.push_back({factor, digit.dim, digit.step, digit.weight});
          digit.extent /= factor;
          digit.step *= factor;
          digit.weight *= factor;
          ++merged;
        }
      cut.push_back(digit);
      cut.push_back({1, digit.dim, 77, 0});
    }
    auto again = SharedLayout::get(layout.getShape(), cut, layout.getSwizzle(),
                                   layout.getElementBits());
    ASSERT_TRUE(again) << again.reason();
    ASSERT_EQ(*again, layout);
    ASSERT_EQ(again->getHash(), layout.getHash());
    ASSERT_EQ(again->toString(), layout.toString());
  }
  EXPECT_GT(merged, 300);
}

TEST(SharedLayout, VectorWidthIsTheWidestAlignedRun) {
  Random random(53);
  int wide = 0;
  for (int i = 0; i < 3000; ++i) {
    SharedLayout layout = makeRandomShared(random);
    int64_t bits = layout.getElementBits();
    for (int dim = 0; dim < layout.getRank(); ++dim) {
      int64_t width = layout.getVectorWidth(dim);
      wide += width > 1;
      for (Coordinate c : getCoordinates(layout.getShape())) {
        int64_t along = c[dim];
        Coordinate start = c;
        start[dim] -= along % width;
        int64_t from = layout.getBitOffset(start);
        ASSERT_EQ(from % (width * bits), 0) << layout.toString();
        ASSERT_EQ(layout.getBitOffset(c), from + along % width * bits);
      }
    }
  }
  EXPECT_GT(wide, 300);
}

TEST(SharedLayout, CopiesStartAtMultiplesOfTheSize) {
  Random random(54);
  for (int i = 0; i < 1000; ++i) {
    SharedLayout layout = makeRandomShared(random);
    int64_t count = random.get(1, 4);
    SharedLayout ring = layout.replicateOutermost(count);
    ASSERT_EQ(ring.getSizeBytes(), count * layout.getSizeBytes());
    ASSERT_EQ(ring.getAlignmentBytes(), layout.getAlignmentBytes());
    for (int64_t slot = 0; slot < count; ++slot)
      for (Coordinate c : getCoordinates(layout.getShape())) {
        int64_t inSlot = layout.getBitOffset(c);
        c.insert(c.begin(), slot);
        ASSERT_EQ(ring.getBitOffset(c),
                  slot * layout.getSizeBytes() * 8 + inSlot);
      }
    // It is a layout that `get` makes, too.
    auto again = SharedLayout::get(ring.getShape(), ring.getDigits(),
                                   ring.getSwizzle(), ring.getElementBits());
    ASSERT_TRUE(again) << again.reason();
    ASSERT_EQ(*again, ring);
  }
}

/// The offset by definition, the last digit of each dimension unbounded.
static int64_t getOffsetBeyondBox(const SharedLayout &layout,
                                  const Coordinate &coordinate) {
  int64_t offset = 0;
  for (const OffsetDigit &digit : layout.getDigits()) {
    bool isLast = true;
    for (const OffsetDigit &other : layout.getDigits())
      isLast &= other.dim != digit.dim || other.step <= digit.step;
    int64_t value = coordinate[digit.dim] / digit.step;
    offset += (isLast ? value : value % digit.extent) * digit.weight;
  }
  return offset;
}

TEST(SharedLayout, IsAdditiveMatchesEnumeration) {
  Random random(55);
  int additive = 0, carrying = 0;
  for (int i = 0; i < 6000; ++i) {
    SharedLayout layout = makeRandomShared(random);
    RandomOptions options;
    FragmentLayout fragment =
        *makeRandomDigits(random, layout.getShape(), options).build();
    bool isAdditive = true;
    forAllPositions(fragment, [&](int64_t r, int64_t l, int64_t w) {
      isAdditive &= getOffsetBeyondBox(layout, fragment.evaluate(r, l, w)) ==
                    getOffsetBeyondBox(layout, fragment.evaluate(r, 0, 0)) +
                        getOffsetBeyondBox(layout, fragment.evaluate(0, l, w));
    });
    ASSERT_EQ(layout.isAdditiveOver(fragment), isAdditive)
        << layout.toString() << "\n"
        << fragment.toString();
    ++(isAdditive ? additive : carrying);
  }
  EXPECT_GT(additive, 500);
  EXPECT_GT(carrying, 100);
}
