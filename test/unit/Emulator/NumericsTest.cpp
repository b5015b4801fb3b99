//===- NumericsTest.cpp - Formats and arithmetic against slow models ------===//
//
// Conversions are checked exhaustively against a model that knows nothing of
// bits: it lists a format's values and picks the nearest. Arithmetic in f32 and
// f64 is checked against the machine's own, in all four IEEE rounding modes.
//
//===----------------------------------------------------------------------===//

#include "tile/Emulator/Numerics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <limits>
#include <random>
#include <vector>

using namespace tilec::emu;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The value of `bits` from the definition: sign, exponent field, fraction.
double modelValue(ElementType type, uint32_t bits) {
  struct Format {
    int exponentBits, mantissaBits;
  } format{};
  switch (type) {
  case ElementType::F16:
    format = {5, 10};
    break;
  case ElementType::BF16:
    format = {8, 7};
    break;
  case ElementType::E5M2:
    format = {5, 2};
    break;
  case ElementType::E4M3:
    format = {4, 3};
    break;
  case ElementType::E3M2:
    format = {3, 2};
    break;
  case ElementType::E2M3:
    format = {2, 3};
    break;
  default:
    format = {2, 1};
    break;
  }
  int fraction = bits & ((1 << format.mantissaBits) - 1);
  int exponent =
      (bits >> format.mantissaBits) & ((1 << format.exponentBits) - 1);
  bool negative = (bits >> (format.mantissaBits + format.exponentBits)) & 1;
  int top = (1 << format.exponentBits) - 1, bias = top >> 1;
  bool ieee = type == ElementType::F16 || type == ElementType::BF16 ||
              type == ElementType::E5M2;
  double magnitude;
  if (ieee && exponent == top)
    magnitude = fraction ? std::nan("") : kInfinity;
  else if (type == ElementType::E4M3 && exponent == top && fraction == 7)
    magnitude = std::nan("");
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, 1 - bias - format.mantissaBits);
  else
    magnitude = std::ldexp(fraction + (1 << format.mantissaBits),
                           exponent - bias - format.mantissaBits);
  return negative ? -magnitude : magnitude;
}

/// The finite, non-negative values of a format in ascending order; the index is
/// the encoding.
std::vector<double> modelValues(ElementType type, int bits) {
  std::vector<double> values;
  for (uint32_t i = 0; i < (1u << (bits - 1)); ++i) {
    double value = modelValue(type, i);
    if (std::isfinite(value))
      values.push_back(value);
  }
  return values;
}

/// The encoding of a magnitude, by searching the list. `step` is the spacing
/// above the largest value, which decides what overflows.
uint32_t modelEncode(const std::vector<double> &values, double magnitude,
                     Rounding rounding, bool negative, uint32_t overflow) {
  double largest = values.back();
  double beyond = largest + (largest - values[values.size() - 2]);
  auto above = std::lower_bound(values.begin(), values.end(), magnitude);
  uint32_t high = static_cast<uint32_t>(above - values.begin());
  if (above != values.end() && *above == magnitude)
    return high;
  double highValue = above == values.end() ? beyond : *above;
  double lowValue = values[high - 1];
  bool past = magnitude > beyond;
  bool up = false;
  double toHigh = highValue - magnitude, toLow = magnitude - lowValue;
  switch (rounding) {
  case Rounding::NearestEven:
    up = past || toHigh < toLow || (toHigh == toLow && (high - 1) % 2 == 1);
    break;
  case Rounding::NearestAway:
    up = past || toHigh <= toLow;
    break;
  case Rounding::Up:
    up = !negative;
    break;
  case Rounding::Down:
    up = negative;
    break;
  default:
    break;
  }
  if (!up)
    return std::min<uint32_t>(high - 1, values.size() - 1);
  return high >= values.size() ? overflow : high;
}

