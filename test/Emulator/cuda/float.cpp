//===- float.cpp - Floating-point arithmetic and the math library ---------===//
//
// What float.cu computes, on the CPU. Correctly rounded operations are compared
// bit for bit, with the processor's rounding mode set to the instruction's; the
// math library within the error bounds of the CUDA programming guide.
//
//===----------------------------------------------------------------------===//

#include "CudaSuite.h"

#include <cfenv>
#include <limits>

using namespace tilec::emu;
using namespace tilec::emu::cuda;

namespace {

constexpr size_t kCount = 128;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename T, typename Function>
T rounded(int mode, Function function) {
  std::fesetround(mode);
  volatile T result = function();
  std::fesetround(FE_TONEAREST);
  return result;
}

/// Random floats of all magnitudes, with zeros, infinities, NaN, subnormals.
std::vector<float> anyFloats(uint32_t seed, bool specials = true) {
  auto words = randomWords(kCount, seed);
  auto values = generate(kCount, [&](size_t i) {
    uint32_t word = words[i];
    if (i % 2) // near one another
      word = (word & 0x807fffffu) | ((124 + word % 6) << 23);
    float value = bitsToF32(word);
    return std::isfinite(value) && std::isnormal(value) ? value : 1.5f;
  });
  if (specials) {
    float special[] = {0.0f,          -0.0f,         kInfinity,
                       -kInfinity,    NAN,           0x1p-149f,
                       -0x1.8p-130f,  0x1p-126f,     3.4e38f,
                       -3.4e38f,      2147483648.0f, -2147483648.0f,
                       4294967296.0f, 0.5f,          9223372036854775808.f,
                       1.0f};
    for (size_t i = 0; i < 16; ++i)
      values[(i * 5 + seed) % kCount] = special[i];
  }
  return values;
}

std::vector<double> anyDoubles(uint32_t seed, bool specials = true) {
  auto words = randomLongs(kCount, seed);
  auto values = generate(kCount, [&](size_t i) {
    uint64_t word = words[i];
    if (i % 2)
      word = (word & 0x800fffffffffffffull) | ((1020 + word % 6) << 52);
    double value = bitsToF64(word);
    return std::isfinite(value) && std::isnormal(value) ? value : 1.5;
  });
  if (specials) {
    double special[] = {0.0,       -0.0,  HUGE_VAL, -HUGE_VAL, NAN,
                        0x1p-1074, 1e308, -1e308,   0x1p-1022, 2147483648.0};
    for (size_t i = 0; i < 10; ++i)
      values[(i * 7 + seed) % kCount] = special[i];
  }
  return values;
}

/// Bit for bit, but any NaN will do where the ISA leaves it open.
template <typename T>
void expectSame(Run &run, const Buffer<T> &buffer,
                const std::vector<T> &expected) {
  run.expectNear(buffer, expected, 0);
}

int64_t convert(ElementType to, double value, Rounding rounding, bool single) {
  FloatMode mode;
  mode.rounding = rounding;
  if (single)
    return static_cast<int64_t>(floatToInteger(
        to, ElementType::F32, f32ToBits(static_cast<float>(value)), mode));
  return static_cast<int64_t>(
      floatToInteger(to, ElementType::F64, f64ToBits(value), mode));
}

} // namespace

CUDA_CASE(roundings32, "float.cu", "sm_80") {
  auto a = anyFloats(1), b = anyFloats(2), c = anyFloats(3);
  auto out = run.allocate<float>(16 * kCount);
  run.launch("roundings32", {2}, {64}, {}, run.upload(a), run.upload(b),
             run.upload(c), out);
  expectSame(run, out, generate(16 * kCount, [&](size_t i) {
               volatile float x = a[i / 16], y = b[i / 16], z = c[i / 16];
               auto in = [&](int mode, auto function) {
                 return rounded<float>(mode, function);
               };
               auto add = [&] { return x + y; };
               auto multiply = [&] { return x * y; };
               auto fused = [&] { return std::fma(x, y, z); };
               int rn = FE_TONEAREST, rz = FE_TOWARDZERO, ru = FE_UPWARD,
                   rd = FE_DOWNWARD;
               switch (i % 16) {
               case 0:
                 return in(rn, add);
               case 1:
                 return in(rz, add);
               case 2:
                 return in(ru, add);
               case 3:
                 return in(rd, add);
               case 4:
                 return in(rz, multiply);
               case 5:
                 return in(ru, multiply);
               case 6:
                 return in(rd, multiply);
               case 7:
                 return in(rn, fused);
               case 8:
                 return in(rz, fused);
               case 9:
                 return in(ru, fused);
               case 10:
                 return in(rd, fused);
               case 11:
                 return in(rn, [&] { return x / y; });
               case 12:
                 return in(rz, [&] { return x / y; });
               case 13:
                 return in(ru, [&] { return 1.0f / y; });
               case 14:
                 return in(rd, [&] { return std::sqrt(std::fabs(x)); });
               default:
                 return saturateF32(x * 3.0f);
               }
             }));
}

