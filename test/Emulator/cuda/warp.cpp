//===- warp.cpp - Shuffles, votes, matches, reductions --------------------===//
//
// What warp.cu computes, on the CPU.
//
//===----------------------------------------------------------------------===//

#include "CudaSuite.h"

#include <algorithm>
#include <numeric>

using namespace tilec::emu::cuda;

CUDA_CASE(reduceXor, "warp.cu", "sm_80") {
  auto in = randomIntegers<float>(128, -9, 9);
  auto out = run.allocate<float>(128);
  run.launch("reduceXor", {2}, {64}, {}, run.upload(in), out);
  run.expect(out, generate(128, [&](size_t i) {
               auto begin = in.begin() + i / 32 * 32;
               return std::accumulate(begin, begin + 32, 0.0f);
             }));
}

CUDA_CASE(reduceBlock, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(3 * 256, -999, 999);
  auto out = run.allocate<int>(3);
  run.launch("reduceBlock", {3}, {256}, {}, run.upload(in), out);
  run.expect(out, generate(3, [&](size_t i) {
               auto begin = in.begin() + i * 256;
               return std::accumulate(begin, begin + 256, 0);
             }));
}

CUDA_CASE(scanWarp, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(96, -9, 9);
  auto out = run.allocate<int>(96);
  run.launch("scanWarp", {1}, {96}, {}, run.upload(in), out);
  run.expect(out, generate(96, [&](size_t i) {
               return std::accumulate(in.begin() + i / 32 * 32,
                                      in.begin() + i + 1, 0);
             }));
}

CUDA_CASE(scanBlock, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(200, -9, 9);
  auto out = run.allocate<int>(200);
  run.launch("scanBlock", {1}, {256}, {}, run.upload(in), out, 200);
  std::vector<int> expected(200);
  std::partial_sum(in.begin(), in.end(), expected.begin());
  run.expect(out, expected);
}

CUDA_CASE(shuffleWidths, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(32, 0, 10000);
  auto out = run.allocate<int>(160);
  run.launch("shuffleWidths", {1}, {32}, {}, run.upload(in), out);
  run.expect(out, generate(160, [&](size_t i) {
               size_t lane = i / 5;
               size_t from[] = {
                   lane / 8 * 8 + 5, lane % 16 >= 3 ? lane - 3 : lane,
                   lane % 4 < 2 ? lane + 2 : lane, lane ^ 9, lane * 7 % 32};
               return in[from[i % 5]];
             }));
}

CUDA_CASE(shuffle64, "warp.cu", "sm_80") {
  auto in = generate(32, [](size_t i) { return 1.0 / (i + 3); });
  auto x = generate(32, [](size_t i) { return int64_t(i * 0x123456789abcll); });
  auto out = run.allocate<double>(32);
  auto y = run.allocate<int64_t>(32);
  run.launch("shuffle64", {1}, {32}, {}, run.upload(in), out, run.upload(x), y);
  run.expect(out, generate(32, [&](size_t i) { return in[i ^ 1]; }));
  run.expect(y, generate(32, [&](size_t i) { return x[i < 28 ? i + 4 : i]; }));
}

CUDA_CASE(votes, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(32, -9, 9);
  auto out = run.allocate<uint32_t>(128);
  run.launch("votes", {1}, {32}, {}, run.upload(in), out);
  uint32_t positive = 0, odd = 0;
  for (int i = 0; i < 32; ++i) {
    positive |= uint32_t(in[i] > 0) << i;
    odd |= uint32_t(i % 2 && in[i] > 5) << i;
  }
  run.expect(out, generate(128, [&](size_t i) {
               uint32_t row[] = {positive, positive != 0, positive == ~0u,
                                 i / 4 % 2 ? odd : 0};
               return row[i % 4];
             }));
}

CUDA_CASE(matches, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(32, 0, 4);
  auto wide = generate(32, [](size_t i) { return uint64_t(i % 3) << 40; });
  auto out = run.allocate<uint32_t>(128);
  run.launch("matches", {1}, {32}, {}, run.upload(in), run.upload(wide), out);
  run.expect(out, generate(128, [&](size_t i) {
               uint32_t same = 0, sameWide = 0;
               for (int j = 0; j < 32; ++j) {
                 same |= uint32_t(in[j] == in[i / 4]) << j;
                 sameWide |= uint32_t(wide[j] == wide[i / 4]) << j;
               }
               uint32_t row[] = {same, 0, 0, sameWide};
               return row[i % 4];
             }));
}