struct NarrowFormat {
  ElementType type;
  int bits;
  uint32_t overflow; // what a magnitude beyond the range becomes
};
const NarrowFormat kNarrowFormats[] = {
    {ElementType::F16, 16, 0x7c00}, {ElementType::BF16, 16, 0x7f80},
    {ElementType::E5M2, 8, 0x7c},   {ElementType::E4M3, 8, 0x7f},
    {ElementType::E3M2, 6, 0x1f},   {ElementType::E2M3, 6, 0x1f},
    {ElementType::E2M1, 4, 0x7}};

const Rounding kRoundings[] = {Rounding::NearestEven, Rounding::TowardZero,
                               Rounding::Down, Rounding::Up,
                               Rounding::NearestAway};

bool sameF32(float a, float b) {
  return f32ToBits(a) == f32ToBits(b) || (a != a && b != b);
}

} // namespace

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

TEST(Numerics, DecodesEveryEncoding) {
  for (const NarrowFormat &format : kNarrowFormats)
    for (uint32_t bits = 0; bits < (1u << format.bits); ++bits) {
      double expected = modelValue(format.type, bits);
      double actual = decodeFloat(format.type, bits);
      if (std::isnan(expected))
        ASSERT_TRUE(std::isnan(actual)) << nameOf(format.type) << bits;
      else
        ASSERT_EQ(f64ToBits(actual), f64ToBits(expected))
            << nameOf(format.type) << " " << bits;
    }
}

TEST(Numerics, KnownValues) {
  EXPECT_EQ(decodeFloat(ElementType::E4M3, 0x7e), 448.0);
  EXPECT_EQ(decodeFloat(ElementType::E5M2, 0x7b), 57344.0);
  EXPECT_EQ(decodeFloat(ElementType::E2M1, 0x7), 6.0);
  EXPECT_EQ(decodeFloat(ElementType::E3M2, 0x1f), 28.0);
  EXPECT_EQ(decodeFloat(ElementType::E2M3, 0x1f), 7.5);
  EXPECT_EQ(decodeFloat(ElementType::UE8M0, 127), 1.0);
  EXPECT_EQ(decodeFloat(ElementType::UE8M0, 0), 0x1p-127);
  EXPECT_TRUE(std::isnan(decodeFloat(ElementType::UE8M0, 0xff)));
  EXPECT_EQ(decodeFloat(ElementType::F16, 0x7bff), 65504.0);
}

// Every value of the format, every midpoint between neighbours, and a hair to
// each side of both.
TEST(Numerics, EncodesAroundEveryValueInEveryRounding) {
  for (const NarrowFormat &format : kNarrowFormats) {
    std::vector<double> values = modelValues(format.type, format.bits);
    for (size_t i = 0; i < values.size(); ++i) {
      double next = i + 1 < values.size()
                        ? values[i + 1]
                        : values[i] + (values[i] - values[i - 1]);
      double middle = (values[i] + next) / 2;
      for (double point :
           {values[i], middle, std::nextafter(middle, 0.0),
            std::nextafter(middle, kInfinity),
            std::nextafter(values[i], kInfinity), std::nextafter(next, 0.0)})
        for (Rounding rounding : kRoundings)
          for (bool negative : {false, true}) {
            FloatMode mode;
            mode.rounding = rounding;
            uint32_t sign = negative ? 1u << (format.bits - 1) : 0;
            uint32_t expected = modelEncode(values, point, rounding, negative,
                                            format.overflow) |
                                sign;
            ASSERT_EQ(encodeFloat(format.type, negative ? -point : point, mode),
                      expected)
                << nameOf(format.type) << " of " << point << " rounding "
                << static_cast<int>(rounding);
          }
    }
  }
}

TEST(Numerics, FastConversionsAgreeWithTheGeneralOnes) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    double exact = modelValue(ElementType::F16, bits);
    ASSERT_TRUE(sameF32(f16ToF32(static_cast<uint16_t>(bits)),
                        static_cast<float>(exact)))
        << bits;
    ASSERT_TRUE(
        sameF32(bf16ToF32(static_cast<uint16_t>(bits)),
                static_cast<float>(modelValue(ElementType::BF16, bits))))
        << bits;
  }
  std::mt19937 random(1);
  for (int i = 0; i < 2'000'000; ++i) {
    // Around f16's range as often as anywhere.
    uint32_t bits = random();
    if (i % 2)
      bits = (bits & 0x807fffffu) | ((100 + bits % 50) << 23);
    if (i % 16 == 0)
      bits &= 0xfffff000u; // ties
    float value = bitsToF32(bits);
    ASSERT_EQ(f32ToF16(value), encodeFloat(ElementType::F16, value)) << value;
    ASSERT_EQ(f32ToBF16(value), encodeFloat(ElementType::BF16, value)) << value;
  }
}

