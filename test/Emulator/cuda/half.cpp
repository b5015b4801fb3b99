//===- half.cpp - f16, bf16, fp8 ------------------------------------------===//
//
// What half.cu computes, on the CPU. References go through double, whose
// rounding to the narrow format is tested on its own (NumericsTest.cpp).
//
//===----------------------------------------------------------------------===//

#include "CudaSuite.h"

using namespace tilec::emu;
using namespace tilec::emu::cuda;

namespace {

constexpr size_t kCount = 256;

double fromHalf(uint16_t bits) { return decodeFloat(ElementType::F16, bits); }
double fromBfloat(uint16_t bits) {
  return decodeFloat(ElementType::BF16, bits);
}
uint16_t half(double value) {
  return static_cast<uint16_t>(encodeFloat(ElementType::F16, value));
}
uint16_t bfloat(double value) {
  return static_cast<uint16_t>(encodeFloat(ElementType::BF16, value));
}

/// Encodings of which every second is near one, specials included.
std::vector<uint16_t> encodings(uint32_t seed, uint16_t exponent) {
  auto words = randomWords(kCount, seed);
  auto values = generate(kCount, [&](size_t i) {
    uint16_t word = static_cast<uint16_t>(words[i]);
    return static_cast<uint16_t>(i % 2 ? (word & 0x83ff) | exponent : word);
  });
  return values;
}

/// NaN of any payload is the canonical one: compare values.
void expectHalves(Run &run, const Buffer<uint16_t> &buffer,
                  const std::vector<double> &expected,
                  double (*decode)(uint16_t), uint16_t (*encode)(double)) {
  if (!run.messages.empty())
    return;
  std::vector<uint16_t> actual = run.download(buffer);
  for (size_t i = 0; i < expected.size(); ++i) {
    uint16_t wanted = encode(expected[i]);
    bool bothNan = std::isnan(decode(actual[i])) && std::isnan(decode(wanted));
    if (actual[i] != wanted && !bothNan)
      return run.fail("element " + std::to_string(i) + " is " +
                      std::to_string(decode(actual[i])) + ", expected " +
                      std::to_string(decode(wanted)));
  }
}

/// A sum or product in double of which f16 and bf16 see no double rounding: the
/// operands are at most 11 bits, and double has 53.
double fused(double a, double b, double c) { return std::fma(a, b, c); }

} // namespace

CUDA_CASE(halfArithmetic, "half.cu", "sm_80") {
  auto a = encodings(1, 0x3c00), b = encodings(2, 0x3800);
  auto c = encodings(3, 0x3400);
  auto out = run.allocate<uint16_t>(8 * kCount);
  run.launch("halfArithmetic", {2}, {64}, {}, run.upload(a), run.upload(b),
             run.upload(c), out);
  expectHalves(run, out,
               generate(8 * kCount,
                        [&](size_t i) {
                          size_t j = i / 16 * 2 + i % 2;
                          double x = fromHalf(a[j]), y = fromHalf(b[j]),
                                 z = fromHalf(c[j]);
                          double sum = x + y;
                          double saturated = sum > 0 ? std::min(sum, 1.0) : 0.0;
                          bool anyNan = std::isnan(x) || std::isnan(y);
                          double row[] = {sum,
                                          x - y,
                                          x * y,
                                          fused(x, y, z),
                                          saturated,
                                          std::fmax(x, y),
                                          anyNan ? NAN : std::fmin(x, y),
                                          -std::fabs(x)};
                          return row[i % 16 / 2];
                        }),
               fromHalf, half);
}

CUDA_CASE(bfloatArithmetic, "half.cu", "sm_90") {
  auto a = encodings(4, 0x3f80), b = encodings(5, 0x3f00);
  auto c = encodings(6, 0x3e80);
  auto out = run.allocate<uint16_t>(6 * kCount);
  run.launch("bfloatArithmetic", {2}, {64}, {}, run.upload(a), run.upload(b),
             run.upload(c), out);
  // Bit-exact through the soft float: bf16 has double's exponents beyond reach.
  if (!run.messages.empty())
    return;
  std::vector<uint16_t> actual = run.download(out);
  ElementType bf16 = ElementType::BF16;
  for (size_t i = 0; i < actual.size(); ++i) {
    size_t j = i / 12 * 2 + i % 2;
    uint16_t x = a[j], y = b[j], z = c[j];
    FloatMode relu;
    relu.relu = true;
    uint64_t row[] = {addFloat(bf16, x, y, {}), subFloat(bf16, x, y, {}),
                      mulFloat(bf16, x, y, {}), fmaFloat(bf16, x, y, z, {}),
                      maxFloat(bf16, x, y),     fmaFloat(bf16, x, y, z, relu)};
    if (actual[i] != row[i % 12 / 2])
      return run.fail("element " + std::to_string(i) + " is " +
                      std::to_string(fromBfloat(actual[i])));
  }
}