CUDA_CASE(reduxes, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(32, -999, 999);
  auto bits = randomWords(32);
  auto out = run.allocate<int>(256);
  run.launch("reduxes", {1}, {32}, {}, run.upload(in), run.upload(bits), out);
  uint32_t all = ~0u, any = 0, parity = 0;
  for (uint32_t word : bits)
    all &= word, any |= word, parity ^= word;
  int row[] = {std::accumulate(in.begin(), in.end(), 0),
               *std::min_element(in.begin(), in.end()),
               *std::max_element(in.begin(), in.end()),
               int(all),
               int(any),
               int(parity),
               int(*std::min_element(bits.begin(), bits.end())),
               std::accumulate(in.begin() + 20, in.end(), 0)};
  run.expect(out, generate(256, [&](size_t i) {
               return i % 8 == 7 && i / 8 < 20 ? 0 : row[i % 8];
             }));
}

CUDA_CASE(activeMasks, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(32, 0, 99);
  auto out = run.allocate<uint32_t>(32);
  run.launch("activeMasks", {1}, {32}, {}, run.upload(in), out);
  uint32_t threes = 0;
  for (int i = 0; i < 32; ++i)
    threes |= uint32_t(in[i] % 3 == 0) << i;
  run.expect(out, generate(32, [&](size_t) { return threes; }));
}

CUDA_CASE(exchangeSyncwarp, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(64, 0, 99);
  auto out = run.allocate<int>(64);
  run.launch("exchangeSyncwarp", {1}, {64}, {}, run.upload(in), out);
  run.expect(out, generate(64, [&](size_t i) { return in[i ^ 1 ^ 7] * 2; }));
}

CUDA_CASE(bitonicSort, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(128, -1000, 1000);
  auto out = run.allocate<int>(128);
  run.launch("bitonicSort", {2}, {64}, {}, run.upload(in), out);
  for (int i = 0; i < 128; i += 32)
    std::sort(in.begin() + i, in.begin() + i + 32);
  run.expect(out, in);
}

CUDA_CASE(groupReduce, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(64, 0, 9);
  auto out = run.allocate<int>(64);
  run.launch("groupReduce", {1}, {64}, {}, run.upload(in), out);
  run.expect(out, generate(64, [&](size_t i) {
               auto begin = in.begin() + i / 8 * 8;
               int sum = std::accumulate(begin, begin + 8, 0);
               return sum * 100 + static_cast<int>(i % 8 + i / 8);
             }));
}

CUDA_CASE(tileReduce, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(64, 0, 9);
  std::vector<Buffer<int>> out;
  for (int k = 0; k < 4; ++k)
    out.push_back(run.allocate<int>(64));
  run.launch("tileReduce", {1}, {64}, {}, run.upload(in), out[0], out[1],
             out[2], out[3]);
  for (size_t k = 0; k < 4; ++k)
    run.expect(out[k], generate(64, [&](size_t i) {
                 size_t size = size_t(4) << k;
                 int sum = 0, most = 0;
                 unsigned bits = 0;
                 for (size_t j = i / size * size; j < (i / size + 1) * size;
                      ++j) {
                   sum += in[j];
                   most = std::max(most, in[j]);
                   bits |= 1u << in[j];
                 }
                 return sum * 10000 + most * 1000 + __builtin_popcount(bits);
               }));
}

CUDA_CASE(tileReduceDiverged, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(64, 0, 99);
  auto out = run.allocate<int>(64);
  run.launch("tileReduceDiverged", {1}, {64}, {}, run.upload(in), out);
  run.expect(out, generate(64, [&](size_t i) {
               int sum = 0;
               for (size_t j = i / 16 * 16; j < i / 16 * 16 + 16; ++j) {
                 int n = in[j] % 3 * 2;
                 sum += n * (n + 1) / 2 + (j / 16 % 2 ? 100 : 0);
               }
               return sum;
             }));
}

CUDA_CASE(aggregatedAtomics, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(256, 0, 1000);
  auto counter = run.zeros<int>(1);
  auto slots = run.zeros<int>(256);
  run.launch("aggregatedAtomics", {2}, {128}, {}, run.upload(in), counter,
             slots);
  std::vector<int> even;
  for (int value : in)
    if (value % 2 == 0)
      even.push_back(value);
  run.expect(counter, std::vector<int>{static_cast<int>(even.size())});
  // Which warp comes first is open: compare as sets.
  std::vector<int> actual = run.download(slots);
  actual.resize(even.size());
  std::sort(actual.begin(), actual.end());
  std::sort(even.begin(), even.end());
  if (actual != even && run.messages.empty())
    run.fail("the collected values differ");
}

CUDA_CASE(blockVotes, "warp.cu", "sm_80") {
  auto in = randomIntegers<int>(192, -99, 99);
  auto out = run.allocate<int>(192);
  run.launch("blockVotes", {2}, {96}, {}, run.upload(in), out);
  run.expect(out, generate(192, [&](size_t i) {
               int count = 0, any = 0;
               for (size_t j = i / 96 * 96; j < i / 96 * 96 + 96; ++j)
                 count += in[j] > 0, any |= in[j] > 98;
               return count * 100 + 10 + any;
             }));
}
