//===- ComparisonTest.cpp - What equal means ------------------------------===//

#include "tile/Runtime/Comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tilec;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// One float compared with another, in an array of root mean square `scale`.
Comparison compareOne(double actual, double expected, double bound,
                      double scale = 1, ComparisonRule rule = {}) {
  Comparison result(rule, scale);
  if (result.add(0, getFloatDistance(actual, expected), bound))
    result.describeFirst("actual", "expected");
  return result;
}

TEST(Comparison, BoundOfZeroAsksForTheSameBits) {
  EXPECT_TRUE(compareOne(1.5, 1.5, 0).isEqual());
  EXPECT_FALSE(compareOne(1.5, std::nextafter(1.5, 2), 0).isEqual());
  EXPECT_FALSE(compareOne(0.0, -0.0, 0).isEqual());
  EXPECT_FALSE(compareOne(-0.0, 0.0, 0).isEqual());
  EXPECT_TRUE(compareOne(-0.0, -0.0, 0).isEqual());
}

TEST(Comparison, AnyPositiveBoundAllowsTheOtherZero) {
  double least = std::numeric_limits<double>::denorm_min();
  EXPECT_TRUE(compareOne(-0.0, 0.0, least).isEqual());
  // Also where all that is expected is zero.
  EXPECT_TRUE(compareOne(-0.0, 0.0, least, /*scale=*/0).isEqual());
  EXPECT_FALSE(compareOne(1e-30, 0.0, least).isEqual());
  EXPECT_TRUE(compareOne(-0.0, 0.0, nan).isEqual());
}

TEST(Comparison, NaNIsEqualToNaNOnly) {
  EXPECT_TRUE(compareOne(nan, nan, 0).isEqual());
  EXPECT_TRUE(compareOne(nan, -nan, 0).isEqual());
  EXPECT_FALSE(compareOne(1, nan, 0.5).isEqual());
  EXPECT_FALSE(compareOne(nan, 1, 0.5).isEqual());
}

TEST(Comparison, InfinityIsEqualToItself) {
  EXPECT_TRUE(compareOne(infinity, infinity, 0).isEqual());
  EXPECT_FALSE(compareOne(infinity, -infinity, 0.5).isEqual());
  EXPECT_FALSE(compareOne(infinity, 1, 0.5).isEqual());
  EXPECT_FALSE(compareOne(1, infinity, 0.5).isEqual());
}

TEST(Comparison, BoundIsMet) {
  EXPECT_TRUE(compareOne(1.25, 1, 0.25).isEqual());
  EXPECT_TRUE(compareOne(0.75, 1, 0.25).isEqual());
  EXPECT_FALSE(compareOne(std::nextafter(1.25, 2), 1, 0.25).isEqual());
}

TEST(Comparison, BoundsAboveTheScaleSayNothing) {
  ComparisonRule rule{{}, /*maxUnchecked=*/1};
  EXPECT_STREQ(compareOne(5, 1, 1, /*scale=*/1, rule).getStatus(), "different");
  EXPECT_STREQ(compareOne(5, 1, 1.5, /*scale=*/1, rule).getStatus(), "equal");
  EXPECT_STREQ(compareOne(nan, 1, infinity, /*scale=*/1, rule).getStatus(),
               "equal");
  EXPECT_STREQ(compareOne(5, 1, nan, /*scale=*/1, rule).getStatus(), "equal");
}

TEST(Comparison, TooManyUncheckedFail) {
  auto compareMany = [](int unchecked, double limit) {
    Comparison result({{}, limit}, /*rootMeanSquare=*/1);
    for (int i = 0; i < 200; ++i)
      result.add(i, getFloatDistance(2, 1), i < unchecked ? infinity : 1);
    return std::string(result.getStatus());
  };
  EXPECT_EQ(compareMany(2, 0.01), "equal");
  EXPECT_EQ(compareMany(3, 0.01), "not checkable");
  EXPECT_EQ(compareMany(3, 0.02), "equal");
  EXPECT_EQ(compareMany(1, 0), "not checkable");
  // An element that has the expected bits is right, whatever its bound.
  Comparison same({{}, 0}, /*rootMeanSquare=*/1);
  same.add(0, getFloatDistance(1, 1), infinity);
  EXPECT_TRUE(same.isEqual());
}

