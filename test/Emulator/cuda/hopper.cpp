//===- hopper.cpp - Clusters, bulk and tensor copies, wgmma ---------------===//
//
// What hopper.cu computes, on the CPU. Tensor maps are the emulator's own,
// passed as kernels pass the driver's: 128 bytes by value.
//
//===----------------------------------------------------------------------===//

#include "CudaSuite.h"

using namespace tilec::emu;
using namespace tilec::emu::cuda;

namespace {

TensorMap makeMap(Run &run, TensorElement element, uint64_t address,
                  std::vector<uint64_t> dims, std::vector<uint32_t> box,
                  TensorSwizzle swizzle = TensorSwizzle::None) {
  TiledMapArguments arguments;
  arguments.element = element;
  arguments.rank = static_cast<int>(dims.size());
  arguments.globalAddress = address;
  arguments.swizzle = swizzle;
  uint64_t stride = static_cast<uint64_t>(elementBytes(element));
  for (size_t i = 0; i < dims.size(); ++i) {
    arguments.dims[i] = dims[i];
    arguments.box[i] = box[i];
    if (i > 0)
      arguments.stridesBytes[i - 1] = stride;
    stride *= dims[i];
  }
  TensorMap map;
  std::string why = encodeTiled(arguments, map);
  if (!why.empty())
    run.fail(why);
  return map;
}

std::vector<uint16_t> halves(const std::vector<int> &values) {
  return generate(values.size(), [&](size_t i) {
    return toHalf(static_cast<float>(values[i]));
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

CUDA_CASE(bulkCopy, "hopper.cu", "sm_90a") {
  auto in = randomIntegers<int>(3 * 512, 0, 9999);
  auto out = run.allocate<int>(in.size());
  run.launch("bulkCopy", {3}, {64}, {2048, {}}, run.upload(in), out, 2048);
  run.expect(out, generate(in.size(), [&](size_t i) {
               return in[i] * 3 + static_cast<int>(i / 512);
             }));
}

CUDA_CASE(bulkReduce, "hopper.cu", "sm_90a") {
  auto in = randomIntegers<float>(4 * 64, -99, 99);
  auto sum = run.upload(std::vector<float>(64, 5.0f));
  auto most = run.upload(std::vector<int>(64, -100));
  run.launch("bulkReduce", {4}, {64}, {}, run.upload(in), sum, most);
  run.expect(sum, generate(64, [&](size_t i) {
               return 5 + in[i] + in[64 + i] + in[128 + i] + in[192 + i];
             }));
  run.expect(most, generate(64, [&](size_t i) {
               int best = -100;
               for (size_t j = i; j < 256; j += 64)
                 best = std::max(best, static_cast<int>(in[j]) * 7);
               return best;
             }));
}

CUDA_CASE(bulkPipeline, "hopper.cu", "sm_90a") {
  for (int tiles : {0, 1, 4, 5, 11}) {
    auto in = randomIntegers<float>(128 * tiles + 4, -9, 9);
    auto out = run.allocate<float>(128);
    run.launch("bulkPipeline", {1}, {160}, {}, run.upload(in), out, tiles);
    run.expect(out, generate(128, [&](size_t i) {
                 float sum = 0;
                 for (int t = 0; t < tiles; ++t)
                   sum += in[t * 128 + (i ^ 5)] * static_cast<float>(t + 1);
                 return sum;
               }));
  }
}

CUDA_CASE(tensorCopy, "hopper.cu", "sm_90a") {
  int width = 44, height = 20, dx = -3, dy = 5;
  auto in = randomIntegers<int>(width * height, 0, 999);
  auto from = run.upload(in);
  auto to = run.zeros<int>(width * height);
  run.launch("tensorCopy", {3, 3}, {128}, {},
             makeMap(run, TensorElement::S32, from,
                     {uint64_t(width), uint64_t(height)}, {16, 8}),
             makeMap(run, TensorElement::S32, to,
                     {uint64_t(width), uint64_t(height)}, {16, 8}),
             dx, dy);
  run.expect(to, generate(in.size(), [&](size_t i) {
               int x = static_cast<int>(i) % width + dx;
               int y = static_cast<int>(i) / width + dy;
               bool inside = x >= 0 && x < width && y >= 0 && y < height;
               return 1000 + (inside ? in[y * width + x] : 0);
             }));
}

namespace {
void tensorSwizzle(Run &run, TensorSwizzle swizzle, uint32_t rowBytes) {
  uint32_t columns = rowBytes / 2, rows = 16;
  auto in = randomIntegers<uint16_t>(columns * rows, 0, 65535);
  auto out = run.allocate<uint16_t>(in.size());
  auto from = run.upload(in);
  run.launch("tensorSwizzle", {1}, {64}, {rowBytes * rows, {}},
             makeMap(run, TensorElement::U16, from, {columns, rows},
                     {columns, rows}, swizzle),
             out, int(rowBytes * rows));
  // Rows of S bytes; the 16-byte chunk is xored with the 128-byte line.
  run.expect(out, generate(in.size(), [&](size_t i) {
               uint32_t byte = static_cast<uint32_t>(i) * 2;
               uint32_t line = byte / 128, chunk = byte / 16;
               uint32_t source = chunk ^ (line % (rowBytes / 16));
               return in[(source * 16 + byte % 16) / 2];
             }));
}
} // namespace

CUDA_CASE(tensorSwizzle32, "hopper.cu", "sm_90a") {
  tensorSwizzle(run, TensorSwizzle::Bytes32, 32);
}
CUDA_CASE(tensorSwizzle64, "hopper.cu", "sm_90a") {
  tensorSwizzle(run, TensorSwizzle::Bytes64, 64);
}
CUDA_CASE(tensorSwizzle128, "hopper.cu", "sm_90a") {
  tensorSwizzle(run, TensorSwizzle::Bytes128, 128);
}

CUDA_CASE(tensorReduce, "hopper.cu", "sm_90a") {
  auto out = run.upload(std::vector<float>(36 * 5, 0.5f));
  run.launch("tensorReduce", {3}, {32}, {},
             makeMap(run, TensorElement::F32, out, {36, 5}, {32, 4}));
  run.expect(out, generate(180, [&](size_t i) {
               int x = static_cast<int>(i) % 36 - 8;
               int y = static_cast<int>(i) / 36 - 2;
               if (x < 0 || y < 0)
                 return 0.5f;
               return 0.5f + 3 + 3 * static_cast<float>(y * 32 + x);
             }));
}

CUDA_CASE(tensorVolume, "hopper.cu", "sm_90a") {
  auto in = randomFloats(12 * 6 * 4);
  auto out = run.allocate<float>(3 * 64);
  auto from = run.upload(in);
  run.launch("tensorVolume", {1}, {64}, {},
             makeMap(run, TensorElement::F32, from, {12, 6, 4}, {8, 4, 2}),
             out);
  run.expect(out, generate(192, [&](size_t i) {
               int z =
                   2 - static_cast<int>(i / 64) + static_cast<int>(i % 64 / 32);
               int y = static_cast<int>(i % 32 / 8) - 1;
               int x = static_cast<int>(i % 8) + 4;
               return y < 0 ? 0.0f : in[(z * 6 + y) * 12 + x];
             }));
}

// A 3 x 3 window over a 4 x 4 image with padding 1: column (w = 1, h = 2).
CUDA_CASE(tensorIm2col, "hopper.cu", "sm_90a") {
  auto in = randomFloats(8 * 4 * 4);
  auto from = run.upload(in);
  auto out = run.allocate<float>(64);
  Im2colMapArguments arguments;
  arguments.element = TensorElement::F32;
  arguments.rank = 4;
  arguments.globalAddress = from;
  uint64_t dims[] = {8, 4, 4, 1}, strides[] = {32, 128, 512};
  std::copy(dims, dims + 4, arguments.dims);
  std::copy(strides, strides + 3, arguments.stridesBytes);
  arguments.lowerCorner[0] = arguments.lowerCorner[1] = -1;
  arguments.upperCorner[0] = arguments.upperCorner[1] = -1;
  arguments.channelsPerPixel = 8;
  arguments.pixelsPerColumn = 8;
  TensorMap map;
  if (std::string why = encodeIm2col(arguments, map); !why.empty())
    return run.fail(why);
  run.launch("tensorIm2col", {1}, {64}, {}, map, out);
  run.expect(out, generate(64, [&](size_t i) {
               int pixel = static_cast<int>(i / 8);
               int x = pixel % 4 - 1 + 1, y = pixel / 4 - 1 + 2;
               return in[(y * 4 + x) * 8 + i % 8];
             }));
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

CUDA_CASE(clusterRing, "hopper.cu", "sm_90a") {
  auto in = randomIntegers<int>(256, 0, 999);
  auto out = run.allocate<int>(256);
  run.launch("clusterRing", {8}, {32}, {0, {4}}, run.upload(in), out);
  run.expect(out, generate(256, [&](size_t i) {
               size_t block = i / 32, next = block / 4 * 4 + (block + 1) % 4;
               return in[next * 32 + i % 32] * 10 + static_cast<int>(block % 4);
             }));
}

CUDA_CASE(clusterHistogram, "hopper.cu", "sm_90a") {
  auto in = randomIntegers<uint8_t>(500, 0, 255);
  auto bins = run.allocate<int>(32);
  run.launch("clusterHistogram", {2}, {64}, {0, {2}}, run.upload(in), bins,
             500);
  std::vector<int> expected(32);
  for (uint8_t value : in)
    ++expected[value % 32];
  run.expect(bins, expected);
}

CUDA_CASE(multicast, "hopper.cu", "sm_90a") {
  auto in = randomIntegers<int>(128, 0, 999);
  auto from = run.upload(in);
  auto out = run.allocate<int>(256);
  run.launch("multicast", {2}, {64}, {0, {2}},
             makeMap(run, TensorElement::S32, from, {8, 16}, {8, 8}), out);
  run.expect(out, generate(256, [&](size_t i) {
               return in[i % 128] + static_cast<int>(i / 128);
             }));
}

CUDA_CASE(remoteStores, "hopper.cu", "sm_90a") {
  auto in = randomIntegers<int>(64, 0, 999);
  auto out = run.allocate<int>(64);
  run.launch("remoteStores", {2}, {32}, {0, {2}}, run.upload(in), out);
  run.expect(out, generate(64, [&](size_t i) { return in[i ^ 33]; }));
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

CUDA_CASE(wgmmaShared, "hopper.cu", "sm_90a") {
  auto a = randomIntegers<int>(64 * 64, -4, 4, 1);
  auto b = randomIntegers<int>(32 * 64, -4, 4, 2);
  auto out = run.allocate<float>(64 * 32);
  run.launch("wgmmaShared", {1}, {128}, {}, run.upload(halves(a)),
             run.upload(halves(b)), out);
  run.expect(out, matmul(
                      64, 32, 64, [&](int i, int k) { return a[i * 64 + k]; },
                      [&](int k, int j) { return b[j * 64 + k]; }));
}

CUDA_CASE(wgmmaRegisters, "hopper.cu", "sm_90a") {
  auto a = randomIntegers<int>(64 * 16, -4, 4, 1);
  auto b = randomIntegers<int>(16 * 8, -4, 4, 2);
  auto out = run.allocate<float>(64 * 8);
  run.launch("wgmmaRegisters", {1}, {128}, {}, run.upload(halves(a)),
             run.upload(halves(b)), out);
  auto product = matmul(
      64, 8, 16, [&](int i, int k) { return a[i * 16 + k]; },
      [&](int k, int j) { return b[k * 8 + j]; });
  run.expect(out, generate(512, [&](size_t i) { return 1 - product[i]; }));
}

CUDA_CASE(wgmmaBytes, "hopper.cu", "sm_90a") {
  auto a = randomIntegers<int8_t>(64 * 32, -128, 127, 1);
  auto b = randomIntegers<int8_t>(8 * 32, -128, 127, 2);
  auto out = run.allocate<int>(512);
  run.launch("wgmmaBytes", {1}, {128}, {}, run.upload(a), run.upload(b), out);
  run.expect(out, generate(512, [&](size_t i) {
               int sum = 0;
               for (int k = 0; k < 32; ++k)
                 sum += a[i / 8 * 32 + k] * b[i % 8 * 32 + k];
               return sum;
             }));
}

/// Positions that 64 rows keep of `groups` groups of four columns, as words, and the
/// matrix of which they do.
struct Kept {
  std::vector<uint16_t> words;
  std::vector<int> dense;
};

Kept spread(const std::vector<int> &stored, int groups) {
  Kept kept{std::vector<uint16_t>(size_t(64 * groups / 4)),
            std::vector<int>(size_t(64 * groups * 4))};
  auto choices = randomIntegers<int>(size_t(64 * groups), 0, 5, 3);
  for (int i = 0; i < 64 * groups; ++i) {
    const int pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const int *pair = pairs[choices[size_t(i)]];
    kept.words[size_t(i / 4)] |=
        static_cast<uint16_t>((pair[0] | pair[1] << 2) << (4 * (i % 4)));
    for (int j = 0; j < 2; ++j)
      kept.dense[size_t(4 * i + pair[j])] = stored[size_t(2 * i + j)];
  }
  return kept;
}

CUDA_CASE(wgmmaSparse, "hopper.cu", "sm_90a") {
  auto a = randomIntegers<int>(64 * 32, -4, 4, 1);
  auto b = randomIntegers<int>(32 * 64, -4, 4, 2);
  Kept kept = spread(a, 16);
  auto out = run.allocate<float>(64 * 32);
  run.launch("wgmmaSparse", {1}, {128}, {}, run.upload(halves(a)),
             run.upload(kept.words), run.upload(halves(b)), out);
  run.expect(out, matmul(
                      64, 32, 64,
                      [&](int i, int k) { return kept.dense[i * 64 + k]; },
                      [&](int k, int j) { return b[j * 64 + k]; }));
}

CUDA_CASE(wgmmaSparseBytes, "hopper.cu", "sm_90a") {
  auto a = randomIntegers<int8_t>(64 * 32, -128, 127, 1);
  auto b = randomIntegers<int8_t>(8 * 64, -128, 127, 2);
  Kept kept = spread({a.begin(), a.end()}, 16);
  auto out = run.allocate<int>(512);
  run.launch("wgmmaSparseBytes", {1}, {128}, {}, run.upload(a),
             run.upload(kept.words), run.upload(b), out);
  run.expect(out, generate(512, [&](size_t i) {
               int sum = 0;
               for (size_t k = 0; k < 64; ++k)
                 sum += kept.dense[i / 8 * 64 + k] * b[i % 8 * 64 + k];
               return sum;
             }));
}

CUDA_CASE(specializedGemm, "hopper.cu", "sm_90a") {
  for (int tiles : {1, 3, 5}) {
    int m = 128, n = 64, k = 64 * tiles;
    auto a = randomIntegers<int>(m * k, -3, 3, 1);
    auto b = randomIntegers<int>(n * k, -3, 3, 2);
    auto deviceA = run.upload(halves(a)), deviceB = run.upload(halves(b));
    auto out = run.allocate<float>(m * n);
    run.launch(
        "specializedGemm", {2, 2}, {256}, {3 * (8192 + 4096), {}},
        makeMap(run, TensorElement::F16, deviceA, {uint64_t(k), uint64_t(m)},
                {64, 64}, TensorSwizzle::Bytes128),
        makeMap(run, TensorElement::F16, deviceB, {uint64_t(k), uint64_t(n)},
                {64, 32}, TensorSwizzle::Bytes128),
        out, n, tiles);
    run.expect(out, matmul(
                        m, n, k, [&](int i, int p) { return a[i * k + p]; },
                        [&](int p, int j) { return b[j * k + p]; }));
  }
}

//===----------------------------------------------------------------------===//
// Smaller things
//===----------------------------------------------------------------------===//

CUDA_CASE(electOne, "hopper.cu", "sm_90a") {
  auto out = run.zeros<int>(66);
  run.launch("electOne", {1}, {64}, {}, out);
  run.expect(out, std::vector<int>(66, 1));
}

CUDA_CASE(dependentLaunch, "hopper.cu", "sm_90a") {
  auto in = randomIntegers<int>(64, 0, 99);
  auto out = run.allocate<int>(64);
  run.launch("dependentLaunch", {1}, {64}, {}, run.upload(in), out);
  run.expect(out, generate(64, [&](size_t i) { return in[i] + 1; }));
}
