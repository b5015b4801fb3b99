//===- matrices.cpp - Products, attention, tensor maps, scales ------------===//
//
// What the kernels with tl.dot compute, on the CPU. Most inputs are small
// integers, so that every order of summation gives the same answer.
//
//===----------------------------------------------------------------------===//

#include "TritonSuite.h"

using namespace tilec::emu;
using namespace tilec::emu::triton;

namespace {

/// C of `matmul`: A is M x K, B K x N, each with a row stride.
struct Sizes {
  uint32_t m, n, k, strideA, strideB, strideC;
};

template <typename Element, typename Result, typename Encode, typename Finish>
void runMatmul(TritonRun &run, const Sizes &s, uint32_t block, Encode encode,
               Finish finish) {
  auto a = randomIntegers<int>(s.m * s.strideA, -4, 4, 1);
  auto b = randomIntegers<int>(s.k * s.strideB, -4, 4, 2);
  auto encodeAll = [&](const std::vector<int> &values) {
    return generate(values.size(), [&](size_t i) {
      return static_cast<Element>(encode(values[i]));
    });
  };
  auto c = run.zeros<Result>(s.m * s.strideC);
  launch(run, "matmul", {(s.m + block - 1) / block, (s.n + 63) / 64},
         run.upload(encodeAll(a)), run.upload(encodeAll(b)), c, s.m, s.n, s.k,
         s.strideA, s.strideB, s.strideC);
  std::vector<Result> expected(s.m * s.strideC);
  for (uint32_t i = 0; i < s.m; ++i)
    for (uint32_t j = 0; j < s.n; ++j) {
      int sum = 0;
      for (uint32_t k = 0; k < s.k; ++k)
        sum += a[i * s.strideA + k] * b[k * s.strideB + j];
      expected[i * s.strideC + j] = finish(sum);
    }
  run.expect(c, expected);
}

} // namespace

TRITON_CASE(matmul_f16, "sm_80 sm_90 sm_120") {
  auto half = [](int value) { return toHalf(float(value)); };
  runMatmul<uint16_t, uint16_t>(run, {100, 130, 160, 160, 144, 144}, 64, half,
                                half);
  // Fewer steps than the pipeline has stages, and none.
  runMatmul<uint16_t, uint16_t>(run, {64, 64, 16, 16, 64, 64}, 64, half, half);
}

TRITON_CASE(matmul_ragged, "sm_80") {
  runMatmul<uint16_t, float>(
      run, {33, 71, 45, 47, 73, 75}, 32,
      [](int value) { return toBfloat(float(value)); },
      [](int sum) { return float(sum); });
}

TRITON_CASE(matmul_fp8, "sm_90 sm_120") {
  runMatmul<uint8_t, float>(
      run, {70, 80, 192, 192, 96, 96}, 64,
      [](int value) { return toE4M3(float(value)); },
      [](int sum) { return float(sum); });
}

TRITON_CASE(matmul_int8, "sm_80") {
  runMatmul<int8_t, int32_t>(
      run, {90, 100, 128, 128, 112, 112}, 64, [](int value) { return value; },
      [](int sum) { return sum; });
}

TRITON_CASE(small_dot, "sm_80 sm_120") {
  auto a = randomIntegers<int>(512, -9, 9, 1);
  auto b = randomIntegers<int>(512, -9, 9, 2);
  auto asFloat = [](const std::vector<int> &v) {
    return generate(v.size(), [&](size_t i) { return float(v[i]); });
  };
  auto c = run.allocate<float>(512);
  launch(run, "small_dot", {2}, run.upload(asFloat(a)), run.upload(asFloat(b)),
         c, 256u);
  run.expect(c, generate(512, [&](size_t i) {
               size_t base = i / 256 * 256, row = i / 16 % 16, column = i % 16;
               int sum = 0;
               for (size_t k = 0; k < 16; ++k)
                 sum += a[base + row * 16 + k] * b[base + k * 16 + column];
               return float(sum);
             }));
}

TRITON_CASE(matmul_tensor_maps, "sm_90 sm_120") {
  // Ragged: the maps fill with zeros and drop what lies outside.
  constexpr uint32_t m = 100, n = 120, k = 200;
  auto a = randomIntegers<int>(m * k, -4, 4, 1);
  auto b = randomIntegers<int>(n * k, -4, 4, 2);
  auto halves = [](const std::vector<int> &v) {
    return generate(v.size(), [&](size_t i) { return toHalf(float(v[i])); });
  };
  auto bufferA = run.upload(halves(a)), bufferB = run.upload(halves(b));
  auto c = run.zeros<uint16_t>(m * n);
  std::string error;
  auto map = [&](uint64_t address, uint64_t rows, uint64_t columns) {
    TiledMapArguments arguments;
    arguments.rank = 2;
    arguments.globalAddress = address;
    arguments.dims[0] = columns;
    arguments.dims[1] = rows;
    arguments.stridesBytes[0] = 2 * columns;
    arguments.box[0] = arguments.box[1] = 64;
    arguments.swizzle = TensorSwizzle::Bytes128;
    TensorMap map;
    error += encodeTiled(arguments, map);
    return map;
  };
  auto mapA = map(bufferA, m, k), mapB = map(bufferB, n, k),
       mapC = map(c, m, n);
  if (!error.empty())
    return run.fail(error);
  launch(run, "matmul_tensor_maps", {2, 2}, mapA, m, k, uint64_t(k),
         uint64_t(1), mapB, n, k, uint64_t(k), uint64_t(1), mapC, m, n,
         uint64_t(n), uint64_t(1), m, n, k);
  run.expect(c, generate(m * n, [&](size_t i) {
               int sum = 0;
               for (uint32_t p = 0; p < k; ++p)
                 sum += a[i / n * k + p] * b[i % n * k + p];
               return toHalf(float(sum));
             }));
}