TEST(Numerics, SpecialValuesSaturateAsTheIsaSays) {
  FloatMode finite;
  finite.saturation = Saturation::Finite;
  double nan = std::nan("");
  EXPECT_EQ(encodeFloat(ElementType::E4M3, 1e9, finite), 0x7eu);
  EXPECT_EQ(encodeFloat(ElementType::E4M3, -kInfinity, finite), 0xfeu);
  EXPECT_EQ(encodeFloat(ElementType::E4M3, nan, finite), 0x7fu);
  EXPECT_EQ(encodeFloat(ElementType::E4M3, kInfinity), 0x7fu);
  EXPECT_EQ(encodeFloat(ElementType::E5M2, 1e9, finite), 0x7bu);
  EXPECT_EQ(encodeFloat(ElementType::E5M2, kInfinity), 0x7cu);
  EXPECT_EQ(encodeFloat(ElementType::E2M1, nan, finite), 0x7u);
  EXPECT_EQ(encodeFloat(ElementType::E2M1, -100.0, finite), 0xfu);
  EXPECT_EQ(encodeFloat(ElementType::F16, 1e9, finite), 0x7bffu);
  EXPECT_EQ(encodeFloat(ElementType::F16, nan, finite), 0x7fffu);
  FloatMode unit;
  unit.saturation = Saturation::Unit;
  EXPECT_EQ(encodeFloat(ElementType::F32, 3.0, unit), 0x3f800000u);
  EXPECT_EQ(encodeFloat(ElementType::F32, -0.0, unit), 0u);
  EXPECT_EQ(encodeFloat(ElementType::F32, nan, unit), 0u);
  EXPECT_EQ(encodeFloat(ElementType::F32, 0.25, unit), 0x3e800000u);
  FloatMode relu;
  relu.relu = true;
  EXPECT_EQ(encodeFloat(ElementType::F16, -2.0, relu), 0u);
  EXPECT_EQ(encodeFloat(ElementType::F16, nan, relu), 0x7fffu);
  EXPECT_EQ(encodeFloat(ElementType::F16, 2.0, relu), 0x4000u);
}

TEST(Numerics, Tf32RoundsHalfAwayFromZero) {
  FloatMode away;
  away.rounding = Rounding::NearestAway;
  auto toTf32 = [&](uint32_t bits, FloatMode mode) {
    return convertFloat(ElementType::TF32, ElementType::F32, bits, mode);
  };
  EXPECT_EQ(toTf32(0x3f801000u, away), 0x3f802000u); // a tie
  EXPECT_EQ(toTf32(0x3f800fffu, away), 0x3f800000u);
  EXPECT_EQ(toTf32(0xbf801000u, away), 0xbf802000u);
  EXPECT_EQ(toTf32(0x3f801000u, {}), 0x3f800000u); // .rn: to even
  EXPECT_EQ(toTf32(0x3f803000u, {}), 0x3f804000u);
  EXPECT_EQ(toTf32(0x7fc12345u, away), canonicalNanF32);
  EXPECT_EQ(toTf32(0x7f7fffffu, away), 0x7f800000u);
}

TEST(Numerics, Ue8m0IsAPowerOfTwoRoundedUpOrDown) {
  FloatMode up, down;
  up.rounding = Rounding::Up;
  down.rounding = Rounding::TowardZero;
  up.saturation = Saturation::Finite;
  EXPECT_EQ(encodeFloat(ElementType::UE8M0, 1.0, up), 127u);
  EXPECT_EQ(encodeFloat(ElementType::UE8M0, 1.5, up), 128u);
  EXPECT_EQ(encodeFloat(ElementType::UE8M0, 1.5, down), 127u);
  EXPECT_EQ(encodeFloat(ElementType::UE8M0, 0x1.8p127, up), 254u);
  EXPECT_EQ(encodeFloat(ElementType::UE8M0, std::nan(""), up), 255u);
}