CUDA_CASE(bfloatArithmeticAmpere, "half.cu", "sm_80") {
  auto exact = randomIntegers<int>(3 * kCount, -12, 12);
  auto values =
      generate(3 * kCount, [&](size_t i) { return bfloat(exact[i]); });
  auto part = [&](size_t p) {
    return run.upload(std::vector<uint16_t>(values.begin() + p * kCount,
                                            values.begin() + (p + 1) * kCount));
  };
  auto out = run.allocate<uint16_t>(6 * kCount);
  run.launch("bfloatArithmetic", {2}, {64}, {}, part(0), part(1), part(2), out);
  expectHalves(run, out,
               generate(6 * kCount,
                        [&](size_t i) {
                          size_t j = i / 12 * 2 + i % 2;
                          double x = exact[j], y = exact[kCount + j],
                                 z = exact[2 * kCount + j];
                          double row[] = {
                              x + y,           x - y,
                              x * y,           x * y + z,
                              std::fmax(x, y), std::fmax(x * y + z, 0.0)};
                          return row[i % 12 / 2];
                        }),
               fromBfloat, bfloat);
}

CUDA_CASE(halfComparisons, "half.cu", "sm_80") {
  auto a = encodings(7, 0x3c00), b = encodings(8, 0x3c00);
  for (size_t i = 0; i < kCount; i += 5)
    b[i] = a[i];
  a[3] = 0x8000, b[3] = 0, a[8] = 0x7e00, b[9] = 0xfc01;
  auto out = run.allocate<int>(kCount);
  run.launch("halfComparisons", {4}, {64}, {}, run.upload(a), run.upload(b),
             out);
  run.expect(out, generate(kCount, [&](size_t i) {
               double x = fromHalf(a[i]), y = fromHalf(b[i]);
               bool unordered = std::isnan(x) || std::isnan(y);
               // __hne is an ordered comparison: false for NaN.
               bool flags[] = {
                   x < y,    x <= y,        x == y, x != y && !unordered,
                   !(x < y), std::isnan(x), x == y, x > y};
               int bits = 0;
               for (int j = 0; j < 8; ++j)
                 bits |= flags[j] << j;
               return bits;
             }));
}

CUDA_CASE(halfConversions, "half.cu", "sm_80") {
  auto f = randomFloats(kCount, -70000, 70000, 9);
  for (size_t i = 0; i < kCount; i += 2)
    f[i] = std::ldexp(f[i], -static_cast<int>(i % 50));
  auto n = randomIntegers<int>(kCount, 0, 0xffff);
  auto out = run.allocate<uint16_t>(8 * kCount);
  auto back = run.allocate<float>(3 * kCount);
  run.launch("halfConversions", {4}, {64}, {}, run.upload(f), run.upload(n),
             out, back);
  run.expect(out, generate(8 * kCount, [&](size_t i) {
               float x = f[i / 8];
               auto to = [&](ElementType type, Rounding rounding) {
                 FloatMode mode;
                 mode.rounding = rounding;
                 return encodeFloat(type, x, mode);
               };
               uint16_t nearest = half(x);
               FloatMode truncate;
               truncate.rounding = Rounding::TowardZero;
               uint64_t row[] = {nearest,
                                 to(ElementType::F16, Rounding::TowardZero),
                                 to(ElementType::F16, Rounding::Up),
                                 to(ElementType::F16, Rounding::Down),
                                 to(ElementType::BF16, Rounding::NearestEven),
                                 to(ElementType::BF16, Rounding::TowardZero),
                                 half(n[i / 8]),
                                 floatToInteger(ElementType::S32,
                                                ElementType::F16, nearest,
                                                truncate)};
               return static_cast<uint16_t>(row[i % 8]);
             }));
  run.expectNear(back,
                 generate(3 * kCount,
                          [&](size_t i) {
                            uint16_t bits = static_cast<uint16_t>(n[i / 3]);
                            double row[] = {fromHalf(bits), fromBfloat(bits),
                                            2 * fromHalf(half(f[i / 3]))};
                            return static_cast<float>(row[i % 3]);
                          }),
                 0);
}