TRITON_CASE(attention, "sm_80 sm_90") {
  constexpr uint32_t heads = 2, length = 128, size = 64;
  constexpr float scale = 0.125f;
  auto halves = [](size_t count, uint32_t seed) {
    auto values = randomFloats(count, -1, 1, seed);
    return generate(count, [&](size_t i) { return toHalf(values[i]); });
  };
  size_t count = heads * length * size;
  auto q = halves(count, 1), k = halves(count, 2), v = halves(count, 3);
  auto out = run.allocate<uint16_t>(count);
  launch(run, "attention", {2, heads}, run.upload(q), run.upload(k),
         run.upload(v), out, length, scale);
  std::vector<uint16_t> actual = run.download(out);
  for (uint32_t h = 0; h < heads; ++h)
    for (uint32_t i = 0; i < length; ++i) {
      size_t base = size_t(h) * length * size;
      std::vector<double> weights(i + 1);
      double sum = 0;
      for (uint32_t j = 0; j <= i; ++j) {
        double score = 0;
        for (uint32_t d = 0; d < size; ++d)
          score += double(f16ToF32(q[base + i * size + d])) *
                   f16ToF32(k[base + j * size + d]);
        sum += weights[j] = std::exp(score * scale);
      }
      for (uint32_t d = 0; d < size; ++d) {
        double value = 0;
        for (uint32_t j = 0; j <= i; ++j)
          value += weights[j] / sum * f16ToF32(v[base + j * size + d]);
        float got = f16ToF32(actual[base + i * size + d]);
        if (!(std::fabs(got - value) < 2e-3))
          return run.fail("row " + std::to_string(i) + " is " +
                          std::to_string(got) + ", expected " +
                          std::to_string(value));
      }
    }
}

namespace {

/// A value of e2m1 by its code.
double e2m1(unsigned code) {
  static const double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return code & 8 ? -values[code & 7] : values[code & 7];
}

} // namespace

TRITON_CASE(matmul_scaled, "sm_120") {
  constexpr size_t m = 32, n = 32, k = 128, groups = k / 32;
  auto a = randomIntegers<uint8_t>(m * k / 2, 0, 255, 1);
  auto b = randomIntegers<uint8_t>(k / 2 * n, 0, 255, 2);
  auto scaleA = randomIntegers<uint8_t>(m * groups, 124, 130, 3);
  auto scaleB = randomIntegers<uint8_t>(n * groups, 124, 130, 4);
  auto c = run.allocate<float>(m * n);
  launch(run, "matmul_scaled", {1}, run.upload(a), run.upload(scaleA),
         run.upload(b), run.upload(scaleB), c);
  run.expect(c, generate(m * n, [&](size_t at) {
               size_t i = at / n, j = at % n;
               double sum = 0;
               for (size_t p = 0; p < k; ++p) {
                 unsigned shift = p % 2 * 4;
                 double x = e2m1(a[i * k / 2 + p / 2] >> shift & 15);
                 double y = e2m1(b[p / 2 * n + j] >> shift & 15);
                 sum +=
                     std::ldexp(x * y, scaleA[i * groups + p / 32] - 127 +
                                           scaleB[j * groups + p / 32] - 127);
               }
               return static_cast<float>(sum);
             }));
}

TRITON_CASE(matmul_scaled_fp8, "sm_120") {
  constexpr size_t m = 32, n = 32, k = 128, groups = k / 32;
  auto a = randomIntegers<int>(m * k, -7, 7, 1);
  auto b = randomIntegers<int>(k * n, -4, 4, 2);
  auto encode = [](const std::vector<int> &v, ElementType type) {
    return generate(v.size(), [&](size_t i) {
      return static_cast<uint8_t>(encodeFloat(type, v[i]));
    });
  };
  auto scaleA = randomIntegers<uint8_t>(m * groups, 126, 129, 3);
  auto scaleB = randomIntegers<uint8_t>(n * groups, 126, 129, 4);
  auto c = run.allocate<float>(m * n);
  launch(run, "matmul_scaled", {1}, run.upload(encode(a, ElementType::E4M3)),
         run.upload(scaleA), run.upload(encode(b, ElementType::E5M2)),
         run.upload(scaleB), c);
  run.expect(c, generate(m * n, [&](size_t at) {
               size_t i = at / n, j = at % n;
               double sum = 0;
               for (size_t p = 0; p < k; ++p)
                 sum += std::ldexp(a[i * k + p] * b[p * n + j],
                                   scaleA[i * groups + p / 32] +
                                       scaleB[j * groups + p / 32] - 254);
               return static_cast<float>(sum);
             }));
}
