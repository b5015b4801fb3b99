//===- atomics.cpp - Atomic operations ------------------------------------===//
//
// What atomics.cu computes, on the CPU. Sums of floats are of integers, so
// their order does not matter.
//
//===----------------------------------------------------------------------===//

#include "CudaSuite.h"

#include <algorithm>
#include <numeric>

using namespace tilec::emu::cuda;

namespace {
constexpr size_t kCount = 256;
}

CUDA_CASE(histogramShared, "atomics.cu", "sm_80") {
  auto in = randomIntegers<uint8_t>(1000, 0, 255);
  auto bins = run.zeros<uint32_t>(64);
  run.launch("histogramShared", {3}, {128}, {}, run.upload(in), bins, 1000);
  std::vector<uint32_t> expected(64);
  for (uint8_t value : in)
    ++expected[value & 63];
  run.expect(bins, expected);
}

CUDA_CASE(histogramGlobal, "atomics.cu", "sm_80") {
  auto in = randomIntegers<uint8_t>(kCount, 0, 9);
  auto bins = run.zeros<int>(10);
  run.launch("histogramGlobal", {4}, {64}, {}, run.upload(in), bins);
  std::vector<int> expected(10);
  for (uint8_t value : in)
    ++expected[value];
  run.expect(bins, expected);
}

CUDA_CASE(atomicMinMax, "atomics.cu", "sm_80") {
  auto in = randomIntegers<int>(kCount, -100000, 100000);
  auto s = run.zeros<int>(2);
  auto u = run.upload(std::vector<uint32_t>{~0u, 0});
  auto w = run.zeros<int64_t>(2);
  run.launch("minMax", {4}, {64}, {}, run.upload(in), s, u, w);
  int low = *std::min_element(in.begin(), in.end());
  int high = *std::max_element(in.begin(), in.end());
  uint32_t unsignedLow = ~0u, unsignedHigh = 0;
  for (int x : in) {
    unsignedLow = std::min(unsignedLow, uint32_t(x));
    unsignedHigh = std::max(unsignedHigh, uint32_t(x));
  }
  run.expect(s, std::vector<int>{low, high});
  run.expect(u, std::vector<uint32_t>{unsignedLow, unsignedHigh});
  run.expect(w, std::vector<int64_t>{int64_t(low) * (1 << 20),
                                     int64_t(uint64_t(unsignedHigh) << 20)});
}

CUDA_CASE(atomicLogical, "atomics.cu", "sm_80") {
  auto in = randomWords(kCount);
  auto out = run.upload(std::vector<uint32_t>{~0u, 0, 0});
  auto wide = run.zeros<uint64_t>(1);
  run.launch("logical", {4}, {64}, {}, run.upload(in), out, wide);
  uint32_t all = ~0u, any = 0, parity = 0;
  for (uint32_t x : in)
    all &= x | 0xff, any |= x & 0xffff0000u, parity ^= x;
  run.expect(out, std::vector<uint32_t>{all, any, parity});
  run.expect(wide, std::vector<uint64_t>{uint64_t(parity) << 32 | parity});
}

CUDA_CASE(atomicSums, "atomics.cu", "sm_80") {
  auto in = randomIntegers<float>(kCount, -50, 50);
  auto f = run.zeros<float>(3);
  auto d = run.zeros<double>(1);
  auto u = run.zeros<uint64_t>(1);
  run.launch("sums", {4}, {64}, {}, run.upload(in), f, d, u);
  std::vector<float> expected(3);
  double total = 0;
  for (size_t i = 0; i < kCount; ++i)
    expected[i % 3] += in[i], total += in[i] * 0.5;
  run.expect(f, expected);
  run.expect(d, std::vector<double>{total});
  run.expect(u,
             std::vector<uint64_t>{uint64_t(kCount * (kCount - 1) / 2) << 33});
}

CUDA_CASE(packedSums, "atomics.cu", "sm_90") {
  auto in = randomIntegers<float>(64, -3, 3);
  auto h = run.zeros<uint16_t>(4);
  auto b = run.zeros<uint16_t>(4);
  auto single = run.zeros<uint16_t>(2);
  run.launch("packedSums", {2}, {32}, {}, run.upload(in), h, b, single);
  float sum[2] = {};
  for (size_t i = 0; i < 64; ++i)
    sum[i % 2] += in[i];
  run.expect(h, std::vector<uint16_t>{toHalf(sum[0]), toHalf(-sum[0]),
                                      toHalf(sum[1]), toHalf(-sum[1])});
  run.expect(b, std::vector<uint16_t>{toBfloat(32), toBfloat(sum[0]),
                                      toBfloat(32), toBfloat(sum[1])});
  run.expect(single, std::vector<uint16_t>{toHalf(64), 0});
}

CUDA_CASE(casMaximum, "atomics.cu", "sm_80") {
  auto in = randomFloats(kCount, -100, 100);
  auto out = run.upload(std::vector<float>{-1e30f});
  run.launch("casMaximum", {4}, {64}, {}, run.upload(in), out);
  run.expect(out, std::vector<float>{*std::max_element(in.begin(), in.end())});
}

CUDA_CASE(atomicCounters, "atomics.cu", "sm_80") {
  auto inc = run.zeros<uint32_t>(1), dec = run.zeros<uint32_t>(1);
  auto sub = run.zeros<int>(1), seen = run.zeros<int>(kCount);
  auto cas = run.upload(std::vector<uint64_t>{5});
  run.launch("counters", {4}, {64}, {}, inc, dec, sub, seen, cas);
  run.expect(inc, std::vector<uint32_t>{kCount});
  // From 0 down by one and round again after 10: 256 = 23 * 11 + 3 steps.
  run.expect(dec, std::vector<uint32_t>{8});
  run.expect(sub,
             std::vector<int>{-static_cast<int>(kCount * (kCount - 1) / 2)});
  run.expect(cas, std::vector<uint64_t>{uint64_t(1) << 40});
  std::vector<int> tickets = run.download(seen), expected(kCount);
  std::sort(tickets.begin(), tickets.end());
  std::iota(expected.begin(), expected.end(), 1);
  if (tickets != expected && run.messages.empty())
    run.fail("a ticket was given twice");
}

CUDA_CASE(lastBlock, "atomics.cu", "sm_80") {
  auto in = randomIntegers<int>(kCount, -99, 99);
  auto partial = run.zeros<int>(4);
  auto done = run.zeros<uint32_t>(1);
  auto out = run.zeros<int>(1);
  run.launch("lastBlock", {4}, {64}, {}, run.upload(in), partial, done, out);
  run.expect(out, std::vector<int>{std::accumulate(in.begin(), in.end(), 0)});
}

CUDA_CASE(spinLock, "atomics.cu", "sm_80") {
  auto out = run.allocate<int>(1);
  run.launch("spinLock", {1}, {256}, {}, out);
  run.expect(out, std::vector<int>{55}); // eight steps of Fibonacci from 1, 1
}

CUDA_CASE(blockScope, "atomics.cu", "sm_80") {
  auto out = run.zeros<int>(1);
  run.launch("blockScope", {3}, {64}, {}, out);
  run.expect(out, std::vector<int>{3 * 63 * 64 / 2});
}
