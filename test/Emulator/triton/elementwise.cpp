//===- elementwise.cpp - Rows, integers, random numbers, functions --------===//
//
// What the kernels without matrices compute, on the CPU.
//
//===----------------------------------------------------------------------===//

#include "TritonSuite.h"

#include <array>

using namespace tilec::emu;
using namespace tilec::emu::triton;

TRITON_CASE(vector_add, "sm_80 sm_100") {
  constexpr uint32_t n = 2500;
  auto x = randomFloats(n, -1, 1, 1), y = randomFloats(n, -1, 1, 2);
  auto out = run.allocate<float>(n);
  launch(run, "vector_add", {3}, run.upload(x), run.upload(y), out, n);
  run.expect(out, generate(n, [&](size_t i) { return x[i] + y[i]; }));
}

TRITON_CASE(row_softmax, "sm_80 sm_90") {
  constexpr uint32_t rows = 5, columns = 300, stride = 304;
  auto x = randomFloats(rows * stride, -8, 8);
  auto out = run.zeros<float>(rows * stride);
  launch(run, "row_softmax", {rows}, run.upload(x), out, columns, stride);
  std::vector<float> expected(rows * stride);
  for (uint32_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (uint32_t c = 0; c < columns; ++c)
      sum += std::exp(double(x[r * stride + c]));
    for (uint32_t c = 0; c < columns; ++c)
      expected[r * stride + c] =
          static_cast<float>(std::exp(double(x[r * stride + c])) / sum);
  }
  run.expectNear(out, expected, 1e-5);
}

TRITON_CASE(layer_norm, "sm_90") {
  constexpr uint32_t rows = 4, columns = 400;
  auto half = [](size_t count, float low, float high, uint32_t seed) {
    auto values = randomFloats(count, low, high, seed);
    return generate(count, [&](size_t i) { return toHalf(values[i]); });
  };
  auto x = half(rows * columns, -2, 3, 1), w = half(columns, 0.5f, 2, 2),
       b = half(columns, -1, 1, 3);
  auto out = run.allocate<uint16_t>(rows * columns);
  auto means = run.allocate<float>(rows);
  launch(run, "layer_norm", {rows}, run.upload(x), run.upload(w), run.upload(b),
         out, means, columns, 1e-5f);
  std::vector<float> expectedMeans(rows);
  std::vector<uint16_t> actual = run.download(out);
  for (uint32_t r = 0; r < rows; ++r) {
    double sum = 0, squares = 0;
    for (uint32_t c = 0; c < columns; ++c)
      sum += f16ToF32(x[r * columns + c]);
    double mean = sum / columns;
    expectedMeans[r] = static_cast<float>(mean);
    for (uint32_t c = 0; c < columns; ++c) {
      double d = f16ToF32(x[r * columns + c]) - mean;
      squares += d * d;
    }
    double scale = 1 / std::sqrt(squares / columns + 1e-5);
    for (uint32_t c = 0; c < columns; ++c) {
      size_t at = r * columns + c;
      double expected =
          (f16ToF32(x[at]) - mean) * scale * f16ToF32(w[c]) + f16ToF32(b[c]);
      if (std::fabs(f16ToF32(actual[at]) - expected) > 4e-3)
        return run.fail("element " + std::to_string(at) + " is " +
                        std::to_string(f16ToF32(actual[at])) + ", expected " +
                        std::to_string(expected));
    }
  }
  run.expectNear(means, expectedMeans, 1e-5, 1e-6);
}

TRITON_CASE(integers, "sm_80") {
  auto x = randomWords(256, 1), y = randomWords(256, 2);
  for (uint32_t &value : y)
    value |= 3; // no division by zero or minus one
  for (uint32_t &value : y)
    value = value == ~0u ? 7 : value;
  auto out = run.allocate<uint32_t>(256);
  launch(run, "integers", {1}, run.upload(x), run.upload(y), out, 5u);
  run.expect(out, generate(256, [&](size_t i) {
               auto a = static_cast<int32_t>(x[i]);
               auto b = static_cast<int32_t>(y[i]);
               int64_t wide = int64_t(a) * b;
               uint32_t mixed = static_cast<uint32_t>(a / b) ^
                                static_cast<uint32_t>(a % b) ^
                                static_cast<uint32_t>(wide >> 7);
               mixed += static_cast<uint32_t>(uint64_t(x[i]) * y[i] >> 32);
               for (int step = 0; step < 5; ++step)
                 mixed = mixed * 1664525u + 1013904223u;
               return mixed;
             }));
}

/// Philox 4x32 of ten rounds, as its authors describe it: counter
/// (offset, 0, 0, 0), key (seed, 0).
static std::array<uint32_t, 4> philox(uint32_t seed, uint32_t offset) {
  std::array<uint32_t, 4> c{offset, 0, 0, 0};
  uint32_t key0 = seed, key1 = 0;
  for (int round = 0; round < 10; ++round) {
    uint64_t a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
    c = {static_cast<uint32_t>(b >> 32) ^ c[1] ^ key0, static_cast<uint32_t>(b),
         static_cast<uint32_t>(a >> 32) ^ c[3] ^ key1,
         static_cast<uint32_t>(a)};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return c;
}

/// The magnitude of the word read as a signed one, over 2^31.
static double unitOf(uint32_t word) {
  auto value = static_cast<int32_t>(word);
  return (value < 0 ? -double(value) - 1 : double(value)) * 4.6566127342e-10;
}

TRITON_CASE(random_numbers, "sm_80 sm_90") {
  constexpr uint32_t n = 512, seed = 20261122;
  auto words = run.allocate<uint32_t>(n);
  auto uniform = run.allocate<float>(n), normal = run.allocate<float>(n);
  launch(run, "random_numbers", {2}, words, uniform, normal, seed);
  run.expect(words, generate(n, [&](size_t i) { return philox(seed, i)[0]; }));
  run.expectNear(uniform,
                 generate(n,
                          [&](size_t i) {
                            return static_cast<float>(
                                unitOf(philox(seed, i)[0]));
                          }),
                 1e-6, 1e-7);
  // Box and Muller.
  run.expectNear(normal,
                 generate(n,
                          [&](size_t i) {
                            auto c = philox(seed, static_cast<uint32_t>(i));
                            double u = std::max(1.0e-7, unitOf(c[0]));
                            double angle = 6.283185307179586 * unitOf(c[1]);
                            return static_cast<float>(
                                std::sqrt(-2 * std::log(u)) * std::cos(angle));
                          }),
                 1e-3, 1e-3);
}

TRITON_CASE(special_functions, "sm_80") {
  constexpr uint32_t n = 128;
  auto x = randomFloats(n, -4, 4);
  auto out = run.allocate<float>(8 * n);
  launch(run, "special_functions", {1}, run.upload(x), out, n);
  run.expectNear(
      out,
      generate(8 * n,
               [&](size_t i) {
                 double v = x[i % n];
                 float f = x[i % n];
                 switch (i / n) {
                 case 0:
                   return static_cast<float>(std::sin(v));
                 case 1:
                   return static_cast<float>(std::cos(double(f * 1.0e4f)));
                 case 2:
                   return static_cast<float>(std::log(std::fabs(v) + 1));
                 case 3:
                   return static_cast<float>(std::erf(v));
                 case 4:
                   return static_cast<float>(1 / (1 + std::exp(-v)));
                 case 5:
                   return std::floor(f) + std::ceil(f);
                 case 6:
                   return std::sqrt(std::fabs(f));
                 default:
                   return std::fma(f, f, f / 3.0f);
                 }
               }),
      1e-5, 1e-6);
}
