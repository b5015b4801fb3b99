//===- control.cpp - Calls, branches, local memory ------------------------===//
//
// What control.cu computes, on the CPU.
//
//===----------------------------------------------------------------------===//

#include "CudaSuite.h"

#include <algorithm>

using namespace tilec::emu::cuda;

namespace {

constexpr size_t kCount = 96;

int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

} // namespace

CUDA_CASE(functionCalls, "control.cu", "sm_80") {
  auto in = randomIntegers<int>(kCount, -50, 50);
  auto out = run.allocate<double>(kCount);
  run.launch("functionCalls", {2}, {48}, {}, run.upload(in), out);
  run.expect(out, generate(kCount, [&](size_t j) {
               int i = static_cast<int>(j), x = in[i];
               float p[] = {1.5f * x, 2.5f * (x + 1), -1.0f * (x + 2)};
               double value = x * 3 - i;
               if (x > 0)
                 value += x + i * 2.0 + 0.75 + 2.25 - x;
               return value + double(i * 10 + x) + double(p[0]) +
                      double(p[1] * p[2]);
             }));
}

CUDA_CASE(recursion, "control.cu", "sm_80") {
  auto in = randomIntegers<int>(kCount, 0, 1000);
  auto out = run.allocate<int>(2 * kCount);
  run.launch("recursion", {2}, {48}, {}, run.upload(in), out);
  run.expect(out, generate(2 * kCount, [&](size_t i) {
               int x = in[i / 2], product = 1;
               for (int j = 2; j <= x % 10; ++j)
                 product *= j;
               return i % 2 ? ackermann(x % 3, static_cast<int>(i / 2 % 4))
                            : product;
             }));
}

CUDA_CASE(functionPointers, "control.cu", "sm_80") {
  auto in = randomIntegers<int>(kCount, 0, 1000);
  auto out = run.allocate<int>(kCount);
  run.launch("functionPointers", {2}, {48}, {}, run.upload(in), out);
  run.expect(out, generate(kCount, [&](size_t j) {
               int i = static_cast<int>(j), x = in[i];
               int row[] = {x + i, x - i, x * i};
               return row[x % 3];
             }));
}

CUDA_CASE(switchTable, "control.cu", "sm_80") {
  auto in = randomIntegers<int>(kCount, -1, 12);
  in[7] = 40;
  auto out = run.allocate<int>(kCount);
  run.launch("switchTable", {2}, {48}, {}, run.upload(in), out);
  run.expect(out, generate(kCount, [&](size_t j) {
               int i = static_cast<int>(j), x = in[i];
               int row[] = {x + 11,     i * 7, i ^ 0x55, -i,   i << 3,
                            99 - x * i, i % 5, i % 5,    1000, i * i};
               return x == 40 ? 40 : x >= 0 && x < 10 ? row[x] : -1000 - x;
             }));
}

CUDA_CASE(localArrays, "control.cu", "sm_80") {
  auto in = randomIntegers<int>(kCount, 0, 1000);
  auto out = run.allocate<int>(kCount);
  run.launch("localArrays", {2}, {48}, {}, run.upload(in), out, 40);
  run.expect(out, generate(kCount, [&](size_t i) {
               int values[24];
               for (int j = 0; j < 24; ++j)
                 values[j] = in[i] + j * j;
               for (int j = 0; j < 40; ++j) {
                 int a = (in[i] + j * 7) % 24, b = (j * 5 + 3) % 24;
                 int t = values[a];
                 values[a] = values[b] + 1;
                 values[b] = t;
               }
               uint32_t sum = 0;
               for (int value : values)
                 sum = sum * 3 + value;
               return static_cast<int>(sum);
             }));
}

CUDA_CASE(insertionSort, "control.cu", "sm_80") {
  auto in = randomIntegers<int>(12 * kCount, -1000, 1000);
  auto out = run.allocate<int>(12 * kCount);
  run.launch("insertionSort", {2}, {48}, {}, run.upload(in), out);
  for (size_t i = 0; i < in.size(); i += 12)
    std::sort(in.begin() + i, in.begin() + i + 12);
  run.expect(out, in);
}