CUDA_CASE(roundings64, "float.cu", "sm_80") {
  auto a = anyDoubles(1), b = anyDoubles(2), c = anyDoubles(3);
  auto out = run.allocate<double>(12 * kCount);
  run.launch("roundings64", {2}, {64}, {}, run.upload(a), run.upload(b),
             run.upload(c), out);
  expectSame(run, out, generate(12 * kCount, [&](size_t i) {
               volatile double x = a[i / 12], y = b[i / 12], z = c[i / 12];
               auto in = [&](int mode, auto function) {
                 return rounded<double>(mode, function);
               };
               int rn = FE_TONEAREST, rz = FE_TOWARDZERO, ru = FE_UPWARD,
                   rd = FE_DOWNWARD;
               switch (i % 12) {
               case 0:
                 return in(rz, [&] { return x + y; });
               case 1:
                 return in(ru, [&] { return x + y; });
               case 2:
                 return in(rd, [&] { return x * y; });
               case 3:
                 return in(rn, [&] { return x * y; });
               case 4:
                 return in(rn, [&] { return std::fma(x, y, z); });
               case 5:
                 return in(rz, [&] { return std::fma(x, y, z); });
               case 6:
                 return in(rn, [&] { return x / y; });
               case 7:
                 return in(rd, [&] { return x / y; });
               case 8:
                 return in(rn, [&] { return 1.0 / y; });
               case 9:
                 return in(rn, [&] { return std::sqrt(std::fabs(x)); });
               case 10:
                 return in(ru, [&] { return std::sqrt(std::fabs(x)); });
               default:
                 return std::fmin(x, y) - std::fmax(y, z);
               }
             }));
}

CUDA_CASE(toIntegers, "float.cu", "sm_80") {
  auto a = anyFloats(4);
  auto d = anyDoubles(4);
  for (size_t i = 0; i < kCount; i += 3) {
    a[i] = std::ldexp(std::remainder(a[i], 1.0f), 9) + 0.5f;
    d[i] = std::ldexp(std::remainder(d[i], 1.0), 20) + 0.5;
  }
  auto out = run.allocate<int64_t>(12 * kCount);
  run.launch("toIntegers", {2}, {64}, {}, run.upload(a), run.upload(d), out);
  using R = Rounding;
  using E = ElementType;
  run.expect(out, generate(12 * kCount, [&](size_t i) {
               float x = a[i / 12];
               double y = d[i / 12];
               int64_t row[] = {convert(E::S32, x, R::TowardZero, true),
                                convert(E::S32, x, R::NearestEven, true),
                                convert(E::S32, x, R::Up, true),
                                convert(E::S32, x, R::Down, true),
                                convert(E::U32, x, R::TowardZero, true),
                                convert(E::S64, x, R::NearestEven, true),
                                convert(E::U64, x, R::TowardZero, true),
                                convert(E::S32, y, R::NearestEven, false),
                                convert(E::S64, y, R::Down, false),
                                convert(E::U32, y, R::Up, false),
                                int8_t(convert(E::S32, x, R::TowardZero, true)),
                                convert(E::U64, y, R::TowardZero, false)};
               return row[i % 12];
             }));
}

CUDA_CASE(fromIntegers, "float.cu", "sm_80") {
  auto words = randomLongs(kCount, 5);
  auto a =
      generate(kCount, [&](size_t i) { return int64_t(words[i]) >> (i % 63); });
  auto f = run.allocate<float>(6 * kCount);
  auto d = run.allocate<double>(4 * kCount);
  run.launch("fromIntegers", {2}, {64}, {}, run.upload(a), f, d);
  run.expect(
      f, generate(6 * kCount, [&](size_t i) {
        volatile int64_t x = a[i / 6];
        volatile int low = static_cast<int>(x);
        switch (i % 6) {
        case 0:
          return float(low);
        case 1:
          return rounded<float>(FE_TOWARDZERO, [&] { return float(low); });
        case 2:
          return rounded<float>(FE_UPWARD,
                                [&] { return float(int64_t(uint32_t(low))); });
        case 3:
          return float(x);
        case 4: { // the processor has no rounded conversion of u64 to float
          FloatMode mode;
          mode.rounding = Rounding::Down;
          return bitsToF32(static_cast<uint32_t>(
              integerToFloat(ElementType::F32, ElementType::U64, x, mode)));
        }
        default:
          return float(uint8_t(x));
        }
      }));
  run.expect(d, generate(4 * kCount, [&](size_t i) {
               volatile int64_t x = a[i / 4];
               volatile double wide = double(x);
               switch (i % 4) {
               case 0:
                 return double(int(x));
               case 1:
                 return double(x);
               case 2: {
                 FloatMode mode;
                 mode.rounding = Rounding::TowardZero;
                 return bitsToF64(integerToFloat(ElementType::F64,
                                                 ElementType::U64, x, mode));
               }
               default:
                 return double(float(x)) - rounded<float>(FE_DOWNWARD, [&] {
                          return float(wide);
                        });
               }
             }));
}