TEST(Numerics, StochasticRoundingAddsTheRandomBits) {
  FloatMode mode;
  mode.rounding = Rounding::Stochastic;
  double quarter = 1.0 + 0.25 / 1024; // a quarter of f16's unit above 1
  mode.randomBits = 0xbfffffffu;
  EXPECT_EQ(encodeFloat(ElementType::F16, quarter, mode), 0x3c00u);
  mode.randomBits = 0xc0000000u;
  EXPECT_EQ(encodeFloat(ElementType::F16, quarter, mode), 0x3c01u);
  EXPECT_EQ(encodeFloat(ElementType::F16, 1.0, mode), 0x3c00u);
}

//===----------------------------------------------------------------------===//
// Arithmetic against the machine's
//===----------------------------------------------------------------------===//

namespace {

struct MachineRounding {
  Rounding rounding;
  int mode;
};
const MachineRounding kMachineRoundings[] = {
    {Rounding::NearestEven, FE_TONEAREST},
    {Rounding::TowardZero, FE_TOWARDZERO},
    {Rounding::Down, FE_DOWNWARD},
    {Rounding::Up, FE_UPWARD}};

template <typename T, typename Function>
T __attribute__((noinline)) underRounding(int mode, Function function) {
  std::fesetround(mode);
  volatile T result = function();
  std::fesetround(FE_TONEAREST);
  return result;
}

/// Random numbers with close and far exponents, subnormals and specials.
template <typename Bits>
Bits interesting(std::mt19937_64 &random, int mantissaBits, int exponentBits) {
  Bits bits = static_cast<Bits>(random());
  Bits exponentMask = (Bits(1) << exponentBits) - 1;
  Bits exponent = (bits >> mantissaBits) & exponentMask;
  switch (random() % 8) {
  case 0:
    exponent = random() % 3;
    break;
  case 1:
    exponent = exponentMask - random() % 3;
    break;
  case 2:
  case 3:
  case 4:
    exponent = exponentMask / 2 + random() % 8;
    break;
  default:
    break;
  }
  bits &= ~(exponentMask << mantissaBits);
  if (random() % 4 == 0) // few significant bits: ties and cancellation
    bits &= ~((Bits(1) << (mantissaBits - 4)) - 1);
  return bits | exponent << mantissaBits;
}

template <typename T, typename Bits>
void compareArithmetic(ElementType type, int mantissaBits, int exponentBits,
                       int rounds) {
  std::mt19937_64 random(7);
  for (int i = 0; i < rounds; ++i) {
    Bits bits[3];
    volatile T values[3];
    for (int j = 0; j < 3; ++j) {
      bits[j] = interesting<Bits>(random, mantissaBits, exponentBits);
      values[j] = std::bit_cast<T>(bits[j]);
    }
    for (const MachineRounding &machine : kMachineRoundings) {
      FloatMode mode;
      mode.rounding = machine.rounding;
      auto check = [&](const char *what, uint64_t actual, T expected) {
        T value = std::bit_cast<T>(static_cast<Bits>(actual));
        bool same =
            std::bit_cast<Bits>(value) == std::bit_cast<Bits>(expected) ||
            (value != value && expected != expected);
        ASSERT_TRUE(same) << what << " rounding " << machine.mode << ": "
                          << values[0] << ", " << values[1] << ", " << values[2]
                          << " gave " << value << " not " << expected;
      };
      int m = machine.mode;
      check("add", addFloat(type, bits[0], bits[1], mode),
            underRounding<T>(m, [&] { return values[0] + values[1]; }));
      check("sub", subFloat(type, bits[0], bits[1], mode),
            underRounding<T>(m, [&] { return values[0] - values[1]; }));
      check("mul", mulFloat(type, bits[0], bits[1], mode),
            underRounding<T>(m, [&] { return values[0] * values[1]; }));
      check("div", divFloat(type, bits[0], bits[1], mode),
            underRounding<T>(m, [&] { return values[0] / values[1]; }));
      check("rcp", rcpFloat(type, bits[0], mode),
            underRounding<T>(m, [&] { return T(1) / values[0]; }));
      check("sqrt", sqrtFloat(type, bits[0], mode),
            underRounding<T>(m, [&] { return std::sqrt(values[0]); }));
      check("fma", fmaFloat(type, bits[0], bits[1], bits[2], mode),
            underRounding<T>(
                m, [&] { return std::fma(values[0], values[1], values[2]); }));
    }
  }
}

} // namespace

