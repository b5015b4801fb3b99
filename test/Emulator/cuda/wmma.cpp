//===- wmma.cpp - GEMMs through nvcuda::wmma ------------------------------===//
//
// What wmma.cu computes, on the CPU. Operands are small integers, so every sum
// is exact whatever its order.
//
//===----------------------------------------------------------------------===//

#include "CudaSuite.h"

#include <bit>

using namespace tilec::emu::cuda;

namespace {

/// D = A * B + C in T; `columnMajor`: B is stored by columns.
template <typename Stored, typename Sum, typename Encode, typename EncodeSum>
void gemmCase(Run &run, const char *kernel, int m, int n, int k,
              bool columnMajor, int warps, Encode encode, EncodeSum encodeSum) {
  auto a = randomIntegers<int>(m * k, -4, 4, 1);
  auto b = randomIntegers<int>(k * n, -4, 4, 2);
  auto c = randomIntegers<int>(m * n, -9, 9, 3);
  auto stored = [&](const std::vector<int> &v) {
    return generate(v.size(), [&](size_t i) { return Stored(encode(v[i])); });
  };
  auto d = run.allocate<Sum>(m * n);
  run.launch(
      kernel, {1}, {uint32_t(32 * warps)}, {}, run.upload(stored(a)),
      run.upload(stored(b)),
      run.upload(generate(c.size(), [&](size_t i) { return encodeSum(c[i]); })),
      d, m, n, k);
  auto product = matmul(
      m, n, k, [&](int i, int p) { return a[i * k + p]; },
      [&](int p, int j) { return columnMajor ? b[j * k + p] : b[p * n + j]; });
  run.expect(d, generate(m * n, [&](size_t i) {
               return encodeSum(static_cast<int>(product[i]) + c[i]);
             }));
}

float asFloat(int value) { return static_cast<float>(value); }
uint16_t asHalf(int value) { return toHalf(static_cast<float>(value)); }
uint16_t asBfloat(int value) { return toBfloat(static_cast<float>(value)); }
int same(int value) { return value; }
double asDouble(int value) { return value; }

} // namespace

CUDA_CASE(wmmaHalf, "wmma.cu", "sm_80") {
  gemmCase<uint16_t, float>(run, "wmmaHalf", 32, 48, 64, false, 6, asHalf,
                            asFloat);
}
CUDA_CASE(wmmaHalfColumn, "wmma.cu", "sm_80") {
  gemmCase<uint16_t, float>(run, "wmmaHalfColumn", 32, 32, 48, true, 4, asHalf,
                            asFloat);
}
CUDA_CASE(wmmaHalfHalf, "wmma.cu", "sm_80") {
  gemmCase<uint16_t, uint16_t>(run, "wmmaHalfHalf", 32, 16, 32, false, 2,
                               asHalf, asHalf);
}
CUDA_CASE(wmmaBfloat, "wmma.cu", "sm_80") {
  gemmCase<uint16_t, float>(run, "wmmaBfloat", 16, 32, 32, false, 2, asBfloat,
                            asFloat);
}
CUDA_CASE(wmmaByte, "wmma.cu", "sm_80") {
  gemmCase<int8_t, int>(run, "wmmaByte", 16, 32, 32, false, 2, same, same);
}
CUDA_CASE(wmmaDouble, "wmma.cu", "sm_80") {
  gemmCase<double, double>(run, "wmmaDouble", 16, 16, 12, false, 4, asDouble,
                           asDouble);
}

CUDA_CASE(wmmaTf32, "wmma.cu", "sm_80") {
  int k = 24;
  auto a = randomIntegers<float>(16 * k, -8, 8, 1);
  auto b = randomIntegers<float>(16 * k, -8, 8, 2);
  auto d = run.allocate<float>(256);
  run.launch("wmmaTf32", {1}, {32}, {}, run.upload(a), run.upload(b), d, k);
  auto product = matmul(
      16, 16, k, [&](int i, int p) { return a[i * k + p]; },
      [&](int p, int j) { return b[j * k + p]; });
  run.expect(d, generate(256, [&](size_t i) {
               return 2 * (product[i % 16 * 16 + i / 16] + 0.5f);
             }));
}

CUDA_CASE(wmmaNibble, "wmma.cu", "sm_80") {
  auto a = randomWords(32, 1), b = randomWords(32, 2);
  auto d = run.allocate<int>(64);
  run.launch("wmmaNibble", {1}, {32}, {}, run.upload(a), run.upload(b), d);
  auto nibble = [](const std::vector<uint32_t> &v, int row, int k) {
    return static_cast<int>(v[row * 4 + k / 8] << (28 - k % 8 * 4)) >> 28;
  };
  run.expect(d, generate(64, [&](size_t i) {
               int sum = 1;
               for (int k = 0; k < 32; ++k)
                 sum += nibble(a, i / 8, k) * nibble(b, i % 8, k);
               return sum;
             }));
}

CUDA_CASE(wmmaBits, "wmma.cu", "sm_80") {
  auto a = randomWords(32, 3), b = randomWords(32, 4);
  auto d = run.allocate<int>(128);
  run.launch("wmmaBits", {1}, {32}, {}, run.upload(a), run.upload(b), d);
  run.expect(d, generate(128, [&](size_t i) {
               int sum = 0;
               for (int w = 0; w < 4; ++w) {
                 uint32_t x = a[i % 64 / 8 * 4 + w], y = b[i % 8 * 4 + w];
                 sum += std::popcount(i < 64 ? x ^ y : x & y);
               }
               return sum;
             }));
}

CUDA_CASE(wmmaShared, "wmma.cu", "sm_80") {
  int n = 64;
  auto a = randomIntegers<int>(n * n, -4, 4, 1);
  auto b = randomIntegers<int>(n * n, -4, 4, 2);
  auto halves = [](const std::vector<int> &v) {
    return generate(v.size(), [&](size_t i) { return asHalf(v[i]); });
  };
  auto d = run.allocate<float>(n * n);
  run.launch("wmmaShared", {2, 2}, {128}, {}, run.upload(halves(a)),
             run.upload(halves(b)), d, n);
  run.expect(d, matmul(
                    n, n, n, [&](int i, int k) { return a[i * n + k]; },
                    [&](int k, int j) { return b[k * n + j]; }));
}