TEST(Comparison, TolerancesReplaceBounds) {
  ComparisonRule rule{{0.1, std::nullopt}};
  EXPECT_TRUE(compareOne(10.9, 10, 0, 1, rule).isEqual());
  EXPECT_FALSE(compareOne(11.1, 10, 100, 1, rule).isEqual());
  EXPECT_FALSE(compareOne(0.1, 0, 0, 1, rule).isEqual());
  EXPECT_TRUE(compareOne(-0.0, 0, 0, 1, {{0.0, 0.0}}).isEqual());
  EXPECT_TRUE(compareOne(0.1, 0, 0, 1, {{std::nullopt, 0.1}}).isEqual());
  EXPECT_FALSE(compareOne(1, infinity, 0, 1, rule).isEqual());
}

TEST(Comparison, IntegersWrap) {
  EXPECT_TRUE(getIntegerDistance(7, 7, 32).isSame);
  EXPECT_EQ(getIntegerDistance(5, 7, 32).distance, 2);
  EXPECT_EQ(getIntegerDistance(127, -128, 8).distance, 1);
  EXPECT_EQ(getIntegerDistance(0, -1, 1).distance, 1);
  EXPECT_EQ(getIntegerDistance(INT64_MIN, INT64_MAX, 64).distance, 1);
  EXPECT_EQ(getIntegerDistance(INT64_MIN, 0, 64).distance, 0x1p63);
}

TEST(Comparison, SharesArePercentages) {
  double share = -1;
  EXPECT_TRUE(parseShare("1%", share));
  EXPECT_DOUBLE_EQ(share, 0.01);
  EXPECT_TRUE(parseShare("0%", share));
  EXPECT_TRUE(parseShare("100%", share));
  for (const char *text : {"", "1", "%", "-1%", "101%", "1%x", "nan%"})
    EXPECT_FALSE(parseShare(text, share)) << text;
}

TEST(Comparison, RootMeanSquareOfWhatIsFinite) {
  RootMeanSquare scale;
  EXPECT_EQ(scale.get(), 0);
  for (double value : {3.0, infinity, -4.0, nan})
    scale.add(value);
  EXPECT_DOUBLE_EQ(scale.get(), std::sqrt(12.5));
  RootMeanSquare large;
  large.add(1e300);
  EXPECT_DOUBLE_EQ(large.get(), 1e300);
}

/// A 2 x 3 array with one element of each kind.
Comparison compareKinds() {
  Comparison result({{}, 0.5}, /*rootMeanSquare=*/2);
  result.add(0, getFloatDistance(1, 1), 0);
  result.add(1, getFloatDistance(1.5, 2), 1);
  result.add(2, getFloatDistance(9, 1), 3);
  result.addUndefined();
  if (result.add(4, getFloatDistance(4, 1), 1.5))
    result.describeFirst("4", "1");
  if (result.add(5, getFloatDistance(9, 1), 0))
    result.describeFirst("9", "1");
  return result;
}

TEST(Comparison, TextSaysWhatWasFound) {
  EXPECT_EQ(compareKinds().toText({2, 3}),
            "DIFFERENT: 2 of 5 elements, 1 undefined ones not compared (1 "
            "exact, 1 within their bounds, 1 not checkable; largest difference "
            "8 at [1, 2]; largest difference / bound 2 at [1, 1]; largest "
            "bound / |value| 1.5); first at [1, 1]: 4, expected 1 within 1.5");
  EXPECT_EQ(compareOne(2, 1, 0).toText({1}),
            "DIFFERENT: 1 of 1 elements (0 exact; largest difference 1 at "
            "[0]); first at [0]: actual, expected expected exactly");
  EXPECT_EQ(compareOne(2, 1, infinity).toText({1}),
            "NOT CHECKABLE: 1 of 1 elements, more than 1%, have bounds above "
            "the root mean square 1 (0 exact, 1 not checkable)");
}

TEST(Comparison, JsonSaysTheSame) {
  EXPECT_EQ(
      compareKinds().toJson({2, 3}),
      "{\"status\": \"different\", \"elements\": 5, \"exact\": 1, \"within\": "
      "1, \"unchecked\": 1, \"different\": 2, \"undefined\": 1, "
      "\"difference\": {\"value\": 8, \"at\": [1, 2]}, \"ratio\": {\"value\": "
      "2, \"at\": [1, 1]}, \"relative_bound\": {\"value\": 1.5, \"at\": [1, "
      "1]}, \"max_unchecked\": 0.5, \"tolerance\": null, \"first\": {\"at\": "
      "[1, 1], \"actual\": \"4\", \"expected\": \"1\", \"allowed\": 1.5}}");
}

} // namespace