CUDA_CASE(halfMath, "half.cu", "sm_80") {
  auto single = randomFloats(128, -3, 3);
  auto x = generate(128, [&](size_t i) { return toHalf(single[i]); });
  auto out = run.allocate<uint16_t>(8 * 128);
  run.launch("halfMath", {2}, {64}, {}, run.upload(x), out);
  if (!run.messages.empty())
    return;
  std::vector<uint16_t> actual = run.download(out);
  for (size_t i = 0; i < actual.size(); ++i) {
    double v = fromHalf(x[i / 8]);
    double row[] = {std::exp(v),
                    std::log(std::fabs(v)),
                    std::sqrt(std::fabs(v)),
                    1 / v,
                    std::sin(v),
                    std::tanh(v),
                    std::floor(v),
                    std::exp2(v)};
    double difference = std::fabs(fromHalf(actual[i]) - row[i % 8]);
    if (difference > 1e-3 * std::fabs(row[i % 8]) + 2e-4)
      return run.fail("element " + std::to_string(i) + " is " +
                      std::to_string(fromHalf(actual[i])) + ", expected " +
                      std::to_string(row[i % 8]));
  }
}

namespace {
void floatEight(Run &run) {
  auto words = randomWords(1024, 11);
  auto f = generate(1024, [&](size_t i) {
    if (i < 254) // every positive number, and the points between
      return static_cast<float>(decodeFloat(ElementType::E4M3, i / 2)) *
             (i % 2 ? 1.0625f : 1.0f);
    return bitsToF32((words[i] & 0x807fffffu) | ((110 + words[i] % 40) << 23));
  });
  auto e4m3 = run.allocate<uint8_t>(1024), e5m2 = run.allocate<uint8_t>(1024);
  run.launch("floatEight", {8}, {128}, {}, run.upload(f), e4m3, e5m2);
  auto expected = [&](ElementType type) {
    return generate(1024, [&](size_t i) {
      FloatMode mode;
      mode.saturation = Saturation::Finite;
      return static_cast<uint8_t>(encodeFloat(type, f[i], mode));
    });
  };
  run.expect(e4m3, expected(ElementType::E4M3));
  run.expect(e5m2, expected(ElementType::E5M2));
}

void floatEightPairs(Run &run) {
  // All 256 encodings but the NaNs, whose f16 payload is not specified.
  auto in = generate(256, [](size_t i) {
    uint16_t low = i % 128 < 124 ? i : 0x30, high = (i * 3) % 124;
    return static_cast<uint16_t>(low | high << 8);
  });
  auto e4m3 = run.allocate<uint16_t>(512), e5m2 = run.allocate<uint16_t>(512);
  auto again = run.allocate<uint16_t>(256);
  run.launch("floatEightPairs", {4}, {64}, {}, run.upload(in), e4m3, e5m2,
             again);
  auto expected = [&](ElementType type) {
    return generate(512, [&](size_t i) {
      uint8_t byte = static_cast<uint8_t>(in[i / 2] >> (8 * (i % 2)));
      return half(decodeFloat(type, byte));
    });
  };
  run.expect(e4m3, expected(ElementType::E4M3));
  run.expect(e5m2, expected(ElementType::E5M2));
  run.expect(again, in);
}
} // namespace

// sm_80 converts fp8 in software, sm_90 by instructions; the answers agree.
CUDA_CASE(floatEightAmpere, "half.cu", "sm_80") { floatEight(run); }
CUDA_CASE(floatEightHopper, "half.cu", "sm_90") { floatEight(run); }
CUDA_CASE(floatEightPairsAmpere, "half.cu", "sm_80") { floatEightPairs(run); }
CUDA_CASE(floatEightPairsHopper, "half.cu", "sm_90") { floatEightPairs(run); }

CUDA_CASE(halfDot, "half.cu", "sm_80") {
  int n = 10;
  auto a = randomIntegers<int>(64 * n, -3, 3, 1);
  auto b = randomIntegers<int>(64 * n, -3, 3, 2);
  auto halves = [](const std::vector<int> &v) {
    return generate(v.size(), [&](size_t i) { return half(v[i]); });
  };
  auto out = run.allocate<float>(32);
  run.launch("halfDot", {1}, {32}, {}, run.upload(halves(a)),
             run.upload(halves(b)), out, n);
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  run.expect(out, std::vector<float>(32, sum));
}

CUDA_CASE(bytePermuteHalves, "half.cu", "sm_80") {
  auto in = randomIntegers<uint16_t>(128, 0, 65535);
  auto out = run.allocate<uint16_t>(256);
  run.launch("bytePermuteHalves", {1}, {64}, {}, run.upload(in), out);
  // (a, b) gives (a, a) and (b, a).
  run.expect(out, generate(256, [&](size_t i) {
               size_t j = i / 4 * 2;
               uint16_t row[] = {in[j], in[j], in[j + 1], in[j]};
               return row[i % 4];
             }));
}