CUDA_CASE(divergentLoops, "control.cu", "sm_80") {
  auto in = randomIntegers<int>(kCount, 0, 60);
  auto out = run.upload(std::vector<int>(kCount, -7));
  run.launch("divergentLoops", {2}, {48}, {}, run.upload(in), out);
  run.expect(out, generate(kCount, [&](size_t j) {
               int i = static_cast<int>(j), sum = 0;
               for (int a = 0; a < in[i]; ++a) {
                 if ((a + i) % 3 == 0)
                   continue;
                 for (int b = a; b < 20 && b * a <= 150; b += 1 + i % 4)
                   sum += b ^ a;
                 if (sum > 5000)
                   return -7;
               }
               return sum;
             }));
}

CUDA_CASE(earlyExit, "control.cu", "sm_80") {
  auto in = randomIntegers<int>(kCount, -20, 99);
  auto out = run.upload(std::vector<int>(kCount, -7));
  run.launch("earlyExit", {1}, {96}, {}, run.upload(in), out);
  run.expect(out, generate(kCount, [&](size_t i) {
               int x = in[i];
               if (x < 0)
                 return -7;
               if (x % 2)
                 return x % 5 == 0 ? 5 : 1 + x;
               return 2 + x;
             }));
}

CUDA_CASE(assertions, "control.cu", "sm_80") {
  auto in = randomIntegers<int>(kCount, 0, 999);
  auto out = run.allocate<int>(kCount);
  run.launch("assertions", {2}, {48}, {}, run.upload(in), out);
  run.expect(out, generate(kCount, [&](size_t i) { return in[i] + 1; }));
}

CUDA_CASE(predicatedSelects, "control.cu", "sm_80") {
  auto a = randomIntegers<int>(kCount, -9, 9);
  auto b = randomFloats(kCount);
  auto out = run.allocate<int>(kCount);
  run.launch("predicatedSelects", {2}, {48}, {}, run.upload(a), run.upload(b),
             out);
  run.expect(out, generate(kCount, [&](size_t i) {
               int x = a[i] > 3 ? (b[i] > 0 ? 1 : 2)
                                : (b[i] > 0.5f || a[i] < -3 ? 3 : 4);
               bool p = (a[i] & 1) && b[i] < 0.25f, q = !p ^ (a[i] > 0);
               return x * 4 + p * 2 + q;
             }));
}

CUDA_CASE(stateMachine, "control.cu", "sm_80") {
  auto text = randomIntegers<uint8_t>(200, 'X', 'z');
  auto out = run.allocate<int>(32);
  run.launch("stateMachine", {1}, {32}, {}, run.upload(text), 200, out);
  run.expect(out, generate(32, [&](size_t lane) {
               int state = 0, count = 0;
               for (size_t i = lane; i < 200; ++i) {
                 uint8_t c = text[i];
                 if (state == 0) {
                   if (c > 'a')
                     state = 1, ++count;
                 } else if (state == 1) {
                   state = c == 'x' ? 2 : c <= 'a' ? 0 : 1;
                 } else {
                   state = c & 1 ? 0 : 1;
                   count += 100;
                 }
               }
               return count;
             }));
}

CUDA_CASE(paddedStructs, "control.cu", "sm_80") {
  auto in = randomIntegers<int>(kCount, -50, 50);
  auto out = run.allocate<int64_t>(kCount);
  run.launch("paddedStructs", {2}, {48}, {}, run.upload(in), out);
  run.expect(out, generate(kCount, [&](size_t j) {
               int x = in[j], choice = x & 3;
               return int64_t(100) * choice * static_cast<int64_t>(j) +
                      (x + choice) + (x - choice);
             }));
}

CUDA_CASE(missingMember, "control.cu", "sm_80") {
  run.expectReport(tilec::emu::ReportKind::Uninitialized,
                   "that the thread wrote nothing to");
  std::vector<int> in(kCount, 1);
  in[7] = 5;
  run.launch("missingMember", {2}, {48}, {}, run.upload(in),
             run.allocate<int64_t>(kCount));
}
