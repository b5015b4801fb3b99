//===- basic.cpp - Memory, indices, parameters ----------------------------===//
//
// What basic.cu computes, on the CPU.
//
//===----------------------------------------------------------------------===//

#include "CudaSuite.h"

#include <algorithm>

using namespace tilec::emu::cuda;

CUDA_CASE(vectorAdd, "basic.cu", "sm_80") {
  auto a = randomFloats(1000, -1, 1, 1), b = randomFloats(1000, -1, 1, 2);
  auto c = run.allocate<float>(1000);
  run.launch("vectorAdd", {8}, {128}, {}, run.upload(a), run.upload(b), c,
             1000);
  run.expect(c, generate(1000, [&](size_t i) { return a[i] + b[i]; }));
}

CUDA_CASE(saxpyGridStride, "basic.cu", "sm_80") {
  auto x = randomIntegers<float>(777, -50, 50, 1);
  auto y = randomIntegers<float>(777, -50, 50, 2);
  auto result = run.upload(y);
  run.launch("saxpyGridStride", {3}, {96}, {}, 2.5f, run.upload(x), result,
             777);
  run.expect(result,
             generate(777, [&](size_t i) { return 2.5f * x[i] + y[i]; }));
}

CUDA_CASE(transposeTile, "basic.cu", "sm_80") {
  int width = 70, height = 45;
  auto in = randomIntegers<int>(width * height, -1000, 1000);
  auto out = run.allocate<int>(width * height);
  run.launch("transposeTile", {3, 2}, {32, 8}, {}, run.upload(in), out, width,
             height);
  run.expect(out, generate(width * height, [&](size_t i) {
               return in[i % height * width + i / height];
             }));
}

CUDA_CASE(matmulTiled, "basic.cu", "sm_80") {
  int n = 48;
  auto a = randomIntegers<float>(n * n, -4, 4, 1);
  auto b = randomIntegers<float>(n * n, -4, 4, 2);
  auto c = run.allocate<float>(n * n);
  run.launch("matmulTiled", {3, 3}, {16, 16}, {}, run.upload(a), run.upload(b),
             c, n);
  run.expect(c, matmul(
                    n, n, n, [&](int i, int k) { return a[i * n + k]; },
                    [&](int k, int j) { return b[k * n + j]; }));
}

CUDA_CASE(stencil, "basic.cu", "sm_80") {
  int n = 300;
  auto in = randomIntegers<float>(n, -100, 100);
  auto out = run.allocate<float>(n);
  run.launch("stencil", {3}, {128}, {}, run.upload(in), out, n);
  run.expect(out, generate(n, [&](size_t i) {
               float left = i ? in[i - 1] : 0,
                     right = i + 1 < 300 ? in[i + 1] : 0;
               return 0.25f * left + 0.5f * in[i] + 0.25f * right;
             }));
}

CUDA_CASE(reverseDynamic, "basic.cu", "sm_80") {
  auto in = randomIntegers<uint16_t>(4 * 160, 0, 65535);
  auto out = run.allocate<uint16_t>(in.size());
  run.launch("reverseDynamic", {4}, {160}, {320, {}}, run.upload(in), out);
  run.expect(out, generate(in.size(), [&](size_t i) {
               return in[i / 160 * 160 + 159 - i % 160];
             }));
}

CUDA_CASE(copyVectors, "basic.cu", "sm_80") {
  size_t n = 64;
  auto a = randomFloats(4 * n);
  auto c = randomIntegers<int>(2 * n, -99, 99);
  auto e = randomIntegers<uint8_t>(4 * n, 0, 255);
  auto g = randomLongs(2 * n);
  auto b = run.allocate<float>(4 * n);
  auto d = run.allocate<int>(2 * n);
  auto f = run.allocate<uint8_t>(4 * n);
  auto h = run.allocate<uint64_t>(2 * n);
  run.launch("copyVectors", {2}, {32}, {}, run.upload(a), b, run.upload(c), d,
             run.upload(e), f, run.upload(g), h);
  run.expect(b, generate(4 * n, [&](size_t i) { return a[i ^ 3]; }));
  run.expect(d, generate(2 * n, [&](size_t i) { return c[i ^ 1]; }));
  run.expect(f, generate(4 * n, [&](size_t i) {
               return static_cast<uint8_t>(e[i ^ 1] + (i % 4 == 0));
             }));
  run.expect(h, generate(2 * n, [&](size_t i) { return g[i ^ 1] - i % 2; }));
}