CUDA_CASE(integralRounding, "float.cu", "sm_80") {
  auto a = anyFloats(6);
  auto d = anyDoubles(6);
  for (size_t i = 0; i < 40; ++i)
    a[i] = static_cast<float>(i) / 2 - 10, d[i] = a[i];
  auto out = run.allocate<float>(6 * kCount);
  auto dout = run.allocate<double>(4 * kCount);
  run.launch("integralRounding", {2}, {64}, {}, run.upload(a), run.upload(d),
             out, dout);
  expectSame(run, out, generate(6 * kCount, [&](size_t i) {
               float x = a[i / 6];
               float row[] = {std::floor(x), std::ceil(x),  std::trunc(x),
                              std::rint(x),  std::round(x), x - std::floor(x)};
               return row[i % 6];
             }));
  expectSame(run, dout, generate(4 * kCount, [&](size_t i) {
               double x = d[i / 4];
               double row[] = {std::floor(x), std::ceil(x), std::rint(x),
                               std::round(x)};
               return row[i % 4];
             }));
}

CUDA_CASE(classify, "float.cu", "sm_80") {
  auto a = anyFloats(7), b = anyFloats(8);
  for (size_t i = 0; i < 20; ++i)
    b[i * 3] = a[i * 3];
  auto out = run.allocate<int>(kCount);
  run.launch("classify", {2}, {64}, {}, run.upload(a), run.upload(b), out);
  run.expect(out, generate(kCount, [&](size_t i) {
               float x = a[i], y = b[i];
               bool flags[] = {std::isnan(x),
                               std::isinf(x),
                               x < y,
                               x <= y,
                               x == y,
                               x != y,
                               !(x >= y),
                               std::signbit(x),
                               std::isfinite(y),
                               std::isnan(x) || std::isnan(y),
                               std::fmin(x, y) == x,
                               std::fmax(x, y) == x,
                               std::signbit(x)};
               int bits = 0;
               for (int j = 0; j < 13; ++j)
                 bits |= flags[j] << j;
               return bits;
             }));
}

CUDA_CASE(mathFloat, "float.cu", "sm_80") {
  auto x = randomFloats(kCount, -8, 8);
  auto out = run.allocate<float>(16 * kCount);
  run.launch("mathFloat", {2}, {64}, {}, run.upload(x), out);
  run.expectNear(out,
                 generate(16 * kCount,
                          [&](size_t i) {
                            double v = x[i / 16], m = std::fabs(v);
                            double row[] = {std::exp(v),
                                            std::log(m + 0.1f),
                                            std::sin(v),
                                            std::cos(v),
                                            std::tanh(v),
                                            std::erf(v),
                                            std::pow(m + 0.5f, 1.7f),
                                            std::exp2(v),
                                            std::log2(m + 0.25f),
                                            1 / std::sqrt(m + 0.01f),
                                            std::atan2(v, 2.0),
                                            std::cbrt(v),
                                            std::expm1(v),
                                            std::log1p(m),
                                            std::tgamma(m + 1),
                                            std::asinh(v)};
                            return static_cast<float>(row[i % 16]);
                          }),
                 4e-6, 1e-6);
}

CUDA_CASE(sineOfLarge, "float.cu", "sm_80") {
  auto x = generate(64, [](size_t i) {
    return (i % 2 ? -1 : 1) * std::ldexp(1.0f + 0.013f * i, int(i) + 5);
  });
  auto out = run.allocate<float>(128);
  run.launch("sineOfLarge", {1}, {64}, {}, run.upload(x), out);
  run.expectNear(out,
                 generate(128,
                          [&](size_t i) {
                            double v = x[i / 2];
                            return static_cast<float>(i % 2 ? std::cos(v)
                                                            : std::sin(v));
                          }),
                 1e-6, 2e-7);
}