TEST(Numerics, F32ArithmeticInEveryRounding) {
  compareArithmetic<float, uint32_t>(ElementType::F32, 23, 8, 40'000);
}

TEST(Numerics, F64ArithmeticInEveryRounding) {
  compareArithmetic<double, uint64_t>(ElementType::F64, 52, 11, 40'000);
}

TEST(Numerics, FastHalfArithmeticRoundsOnce) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 400'000; ++i) {
    uint16_t a = interesting<uint16_t>(random, 10, 5);
    uint16_t b = interesting<uint16_t>(random, 10, 5);
    uint16_t c = interesting<uint16_t>(random, 10, 5);
    ElementType f16 = ElementType::F16, bf16 = ElementType::BF16;
    ASSERT_EQ(f16Add(a, b), addFloat(f16, a, b, {})) << a << " " << b;
    ASSERT_EQ(f16Sub(a, b), subFloat(f16, a, b, {})) << a << " " << b;
    ASSERT_EQ(f16Mul(a, b), mulFloat(f16, a, b, {})) << a << " " << b;
    ASSERT_EQ(f16Fma(a, b, c), fmaFloat(f16, a, b, c, {}))
        << a << " " << b << " " << c;
    a = interesting<uint16_t>(random, 7, 8);
    b = interesting<uint16_t>(random, 7, 8);
    c = interesting<uint16_t>(random, 7, 8);
    ASSERT_EQ(bf16Add(a, b), addFloat(bf16, a, b, {})) << a << " " << b;
    ASSERT_EQ(bf16Sub(a, b), subFloat(bf16, a, b, {})) << a << " " << b;
    ASSERT_EQ(bf16Mul(a, b), mulFloat(bf16, a, b, {})) << a << " " << b;
    ASSERT_EQ(bf16Fma(a, b, c), fmaFloat(bf16, a, b, c, {}))
        << a << " " << b << " " << c;
  }
}

// (1 + 2^-4)^2 = 1.12890625 is a tie of bf16, which an addend far below f64's
// last bit decides; rounding through f64 alone would lose it.
TEST(Numerics, HalfFmaDoesNotRoundTwice) {
  uint16_t x = 0x3f88, tiny = 0x2180, minusTiny = 0xa180;
  EXPECT_EQ(bf16Fma(x, x, 0), 0x3f90u);
  EXPECT_EQ(bf16Fma(x, x, tiny), 0x3f91u);
  EXPECT_EQ(bf16Fma(x, x, minusTiny), 0x3f90u);
  EXPECT_EQ(bf16Fma(x, x, 0x0001), 0x3f91u);
  // (1 + 2^-10)^2 = 1 + 2^-9 + 2^-20 in f16.
  EXPECT_EQ(f16Fma(0x3c01, 0x3c01, 0), 0x3c02u);
}

