//===- mma.cpp - mma, ldmatrix and the like through inline PTX ------------===//
//
// What mma.cu computes, on the CPU. Operands are small integers, so every sum
// is exact.
//
//===----------------------------------------------------------------------===//

#include "CudaSuite.h"

using namespace tilec::emu::cuda;

namespace {

std::vector<uint16_t> halves(const std::vector<int> &values) {
  return generate(values.size(), [&](size_t i) {
    return toHalf(static_cast<float>(values[i]));
  });
}

/// D (16 x 8) = A (16 x k of rows of `lda`) * B (8 columns of `lda`).
std::vector<float> fragmentProduct(const std::vector<int> &a,
                                   const std::vector<int> &b, int k, int lda) {
  return matmul(
      16, 8, k, [&](int i, int p) { return a[i * lda + p]; },
      [&](int p, int j) { return b[j * lda + p]; });
}

} // namespace

CUDA_CASE(mmaHalf, "mma.cu", "sm_80") {
  auto a = randomIntegers<int>(256, -5, 5, 1);
  auto b = randomIntegers<int>(128, -5, 5, 2);
  auto d = run.allocate<float>(128);
  auto packed = run.allocate<uint16_t>(128);
  run.launch("mmaHalf", {1}, {32}, {}, run.upload(halves(a)),
             run.upload(halves(b)), d, packed);
  auto product = fragmentProduct(a, b, 16, 16);
  run.expect(d, generate(128, [&](size_t i) {
               return product[i] + 1 + i % 2 + (i < 64 ? 0 : 2);
             }));
  run.expect(packed,
             generate(128, [&](size_t i) { return toHalf(product[i] + 1); }));
}

CUDA_CASE(mmaHalfShort, "mma.cu", "sm_80") {
  auto a = randomIntegers<int>(256, -5, 5, 1);
  auto b = randomIntegers<int>(128, -5, 5, 2);
  auto d = run.allocate<float>(128);
  run.launch("mmaHalfShort", {1}, {32}, {}, run.upload(halves(a)),
             run.upload(halves(b)), d);
  run.expect(d, fragmentProduct(a, b, 8, 16));
}

CUDA_CASE(mmaBfloat, "mma.cu", "sm_80") {
  auto a = randomIntegers<int>(256, -9, 9, 1);
  auto b = randomIntegers<int>(128, -9, 9, 2);
  auto bfloats = [](const std::vector<int> &v) {
    return generate(v.size(), [&](size_t i) { return toBfloat(float(v[i])); });
  };
  auto d = run.allocate<float>(128);
  run.launch("mmaBfloat", {1}, {32}, {}, run.upload(bfloats(a)),
             run.upload(bfloats(b)), d);
  run.expect(d, fragmentProduct(a, b, 16, 16));
}

CUDA_CASE(mmaTf32, "mma.cu", "sm_80") {
  auto a = randomIntegers<int>(128, -99, 99, 1);
  auto b = randomIntegers<int>(64, -99, 99, 2);
  auto floats = [](const std::vector<int> &v) {
    return generate(v.size(), [&](size_t i) { return float(v[i]); });
  };
  auto d = run.allocate<float>(128);
  run.launch("mmaTf32", {1}, {32}, {}, run.upload(floats(a)),
             run.upload(floats(b)), d);
  run.expect(d, fragmentProduct(a, b, 8, 8));
}

CUDA_CASE(mmaByte, "mma.cu", "sm_80") {
  auto a = randomIntegers<int8_t>(512, -128, 127, 1);
  auto b = randomIntegers<uint8_t>(256, 0, 255, 2);
  auto d = run.allocate<int>(128);
  run.launch("mmaByte", {1}, {32}, {}, run.upload(a), run.upload(b), d);
  run.expect(d, generate(128, [&](size_t i) {
               int sum = 10;
               for (int k = 0; k < 32; ++k)
                 sum += a[i / 8 * 32 + k] * b[i % 8 * 32 + k];
               return sum;
             }));
}