CUDA_CASE(mathDouble, "float.cu", "sm_80") {
  auto single = randomFloats(kCount, -8, 8);
  auto x = generate(kCount, [&](size_t i) { return single[i] * 1.000001; });
  auto out = run.allocate<double>(10 * kCount);
  run.launch("mathDouble", {2}, {64}, {}, run.upload(x), out);
  run.expectNear(out,
                 generate(10 * kCount,
                          [&](size_t i) {
                            double v = x[i / 10], m = std::fabs(v);
                            double row[] = {std::exp(v),
                                            std::log(m + 0.1),
                                            std::sin(v),
                                            std::cos(v),
                                            std::tanh(v),
                                            std::erf(v),
                                            std::pow(m + 0.5, 1.7),
                                            std::atan(v),
                                            1 / std::sqrt(m + 0.01),
                                            std::lgamma(m + 1)};
                            return row[i % 10];
                          }),
                 4e-15, 1e-14);
}

CUDA_CASE(fastMath, "float.cu", "sm_80") {
  auto x = randomFloats(kCount, -3, 3);
  auto out = run.allocate<float>(8 * kCount);
  run.launch("fastMath", {2}, {64}, {}, run.upload(x), out);
  run.expectNear(
      out,
      generate(8 * kCount,
               [&](size_t i) {
                 double v = x[i / 8], m = std::fabs(v);
                 double row[] = {
                     std::exp(v),        std::log(m + 0.1f),     std::sin(v),
                     std::cos(v),        std::pow(m + 0.5, 1.5), v / 3,
                     std::tan(v * 0.1f), 1 / std::sqrt(m + 1)};
                 return static_cast<float>(row[i % 8]);
               }),
      2e-6, 1e-6);
}

CUDA_CASE(splitting, "float.cu", "sm_80") {
  auto x = randomFloats(kCount, -50, 50, 9);
  auto out = run.allocate<float>(6 * kCount);
  auto exponents = run.allocate<int>(kCount);
  run.launch("splitting", {2}, {64}, {}, run.upload(x), out, exponents);
  expectSame(run, out, generate(6 * kCount, [&](size_t i) {
               float v = x[i / 6], whole;
               int e;
               float fraction = std::modf(v, &whole);
               float row[] = {
                   std::frexp(v, &e),  std::ldexp(v, 5),
                   std::fmod(v, 0.7f), std::remainder(v, 0.7f),
                   fraction,           whole + std::nextafter(v, 1e30f) - v};
               return row[i % 6];
             }));
  run.expect(exponents, generate(kCount, [&](size_t i) {
               int e;
               std::frexp(x[i], &e);
               return e;
             }));
}

CUDA_CASE(flushing, "float.cu", "sm_80") {
  auto a = anyFloats(10), b = anyFloats(11);
  for (size_t i = 0; i < 32; ++i) {
    a[i] = std::ldexp(a[i + 40], i % 2 ? -120 : -10);
    b[i] = std::ldexp(b[i + 41], i % 3 ? -12 : -125);
  }
  auto out = run.allocate<float>(4 * kCount);
  run.launch("flushing", {2}, {64}, {}, run.upload(a), run.upload(b), out);
  expectSame(run, out, generate(4 * kCount, [&](size_t i) {
               auto flush = [](float v) {
                 return std::fpclassify(v) == FP_SUBNORMAL
                            ? std::copysign(0.0f, v)
                            : v;
               };
               float x = flush(a[i / 4]), y = flush(b[i / 4]);
               float sum = flush(std::fma(x, y, x));
               sum = sum > 0 ? std::min(sum, 1.0f) : 0.0f;
               bool nan = std::isnan(x) || std::isnan(y);
               float row[] = {flush(x + y), flush(x * y), sum,
                              nan ? NAN : std::fmin(x, y)};
               return row[i % 4];
             }));
}

CUDA_CASE(kahan, "float.cu", "sm_80") {
  auto x = randomFloats(32 * 50, 0, 1e4);
  auto out = run.allocate<float>(32);
  run.launch("kahan", {1}, {32}, {}, run.upload(x), out, 50);
  run.expect(out, generate(32, [&](size_t lane) {
               volatile float sum = 0, carry = 0;
               for (int i = 0; i < 50; ++i) {
                 volatile float y = x[i * 32 + lane] - carry;
                 volatile float t = sum + y;
                 volatile float difference = t - sum;
                 carry = difference - y;
                 sum = t;
               }
               return float(sum);
             }));
}