TEST(Numerics, LaneFunctionsAgreeWithScalars) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 500; ++round) {
    float a[warpLanes], b[warpLanes], c[warpLanes];
    uint32_t p[3][warpLanes], expected[warpLanes], expectedB[warpLanes];
    for (int lane = 0; lane < warpLanes; ++lane) {
      a[lane] = bitsToF32(interesting<uint32_t>(random, 23, 8));
      b[lane] = bitsToF32(interesting<uint32_t>(random, 23, 8));
      c[lane] = bitsToF32(interesting<uint32_t>(random, 23, 8));
      expected[lane] = static_cast<uint32_t>(
          fmaFloat(ElementType::F32, f32ToBits(a[lane]), f32ToBits(b[lane]),
                   f32ToBits(c[lane]), {}));
    }
    f32FmaLanes(a, a, b, c);
    for (int lane = 0; lane < warpLanes; ++lane)
      ASSERT_EQ(f32ToBits(a[lane]), expected[lane]);
    for (int lane = 0; lane < warpLanes; ++lane) {
      for (auto &operand : p)
        operand[lane] = static_cast<uint32_t>(random());
      auto packed = [&](auto function) {
        uint32_t low = function(uint16_t(p[0][lane]), uint16_t(p[1][lane]),
                                uint16_t(p[2][lane]));
        uint32_t high =
            function(uint16_t(p[0][lane] >> 16), uint16_t(p[1][lane] >> 16),
                     uint16_t(p[2][lane] >> 16));
        return low | high << 16;
      };
      expected[lane] = packed([](uint16_t x, uint16_t y, uint16_t z) {
        return static_cast<uint32_t>(fmaFloat(ElementType::F16, x, y, z, {}));
      });
      expectedB[lane] = packed([](uint16_t x, uint16_t y, uint16_t z) {
        return static_cast<uint32_t>(fmaFloat(ElementType::BF16, x, y, z, {}));
      });
    }
    uint32_t result[warpLanes];
    f16x2FmaLanes(result, p[0], p[1], p[2]);
    for (int lane = 0; lane < warpLanes; ++lane)
      ASSERT_EQ(result[lane], expected[lane]);
    bf16x2FmaLanes(p[0], p[0], p[1], p[2]);
    for (int lane = 0; lane < warpLanes; ++lane)
      ASSERT_EQ(p[0][lane], expectedB[lane]);
  }
}

TEST(Numerics, FlushToZeroFlushesOperandsAndResults) {
  FloatMode flush;
  flush.flushToZero = true;
  ElementType f32 = ElementType::F32;
  EXPECT_EQ(addFloat(f32, 0x00000001u, 0x80000002u, flush), 0u);
  EXPECT_EQ(mulFloat(f32, 0x00800000u, 0xbf000000u, flush), 0x80000000u);
  EXPECT_EQ(addFloat(f32, 0x807fffffu, 0x80000000u, flush), 0x80000000u);
  // cvt.ftz flushes f32 operands only: this f16 result is subnormal.
  EXPECT_EQ(convertFloat(ElementType::F16, f32, 0x33800000u, flush), 1u);
  EXPECT_EQ(convertFloat(ElementType::F64, f32, 0x00000001u, flush), 0u);
}

//===----------------------------------------------------------------------===//
// Minimum, maximum, integers
//===----------------------------------------------------------------------===//

TEST(Numerics, MinimumAndMaximum) {
  ElementType f32 = ElementType::F32;
  uint32_t one = 0x3f800000u, two = 0x40000000u, nan = 0x7fc00001u;
  uint32_t minusZero = 0x80000000u, minusOne = 0xbf800000u;
  EXPECT_EQ(minFloat(f32, one, two), one);
  EXPECT_EQ(maxFloat(f32, one, two), two);
  EXPECT_EQ(minFloat(f32, one, minusOne), minusOne);
  EXPECT_EQ(maxFloat(f32, minusOne, 0xc0000000u), minusOne);
  EXPECT_EQ(minFloat(f32, 0, minusZero), minusZero);
  EXPECT_EQ(maxFloat(f32, minusZero, 0), 0u);
  EXPECT_EQ(minFloat(f32, nan, two), two);
  EXPECT_EQ(maxFloat(f32, two, nan), two);
  EXPECT_EQ(minFloat(f32, nan, nan), canonicalNanF32);
  MinMaxMode propagate;
  propagate.propagateNan = true;
  EXPECT_EQ(minFloat(f32, nan, two, propagate), canonicalNanF32);
  MinMaxMode xorSign;
  xorSign.xorSignAbs = true;
  // min.xorsign.abs: sign is the xor, magnitude the smaller one.
  EXPECT_EQ(minFloat(f32, minusOne, two, xorSign), minusOne);
  EXPECT_EQ(maxFloat(f32, minusOne, 0xc0000000u, xorSign), two);
  EXPECT_EQ(maxFloat(ElementType::F16, 0xbc00, 0x4000), 0x4000u);
  EXPECT_EQ(minFloat(ElementType::BF16, 0xbf80, 0x4000), 0xbf80u);
  EXPECT_EQ(maxFloat(ElementType::F64, f64ToBits(-1.0), f64ToBits(-2.0)),
            f64ToBits(-1.0));
}