CUDA_CASE(mmaEight, "mma.cu", "sm_90") {
  auto a = randomIntegers<int>(512, -4, 4, 1);
  auto b = randomIntegers<int>(256, -4, 4, 2);
  auto eights = [](const std::vector<int> &v) {
    return generate(v.size(), [&](size_t i) { return toE4M3(float(v[i])); });
  };
  auto d = run.allocate<float>(128);
  run.launch("mmaEight", {1}, {32}, {}, run.upload(eights(a)),
             run.upload(eights(b)), d);
  run.expect(d, fragmentProduct(a, b, 32, 32));
}

CUDA_CASE(mmaDouble, "mma.cu", "sm_80") {
  auto a = randomIntegers<double>(32, -99, 99, 1);
  auto b = randomIntegers<double>(32, -99, 99, 2);
  auto d = run.allocate<double>(64);
  run.launch("mmaDouble", {1}, {32}, {}, run.upload(a), run.upload(b), d);
  run.expect(d, generate(64, [&](size_t i) {
               double sum = 1 + i % 2;
               for (int k = 0; k < 4; ++k)
                 sum += a[i / 8 * 4 + k] * b[i % 8 * 4 + k];
               return sum;
             }));
}

CUDA_CASE(mmaSparse, "mma.cu", "sm_80") {
  auto stored = randomIntegers<int>(256, -5, 5, 1);
  auto b = randomIntegers<int>(256, -5, 5, 2);
  std::vector<int> dense(512);
  std::vector<uint32_t> metadata(32);
  std::mt19937 random(3);
  static const int pairs[][2] = {{0, 1}, {0, 2}, {0, 3},
                                 {1, 2}, {1, 3}, {2, 3}};
  for (int row = 0; row < 16; ++row)
    for (int chunk = 0; chunk < 8; ++chunk) {
      const int *choice = pairs[random() % 6];
      for (int i = 0; i < 2; ++i)
        dense[row * 32 + chunk * 4 + choice[i]] =
            stored[row * 16 + chunk * 2 + i];
      // Threads 0 and 1 of a group hold rows g (low half) and g + 8.
      metadata[row % 8 * 4 + chunk / 4] |=
          uint32_t(choice[0] | choice[1] << 2)
          << (chunk % 4 * 4 + (row < 8 ? 0 : 16));
    }
  auto d = run.allocate<float>(128);
  run.launch("mmaSparse", {1}, {32}, {}, run.upload(halves(stored)),
             run.upload(halves(b)), run.upload(metadata), d);
  run.expect(d, fragmentProduct(dense, b, 32, 32));
}

CUDA_CASE(ldmatrixGemm, "mma.cu", "sm_80") {
  auto a = randomIntegers<int>(4096, -4, 4, 1);
  auto b = randomIntegers<int>(4096, -4, 4, 2);
  auto d = run.allocate<float>(4096);
  run.launch("ldmatrixGemm", {1}, {128}, {}, run.upload(halves(a)),
             run.upload(halves(b)), d);
  run.expect(d, matmul(
                    64, 64, 64, [&](int i, int k) { return a[i * 64 + k]; },
                    [&](int k, int j) { return b[k * 64 + j]; }));
}

namespace {
void transposeFragments(Run &run) {
  auto in = randomIntegers<uint16_t>(64, 0, 65535);
  auto moved = run.allocate<uint16_t>(64), stored = run.allocate<uint16_t>(64);
  run.launch("transposeFragments", {1}, {32}, {}, run.upload(in), moved,
             stored);
  auto transposed =
      generate(64, [&](size_t i) { return in[i % 8 * 8 + i / 8]; });
  run.expect(moved, transposed);
  run.expect(stored, transposed);
}
} // namespace

CUDA_CASE(transposeFragmentsAmpere, "mma.cu", "sm_80") {
  transposeFragments(run);
}
CUDA_CASE(transposeFragmentsHopper, "mma.cu", "sm_90") {
  transposeFragments(run);
}