CUDA_CASE(narrowTypes, "basic.cu", "sm_80") {
  auto a = randomIntegers<int8_t>(64, -128, 127, 1);
  auto b = randomIntegers<uint8_t>(64, 0, 255, 2);
  auto c = randomIntegers<int16_t>(64, -30000, 30000, 3);
  auto sum = run.allocate<int>(64);
  auto d = run.allocate<int8_t>(64);
  auto e = run.allocate<uint16_t>(64);
  run.launch("narrowTypes", {1}, {64}, {}, run.upload(a), run.upload(b),
             run.upload(c), sum, d, e);
  run.expect(sum,
             generate(64, [&](size_t i) { return a[i] + b[i] * 3 - c[i]; }));
  run.expect(d, generate(64, [&](size_t i) {
               return static_cast<int8_t>(a[i] * c[i]);
             }));
  run.expect(e, generate(64, [&](size_t i) {
               return static_cast<uint16_t>(b[i] << 4 | (a[i] & 15));
             }));
}

namespace {
struct Affine {
  float scale[3];
  float shift;
  int64_t count;
  char tag;
};
} // namespace

CUDA_CASE(structParameter, "basic.cu", "sm_80") {
  Affine affine = {{2, -1, 0.5f}, 3, 90, 7};
  auto in = randomIntegers<float>(128, -9, 9);
  auto out = run.zeros<float>(128);
  run.launch("structParameter", {2}, {64}, {}, affine, run.upload(in), out);
  run.expect(out, generate(128, [&](size_t i) {
               return i < 90 ? in[i] * affine.scale[i % 3] + 10 : 0.0f;
             }));
}

CUDA_CASE(moduleVariables, "basic.cu", "sm_80") {
  int table[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  double weights[] = {0.5, 0.25, 0.125, 1.0 / 3};
  auto index = randomIntegers<int>(64, 0, 1000);
  auto out = run.allocate<double>(64);
  run.launch("moduleVariables", {1}, {64}, {}, run.upload(index), out);
  run.expect(out, generate(64, [&](size_t i) {
               return table[index[i] & 15] * weights[i & 3];
             }));
  // A module's variables keep their contents between launches.
  auto counter = run.allocate<int>(1);
  run.launch("readCounter", {1}, {1}, {}, counter);
  run.expect(counter, std::vector<int>{100 + 63 * 64 / 2});
}

CUDA_CASE(gridIndices, "basic.cu", "sm_80") {
  auto out = run.allocate<int>(2 * 3 * 2 * 5 * 3 * 4);
  run.launch("gridIndices", {2, 3, 2}, {5, 3, 4}, {}, out);
  run.expect(out, generate(out.count, [](size_t i) {
               int block = static_cast<int>(i / 60);
               int thread = static_cast<int>(i % 60);
               return block * 1000 + thread + (thread / 32 << 20);
             }));
}

CUDA_CASE(unsignedStrides, "basic.cu", "sm_80") {
  auto in = randomIntegers<uint8_t>(40 * 100, 0, 255);
  auto out = run.allocate<uint64_t>(32);
  run.launch("unsignedStrides", {1}, {32}, {}, run.upload(in), out, 100u, 40u);
  run.expect(out, generate(32, [&](size_t i) {
               uint64_t sum = 0;
               for (int r = 0; r < 40; ++r)
                 sum = sum * 31 + in[r * 100 + i];
               return sum;
             }));
}

CUDA_CASE(softmaxRows, "basic.cu", "sm_80") {
  int n = 200;
  auto in = randomFloats(3 * n, -20, 20);
  auto out = run.allocate<float>(3 * n);
  run.launch("softmaxRows", {3}, {128}, {}, run.upload(in), out, n);
  std::vector<float> expected(3 * n);
  for (int row = 0; row < 3; ++row) {
    const float *x = &in[row * n];
    double best = *std::max_element(x, x + n), sum = 0;
    for (int i = 0; i < n; ++i)
      sum += std::exp(x[i] - best);
    for (int i = 0; i < n; ++i)
      expected[row * n + i] = static_cast<float>(std::exp(x[i] - best) / sum);
  }
  run.expectNear(out, expected, 1e-5);
}