TEST(Numerics, FloatsToIntegersRoundAndClamp) {
  auto convert = [](ElementType to, double value, Rounding rounding) {
    FloatMode mode;
    mode.rounding = rounding;
    return static_cast<int64_t>(
        floatToInteger(to, ElementType::F64, f64ToBits(value), mode));
  };
  Rounding rz = Rounding::TowardZero, rn = Rounding::NearestEven;
  EXPECT_EQ(convert(ElementType::S32, -2.7, rz), -2);
  EXPECT_EQ(convert(ElementType::S32, -2.7, Rounding::Down), -3);
  EXPECT_EQ(convert(ElementType::S32, 2.1, Rounding::Up), 3);
  EXPECT_EQ(convert(ElementType::S32, 2.5, rn), 2);
  EXPECT_EQ(convert(ElementType::S32, 3.5, rn), 4);
  EXPECT_EQ(convert(ElementType::S32, 0.5000001, rn), 1);
  EXPECT_EQ(convert(ElementType::S32, 1e20, rz), 2147483647);
  EXPECT_EQ(convert(ElementType::S32, -1e20, rz), -2147483648ll);
  EXPECT_EQ(convert(ElementType::U32, -1.0, rz), 0);
  EXPECT_EQ(convert(ElementType::U32, 5e9, rz), 4294967295ll);
  EXPECT_EQ(convert(ElementType::S8, 200.0, rz), 127);
  EXPECT_EQ(convert(ElementType::U8, 300.0, rz), 255);
  EXPECT_EQ(convert(ElementType::S64, 1e30, rz), INT64_MAX);
  EXPECT_EQ(convert(ElementType::S64, -0x1p63, rz), INT64_MIN);
  EXPECT_EQ(static_cast<uint64_t>(convert(ElementType::U64, 0x1p63, rz)),
            uint64_t(1) << 63);
  EXPECT_EQ(convert(ElementType::S32, 1e-300, Rounding::Up), 1);
}

TEST(Numerics, NotANumberBecomesZeroOrTheTopBit) {
  FloatMode mode;
  uint64_t nan32 = canonicalNanF32, nan64 = canonicalNanF64;
  ElementType f32 = ElementType::F32, f64 = ElementType::F64;
  EXPECT_EQ(floatToInteger(ElementType::S32, f32, nan32, mode), 0u);
  EXPECT_EQ(floatToInteger(ElementType::U32, f32, nan32, mode), 0u);
  EXPECT_EQ(floatToInteger(ElementType::S64, f32, nan32, mode), uint64_t(1)
                                                                    << 63);
  EXPECT_EQ(floatToInteger(ElementType::U64, f32, nan32, mode), uint64_t(1)
                                                                    << 63);
  EXPECT_EQ(
      static_cast<uint32_t>(floatToInteger(ElementType::S32, f64, nan64, mode)),
      0x80000000u);
  EXPECT_EQ(floatToInteger(ElementType::U32, f64, nan64, mode), 0x80000000u);
}

