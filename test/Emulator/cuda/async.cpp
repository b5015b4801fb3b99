//===- async.cpp - cp.async, named barriers, mbarriers --------------------===//
//
// What async.cu computes, on the CPU.
//
//===----------------------------------------------------------------------===//

#include "CudaSuite.h"

using namespace tilec::emu::cuda;

CUDA_CASE(copyAsync, "async.cu", "sm_80") {
  auto in = randomIntegers<int>(512, 0, 9999);
  auto out = run.allocate<int>(512);
  run.launch("copyAsync", {2}, {64}, {}, run.upload(in), out);
  run.expect(out, generate(512, [&](size_t i) { return in[i ^ 255]; }));
}

CUDA_CASE(copyZeroFill, "async.cu", "sm_80") {
  auto in = randomFloats(101);
  auto out = run.allocate<float>(128);
  run.launch("copyZeroFill", {1}, {32}, {}, run.upload(in), out, 101);
  run.expect(out, generate(128, [&](size_t i) {
               size_t j = (i + 64) % 128;
               return j < 101 ? in[j] : 0.0f;
             }));
}

CUDA_CASE(copySmall, "async.cu", "sm_80") {
  auto in = randomIntegers<int>(64, 0, 9999);
  auto wide = randomIntegers<int64_t>(64, -9999, 9999);
  auto out = run.allocate<int>(64);
  auto wideOut = run.allocate<int64_t>(64);
  run.launch("copySmall", {1}, {64}, {}, run.upload(in), run.upload(wide), out,
             wideOut);
  run.expect(out, generate(64, [&](size_t i) { return in[63 - i]; }));
  run.expect(wideOut, generate(64, [&](size_t i) { return wide[i ^ 1]; }));
}

CUDA_CASE(pipelineSum, "async.cu", "sm_80") {
  for (int tiles = 0; tiles <= 7; ++tiles) {
    auto in = randomIntegers<float>(128 * tiles + 4, -99, 99);
    auto out = run.allocate<float>(128);
    run.launch("pipelineSum", {1}, {32}, {}, run.upload(in), out, tiles);
    run.expect(out, generate(128, [&](size_t i) {
                 float sum = 0;
                 for (int t = 0; t < tiles; ++t)
                   sum += in[t * 128 + (i ^ 127)];
                 return sum;
               }));
  }
}

CUDA_CASE(pipelineGemm, "async.cu", "sm_80") {
  int n = 128;
  auto a = randomIntegers<int>(n * n, -4, 4, 1);
  auto b = randomIntegers<int>(n * n, -4, 4, 2);
  auto halves = [](const std::vector<int> &v) {
    return generate(v.size(), [&](size_t i) { return toHalf(float(v[i])); });
  };
  auto d = run.allocate<float>(n * n);
  run.launch("pipelineGemm", {2, 2}, {128}, {}, run.upload(halves(a)),
             run.upload(halves(b)), d, n);
  run.expect(d, matmul(
                    n, n, n, [&](int i, int k) { return a[i * n + k]; },
                    [&](int k, int j) { return b[k * n + j]; }));
}

CUDA_CASE(pipelinePrimitives, "async.cu", "sm_80") {
  auto in = randomFloats(256);
  auto out = run.allocate<float>(256);
  run.launch("primitives", {1}, {64}, {}, run.upload(in), out);
  run.expect(out, generate(256, [&](size_t i) {
               return in[(63 - i / 4) * 4 + i % 4];
             }));
}

CUDA_CASE(groupCopy, "async.cu", "sm_80") {
  auto in = randomIntegers<int>(400, 0, 9999);
  auto out = run.allocate<int>(400);
  run.launch("groupCopy", {2}, {64}, {800, {}}, run.upload(in), out, 200);
  run.expect(out, generate(400, [&](size_t i) {
               return in[i / 200 * 200 + 199 - i % 200];
             }));
}

CUDA_CASE(namedBarriers, "async.cu", "sm_80") {
  for (int rounds : {1, 2, 5}) {
    auto in = randomIntegers<int>(64 * rounds, 0, 9999);
    auto out = run.allocate<int>(64 * rounds);
    run.launch("namedBarriers", {1}, {128}, {}, run.upload(in), out, rounds);
    run.expect(out, generate(64 * rounds, [&](size_t i) {
                 return in[i / 64 * 64 + (i % 64 ^ 33)] * 2 + 1;
               }));
  }
}

CUDA_CASE(mbarrierRounds, "async.cu", "sm_80") {
  auto values = randomIntegers<int>(128, 0, 99);
  auto out = run.allocate<int>(128);
  run.launch("mbarrierRounds", {1}, {128}, {}, run.upload(values), out);
  for (int r = 0; r < 5; ++r) {
    auto before = values;
    for (int i = 0; i < 128; ++i)
      values[i] += before[(i * 5 + r) % 128];
  }
  run.expect(out, values);
}

CUDA_CASE(copyArrive, "async.cu", "sm_80") {
  auto in = randomIntegers<int>(256, 0, 9999);
  auto out = run.allocate<int>(256);
  run.launch("copyArrive", {1}, {64}, {}, run.upload(in), out);
  run.expect(out, generate(256, [&](size_t i) { return in[i ^ 255]; }));
}

CUDA_CASE(cudaBarrier, "async.cu", "sm_80") {
  auto values = randomIntegers<int>(96, 0, 99);
  auto out = run.allocate<int>(96);
  run.launch("cudaBarrier", {1}, {96}, {}, run.upload(values), out);
  for (int r = 0; r < 3; ++r) {
    auto before = values;
    for (int i = 0; i < 96; ++i)
      values[i] += before[(i + 17) % 96];
  }
  run.expect(out, values);
}
