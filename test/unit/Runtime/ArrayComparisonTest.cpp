//===- ArrayComparisonTest.cpp - Whether two results are equal ------------===//

#include "tile/Runtime/ArrayComparison.h"

#include <gtest/gtest.h>

#include <limits>

using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Array makeFloats(FloatFormat format, llvm::ArrayRef<double> values) {
  Array array(ElementType::floating(format),
              static_cast<int64_t>(values.size()));
  for (int64_t i = 0; i < array.count; ++i)
    array.setDouble(i, values[i]);
  return array;
}

bool areEqual(const Array &actual, const Array &expected,
              tilec::ComparisonRule rule = {}) {
  return compare(actual, expected, rule).isEqual();
}

TEST(ArrayComparison, WithoutBoundsEveryTypeIsExact) {
  for (FloatFormat format :
       {FloatFormat::F64, FloatFormat::F32, FloatFormat::F16, FloatFormat::BF16,
        FloatFormat::F8E4M3FN, FloatFormat::F8E5M2}) {
    Array expected = makeFloats(format, {1, 2, -3, 0.5});
    EXPECT_TRUE(areEqual(expected, expected));
    EXPECT_FALSE(areEqual(makeFloats(format, {0, 0, 0, 0}), expected));
    // The neighbour of 0.5 in the narrowest of them.
    EXPECT_FALSE(areEqual(makeFloats(format, {1, 2, -3, 0.625}), expected));
    EXPECT_FALSE(areEqual(makeFloats(format, {2, 1, -3, 0.5}), expected));
  }
}

TEST(ArrayComparison, LargeElementsDoNotHideSmallOnes) {
  Array expected = makeFloats(FloatFormat::F16, {60000, 1, 1});
  EXPECT_FALSE(areEqual(makeFloats(FloatFormat::F16, {60000, 0, 0}), expected));
}

TEST(ArrayComparison, EachElementHasItsBound) {
  Array expected = makeFloats(FloatFormat::F32, {10, 20, 30});
  expected.setBound(1, 2);
  EXPECT_TRUE(areEqual(makeFloats(FloatFormat::F32, {10, 22, 30}), expected));
  EXPECT_FALSE(
      areEqual(makeFloats(FloatFormat::F32, {10, 22.5, 30}), expected));
  EXPECT_FALSE(areEqual(makeFloats(FloatFormat::F32, {11, 20, 30}), expected));
}

TEST(ArrayComparison, TheScaleIsThatOfTheArray) {
  // Root mean square 5: a bound of 4 is of use to the small element, one of 6
  // is not.
  Array expected = makeFloats(FloatFormat::F32, {7, 1});
  expected.setBound(1, 4);
  EXPECT_FALSE(areEqual(makeFloats(FloatFormat::F32, {7, 6}), expected));
  expected.setBound(1, 6);
  tilec::ComparisonRule rule{{}, /*maxUnchecked=*/0.5};
  EXPECT_TRUE(areEqual(makeFloats(FloatFormat::F32, {7, 9}), expected, rule));
  EXPECT_FALSE(areEqual(makeFloats(FloatFormat::F32, {7, 9}), expected));
}

TEST(ArrayComparison, UndefinedElements) {
  Array expected = makeFloats(FloatFormat::F32, {1, 2});
  Array actual = makeFloats(FloatFormat::F32, {1, 9});
  expected.setPoison(1);
  EXPECT_TRUE(areEqual(actual, expected));
  expected.poison.clear();
  actual = makeFloats(FloatFormat::F32, {1, 2});
  actual.setPoison(1);
  EXPECT_FALSE(areEqual(actual, expected));
}

TEST(ArrayComparison, IntegersHaveBounds) {
  Array expected(ElementType::integer(32), 2), actual = expected;
  expected.integers = {100, 200};
  actual.integers = {100, 201};
  EXPECT_FALSE(areEqual(actual, expected));
  expected.setBound(1, 1);
  EXPECT_TRUE(areEqual(actual, expected));
  // Tolerances are for floats: with them integers are exact.
  EXPECT_FALSE(areEqual(actual, expected, {{0.5, 10.0}}));
  expected.setBound(1, infinity);
  EXPECT_FALSE(areEqual(actual, expected));
}

TEST(ArrayComparison, DigitsTellNeighboursApart) {
  Array expected = makeFloats(FloatFormat::F64, {1});
  Array actual = makeFloats(FloatFormat::F64, {1 + 0x1p-52});
  EXPECT_NE(compare(actual, expected, {})
                .toText({1})
                .find("first at [0]: 1.0000000000000002, expected 1 exactly"),
            std::string::npos);
}

} // namespace
