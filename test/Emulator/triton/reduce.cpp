//===- reduce.cpp - Scans, counts, sorting, atomics -----------------------===//
//
// What the kernels that move values between threads compute, on the CPU.
//
//===----------------------------------------------------------------------===//

#include "TritonSuite.h"

#include <algorithm>

using namespace tilec::emu;
using namespace tilec::emu::triton;

TRITON_CASE(scans, "sm_80") {
  constexpr size_t rows = 8, columns = 64;
  // Multiples of 1/4 with small sums: every order gives the same sum.
  auto steps = randomIntegers<int>(rows * columns, 1, 6);
  auto x = generate(rows * columns,
                    [&](size_t i) { return 0.25f * float(steps[i]); });
  auto sums = run.allocate<float>(rows * columns);
  auto products = run.allocate<float>(rows * columns);
  auto recurrence = run.allocate<float>(rows * columns);
  launch(run, "scans", {1}, run.upload(x), sums, products, recurrence);
  run.expect(sums, generate(rows * columns, [&](size_t i) {
               float sum = 0;
               for (size_t j = i / columns * columns; j <= i; ++j)
                 sum += x[j];
               return sum;
             }));
  run.expectNear(products,
                 generate(rows * columns,
                          [&](size_t i) {
                            double product = 1;
                            for (size_t j = i; j < rows * columns; j += columns)
                              product *= x[j];
                            return static_cast<float>(product);
                          }),
                 1e-5);
  run.expectNear(recurrence,
                 generate(rows * columns,
                          [&](size_t i) {
                            double state = 0;
                            for (size_t j = i / columns * columns; j <= i; ++j)
                              state = state * (x[j] * 0.5) + x[j];
                            return static_cast<float>(state);
                          }),
                 1e-4);
}

TRITON_CASE(histogram, "sm_80 sm_90") {
  constexpr uint32_t n = 1300;
  auto x = randomIntegers<uint32_t>(n, 0, 31);
  auto counts = run.zeros<uint32_t>(32);
  auto last = run.zeros<uint32_t>(4);
  launch(run, "histogram", {3}, run.upload(x), counts, last, n);
  std::vector<uint32_t> expected(32), expectedLast(4);
  for (uint32_t i = 0; i < n; ++i) {
    ++expected[x[i]];
    expectedLast[x[i] % 4] = i;
  }
  run.expect(counts, expected);
  run.expect(last, expectedLast);
}

TRITON_CASE(arg_reduce, "sm_90") {
  constexpr size_t rows = 16, columns = 64;
  // Few distinct values, so that ties decide.
  auto codes = randomIntegers<int>(rows * columns, -9, 9);
  auto x = generate(rows * columns, [&](size_t i) { return float(codes[i]); });
  auto largest = run.allocate<float>(rows);
  auto where = run.allocate<uint32_t>(rows);
  auto smallestAt = run.allocate<uint32_t>(columns);
  auto parity = run.allocate<int32_t>(rows);
  launch(run, "arg_reduce", {1}, run.upload(x), largest, where, smallestAt,
         parity);
  auto at = [&](size_t row) {
    auto begin = x.begin() + static_cast<long>(row * columns);
    return std::max_element(begin, begin + columns) - begin;
  };
  run.expect(largest, generate(rows, [&](size_t r) {
               return x[r * columns + static_cast<size_t>(at(r))];
             }));
  run.expect(where, generate(rows, [&](size_t r) {
               return static_cast<uint32_t>(at(r));
             }));
  run.expect(smallestAt, generate(columns, [&](size_t c) {
               uint32_t best = 0;
               for (uint32_t r = 1; r < rows; ++r)
                 if (x[r * columns + c] < x[best * columns + c])
                   best = r;
               return best;
             }));
  run.expect(parity, generate(rows, [&](size_t r) {
               int32_t bits = 0;
               for (size_t c = 0; c < columns; ++c)
                 bits ^= codes[r * columns + c];
               return bits;
             }));
}

TRITON_CASE(sort_rows, "sm_80") {
  constexpr size_t rows = 4, columns = 64;
  auto x = randomIntegers<int32_t>(rows * columns, -99, 99);
  auto out = run.allocate<int32_t>(rows * columns);
  launch(run, "sort_rows", {1}, run.upload(x), out);
  for (size_t r = 0; r < rows; ++r)
    std::sort(x.begin() + static_cast<long>(r * columns),
              x.begin() + static_cast<long>((r + 1) * columns),
              std::greater<>());
  run.expect(out, x);
}

TRITON_CASE(gather_rows, "sm_80") {
  constexpr size_t rows = 32, columns = 32;
  auto x = randomFloats(rows * columns);
  auto index = randomIntegers<int32_t>(rows * columns, 0, 31);
  auto out = run.allocate<float>(rows * columns);
  launch(run, "gather_rows", {1}, run.upload(x), run.upload(index), out);
  run.expect(out, generate(rows * columns, [&](size_t i) {
               return x[static_cast<size_t>(index[i]) * columns + i % columns];
             }));
}

TRITON_CASE(lock_and_sum, "sm_80") {
  constexpr uint32_t n = 1000;
  auto codes = randomIntegers<int>(n, 0, 15);
  auto x = generate(n, [&](size_t i) { return float(codes[i]); });
  auto lock = run.zeros<uint32_t>(1);
  auto totals = run.zeros<float>(128);
  launch(run, "lock_and_sum", {8}, run.upload(x), lock, totals, n);
  run.expect(totals, generate(128, [&](size_t i) {
               float sum = 0;
               for (; i < n; i += 128)
                 sum += x[i];
               return sum;
             }));
  run.expect(lock, {0u});
}