TEST(Numerics, IntegersToFloatsRoundOnce) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20'000; ++i) {
    uint64_t bits = random() >> (random() % 64);
    for (const MachineRounding &machine : kMachineRoundings) {
      FloatMode mode;
      mode.rounding = machine.rounding;
      volatile int64_t s = static_cast<int64_t>(bits);
      volatile uint64_t u = bits;
      ASSERT_EQ(integerToFloat(ElementType::F32, ElementType::S64, bits, mode),
                f32ToBits(underRounding<float>(
                    machine.mode, [&] { return static_cast<float>(s); })));
      ASSERT_EQ(integerToFloat(ElementType::F64, ElementType::S64, bits, mode),
                f64ToBits(underRounding<double>(
                    machine.mode, [&] { return static_cast<double>(s); })));
      if (machine.mode == FE_TONEAREST)
        ASSERT_EQ(
            integerToFloat(ElementType::F32, ElementType::U64, bits, mode),
            f32ToBits(static_cast<float>(u)));
    }
  }
  EXPECT_EQ(integerToFloat(ElementType::F16, ElementType::U32, 70000), 0x7c00u);
  EXPECT_EQ(integerToFloat(ElementType::F16, ElementType::S8, 0xff), 0xbc00u);
}

TEST(Numerics, RoundsToIntegralValues) {
  FloatMode mode;
  auto round = [&](double value, Rounding rounding) {
    mode.rounding = rounding;
    return bitsToF64(roundToIntegral(ElementType::F64, f64ToBits(value), mode));
  };
  EXPECT_EQ(round(2.5, Rounding::NearestEven), 2.0);
  EXPECT_EQ(round(-2.5, Rounding::Down), -3.0);
  EXPECT_EQ(round(2.5, Rounding::TowardZero), 2.0);
  EXPECT_EQ(round(2.25, Rounding::Up), 3.0);
  EXPECT_EQ(f64ToBits(round(-0.25, Rounding::NearestEven)), f64ToBits(-0.0));
  EXPECT_EQ(round(1e300, Rounding::NearestEven), 1e300);
  EXPECT_EQ(round(kInfinity, Rounding::Down), kInfinity);
}

//===----------------------------------------------------------------------===//
// Approximations
//===----------------------------------------------------------------------===//

TEST(Numerics, ApproximationsFollowTheirSpecialValues) {
  float infinity = std::numeric_limits<float>::infinity();
  float subnormal = bitsToF32(0x00000100u);
  EXPECT_EQ(ex2Approx(-infinity, true), 0.0f);
  EXPECT_EQ(ex2Approx(3.0f, true), 8.0f);
  EXPECT_EQ(ex2Approx(-130.0f, true), 0.0f);
  EXPECT_EQ(ex2Approx(-130.0f, false), 0x1p-130f);
  EXPECT_EQ(lg2Approx(8.0f, false), 3.0f);
  EXPECT_EQ(lg2Approx(subnormal, true), -infinity);
  EXPECT_TRUE(std::isnan(lg2Approx(-1.0f, false)));
  EXPECT_EQ(rcpApprox(-0.0f, true), -infinity);
  EXPECT_EQ(rcpApprox(subnormal, true), infinity);
  EXPECT_EQ(rcpApprox(0x1p127f, true), 0.0f);
  EXPECT_EQ(rsqrtApprox(4.0f, false), 0.5f);
  EXPECT_EQ(rsqrtApprox(-0.0f, false), -infinity);
  EXPECT_EQ(f32ToBits(rsqrtApprox(-1.0f, false)), canonicalNanF32);
  EXPECT_TRUE(std::isnan(sinApprox(infinity, false)));
  EXPECT_EQ(tanhApprox(-infinity), -1.0f);
  EXPECT_EQ(divApprox(1.0f, 0x1p127f, false), 0.0f);
  EXPECT_TRUE(std::isnan(divApprox(infinity, 0x1p127f, false)));
  EXPECT_EQ(divFull(0x1p127f, 0x1p127f, false), 1.0f);
  EXPECT_EQ(ex2ApproxF16(0x4200, false), 0x4800u); // 2^3
  EXPECT_EQ(tanhApproxBF16(0x7f80), 0x3f80u);
  EXPECT_EQ(rcpApproxF64(2.0), 0.5);
  EXPECT_EQ(f64ToBits(rcpApproxF64(3.0)) & 0xffffffffu, 0u);
}
