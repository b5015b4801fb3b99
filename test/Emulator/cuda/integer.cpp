//===- integer.cpp - Integer arithmetic -----------------------------------===//
//
// What integer.cu computes, on the CPU.
//
//===----------------------------------------------------------------------===//

#include "CudaSuite.h"

#include <bit>
#include <cstdlib>
#include <numeric>

using namespace tilec::emu::cuda;

namespace {

constexpr size_t kCount = 128;

/// Random words of very different magnitudes, zero and extremes among them.
std::vector<uint32_t> words(uint32_t seed) {
  auto values = randomWords(kCount, seed);
  for (size_t i = 0; i < kCount; ++i)
    values[i] >>= (values[(i + 1) % kCount] % 4) * 8;
  values[0] = 0, values[1] = 0xffffffffu, values[2] = 0x80000000u;
  return values;
}
std::vector<int> ints(uint32_t seed) {
  auto values = words(seed);
  return generate(kCount,
                  [&](size_t i) { return static_cast<int>(values[i]); });
}

uint32_t reverse(uint32_t x) {
  uint32_t result = 0;
  for (int i = 0; i < 32; ++i)
    result |= (x >> i & 1) << (31 - i);
  return result;
}

/// prmt in its default mode.
uint32_t permute(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t pool = a | uint64_t(b) << 32;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    uint32_t pick = selector >> (4 * i) & 15;
    uint8_t byte = static_cast<uint8_t>(pool >> (8 * (pick & 7)));
    if (pick & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= uint32_t(byte) << (8 * i);
  }
  return result;
}

template <typename Lane, typename Function>
uint32_t simd(uint32_t a, uint32_t b, Function function) {
  constexpr int bits = 8 * sizeof(Lane);
  uint32_t result = 0;
  for (int i = 0; i < 32; i += bits) {
    Lane x = static_cast<Lane>(a >> i), y = static_cast<Lane>(b >> i);
    uint32_t mask = bits == 8 ? 0xff : 0xffff;
    result |= (static_cast<uint32_t>(function(x, y)) & mask) << i;
  }
  return result;
}

} // namespace

CUDA_CASE(divide32, "integer.cu", "sm_80") {
  auto a = ints(1), b = ints(2);
  for (int &x : b)
    x = x == 0 || x == -1 ? 3 : x;
  auto q = run.allocate<int>(kCount), r = run.allocate<int>(kCount);
  auto uq = run.allocate<uint32_t>(kCount), ur = run.allocate<uint32_t>(kCount);
  run.launch("divide32", {2}, {64}, {}, run.upload(a), run.upload(b), q, r, uq,
             ur);
  run.expect(q, generate(kCount, [&](size_t i) { return a[i] / b[i]; }));
  run.expect(r, generate(kCount, [&](size_t i) { return a[i] % b[i]; }));
  run.expect(uq, generate(kCount, [&](size_t i) {
               return uint32_t(a[i]) / uint32_t(b[i]);
             }));
  run.expect(ur, generate(kCount, [&](size_t i) {
               return uint32_t(a[i]) % uint32_t(b[i]);
             }));
}

CUDA_CASE(divide64, "integer.cu", "sm_80") {
  auto ua = randomLongs(kCount, 1), ub = randomLongs(kCount, 2);
  for (size_t i = 0; i < kCount; ++i)
    ub[i] = (ub[i] >> (i % 60)) | 2;
  auto cast = [](const std::vector<uint64_t> &v) {
    return generate(v.size(), [&](size_t i) { return int64_t(v[i]); });
  };
  auto a = cast(ua), b = cast(ub);
  auto q = run.allocate<int64_t>(kCount), r = run.allocate<int64_t>(kCount);
  auto uq = run.allocate<uint64_t>(kCount), ur = run.allocate<uint64_t>(kCount);
  run.launch("divide64", {2}, {64}, {}, run.upload(a), run.upload(b), q, r, uq,
             ur);
  run.expect(q, generate(kCount, [&](size_t i) { return a[i] / b[i]; }));
  run.expect(r, generate(kCount, [&](size_t i) { return a[i] % b[i]; }));
  run.expect(uq, generate(kCount, [&](size_t i) { return ua[i] / ub[i]; }));
  run.expect(ur, generate(kCount, [&](size_t i) { return ua[i] % ub[i]; }));
}

CUDA_CASE(divideConstants, "integer.cu", "sm_80") {
  auto a = ints(3);
  auto out = run.allocate<int>(4 * kCount);
  run.launch("divideConstants", {2}, {64}, {}, run.upload(a), out);
  run.expect(out, generate(4 * kCount, [&](size_t i) {
               int x = a[i / 4];
               int row[] = {x / 7, x % 10, int(uint32_t(x) / 641u), x / -16};
               return row[i % 4];
             }));
}

CUDA_CASE(multiplies, "integer.cu", "sm_80") {
  auto a = ints(4), b = ints(5);
  auto out = run.allocate<int64_t>(8 * kCount);
  run.launch("multiplies", {2}, {64}, {}, run.upload(a), run.upload(b), out);
  auto low24 = [](int x) { return int(uint32_t(x) << 8) >> 8; };
  run.expect(out, generate(8 * kCount, [&](size_t i) {
               int x = a[i / 8], y = b[i / 8];
               uint64_t wide = uint64_t(uint32_t(x)) * uint32_t(y);
               int64_t signedWide = int64_t(x) * y;
               __int128 huge =
                   __int128(int64_t(x) * (1 << 30)) * (int64_t(y) * (1 << 29));
               int64_t row[] = {signedWide >> 32,
                                int64_t(wide >> 32),
                                signedWide,
                                int64_t(wide),
                                int(uint32_t(int64_t(low24(x)) * low24(y))),
                                int(uint32_t(x) * uint32_t(y) + 17),
                                int64_t(huge >> 64),
                                int64_t(int16_t(x)) * int16_t(y)};
               return row[i % 8];
             }));
}

CUDA_CASE(bits32, "integer.cu", "sm_80") {
  auto a = words(6);
  auto out = run.allocate<uint32_t>(8 * kCount);
  run.launch("bits32", {2}, {64}, {}, run.upload(a), out);
  run.expect(out, generate(8 * kCount, [&](size_t i) {
               uint32_t x = a[i / 8], s = x & 31;
               uint32_t row[] = {uint32_t(std::popcount(x)),
                                 uint32_t(std::countl_zero(x)),
                                 x ? uint32_t(std::countr_zero(x)) + 1 : 0,
                                 reverse(x),
                                 x << s,
                                 uint32_t(int(x) >> s),
                                 x >> s,
                                 ~x ^ (x & 0xff00ff00u)};
               return row[i % 8];
             }));
}

CUDA_CASE(bits64, "integer.cu", "sm_80") {
  auto a = randomLongs(kCount, 7);
  a[0] = 0;
  auto out = run.allocate<uint64_t>(8 * kCount);
  run.launch("bits64", {2}, {64}, {}, run.upload(a), out);
  run.expect(out, generate(8 * kCount, [&](size_t i) {
               uint64_t x = a[i / 8], s = x & 63;
               uint64_t reversed =
                   uint64_t(reverse(uint32_t(x))) << 32 | reverse(x >> 32);
               uint64_t row[] = {uint64_t(std::popcount(x)),
                                 uint64_t(std::countl_zero(x)),
                                 x ? uint64_t(std::countr_zero(x)) + 1 : 0,
                                 reversed,
                                 x << s,
                                 uint64_t(int64_t(x) >> s),
                                 std::rotr(x, 17),
                                 x * 0x9e3779b97f4a7c15ull};
               return row[i % 8];
             }));
}

CUDA_CASE(permuteBytes, "integer.cu", "sm_80") {
  auto a = words(8), b = words(9), s = randomWords(kCount, 10);
  auto out = run.allocate<uint32_t>(4 * kCount);
  run.launch("permuteBytes", {2}, {64}, {}, run.upload(a), run.upload(b),
             run.upload(s), out);
  run.expect(out, generate(4 * kCount, [&](size_t i) {
               uint32_t x = a[i / 4], y = b[i / 4], z = s[i / 4];
               uint64_t pool = x | uint64_t(y) << 32;
               uint32_t row[] = {permute(x, y, z & 0x7777),
                                 permute(x, y, 0x0123), permute(x, y, z),
                                 uint32_t(std::rotr(pool, 8 * (z & 3)))};
               return row[i % 4];
             }));
}

CUDA_CASE(funnelShifts, "integer.cu", "sm_80") {
  auto a = words(11), b = words(12), s = randomWords(kCount, 13);
  auto out = run.allocate<uint32_t>(4 * kCount);
  run.launch("funnelShifts", {2}, {64}, {}, run.upload(a), run.upload(b),
             run.upload(s), out);
  run.expect(out, generate(4 * kCount, [&](size_t i) {
               uint64_t both = a[i / 4] | uint64_t(b[i / 4]) << 32;
               uint32_t wrap = s[i / 4] & 31;
               uint32_t clamp = std::min(s[i / 4] & 63, 32u);
               uint32_t row[] = {
                   uint32_t(both << wrap >> 32), uint32_t(both >> wrap),
                   uint32_t(both << clamp >> 32), uint32_t(both >> clamp)};
               return row[i % 4];
             }));
}

CUDA_CASE(threeInputLogic, "integer.cu", "sm_80") {
  auto a = words(14), b = words(15), c = words(16);
  auto out = run.allocate<uint32_t>(4 * kCount);
  run.launch("threeInputLogic", {2}, {64}, {}, run.upload(a), run.upload(b),
             run.upload(c), out);
  auto lookup = [](uint32_t x, uint32_t y, uint32_t z, uint32_t table) {
    uint32_t result = 0;
    for (int i = 0; i < 32; ++i) {
      uint32_t index = (x >> i & 1) << 2 | (y >> i & 1) << 1 | (z >> i & 1);
      result |= (table >> index & 1) << i;
    }
    return result;
  };
  run.expect(out, generate(4 * kCount, [&](size_t i) {
               uint32_t x = a[i / 4], y = b[i / 4], z = c[i / 4];
               uint32_t row[] = {(x & y) | (~x & z), x ^ y ^ z,
                                 lookup(x, y, z, 0xe8), lookup(x, y, z, 0x1b)};
               return row[i % 4];
             }));
}

CUDA_CASE(bitFields, "integer.cu", "sm_80") {
  auto a = words(17), b = randomWords(kCount, 18);
  auto out = run.allocate<uint32_t>(6 * kCount);
  run.launch("bitFields", {2}, {64}, {}, run.upload(a), run.upload(b), out);
  run.expect(out, generate(6 * kCount, [&](size_t i) {
               uint32_t x = a[i / 6], y = b[i / 6];
               uint32_t position = y & 31, length = y >> 8 & 31;
               uint64_t ones = (uint64_t(1) << length) - 1;
               uint32_t field = uint32_t((uint64_t(x) >> position) & ones);
               // The sign of a signed field, the word's own beyond its end.
               uint32_t top = std::min(position + length - 1, 31u);
               bool negative = length && (x >> top & 1);
               uint32_t sign = negative ? uint32_t(~uint64_t(0) << length) : 0;
               if (negative && position + length > 32)
                 sign = uint32_t(~uint64_t(0) << (32 - position));
               uint32_t mask = uint32_t(ones << position);
               uint32_t magnitude = int(x) < 0 ? ~x : x;
               uint32_t row[] = {
                   field,
                   field | sign,
                   (x & ~mask) | (uint32_t(uint64_t(y) << position) & mask),
                   x ? 31u - std::countl_zero(x) : ~0u,
                   magnitude ? uint32_t(std::countl_zero(magnitude)) : ~0u,
                   mask};
               return row[i % 6];
             }));
}

CUDA_CASE(dotProducts, "integer.cu", "sm_80") {
  auto a = ints(19), b = ints(20), c = ints(21);
  auto out = run.allocate<int>(6 * kCount);
  run.launch("dotProducts", {2}, {64}, {}, run.upload(a), run.upload(b),
             run.upload(c), out);
  run.expect(out, generate(6 * kCount, [&](size_t i) {
               uint32_t x = a[i / 6], y = b[i / 6], z = c[i / 6];
               uint32_t s4 = z, u4 = z, lo = z, hi = z;
               for (int j = 0; j < 4; ++j) {
                 s4 += int8_t(x >> 8 * j) * int8_t(y >> 8 * j);
                 u4 += uint8_t(x >> 8 * j) * uint8_t(y >> 8 * j);
               }
               for (int j = 0; j < 2; ++j) {
                 lo += int16_t(x >> 16 * j) * int8_t(y >> 8 * j);
                 hi += uint16_t(x >> 16 * j) * uint8_t(y >> (16 + 8 * j));
               }
               int64_t difference = int64_t(int(x)) - int(y);
               int row[] = {int(s4),
                            int(u4),
                            int(lo),
                            int(hi),
                            int(uint32_t(std::llabs(difference)) + z),
                            int((x > y ? x - y : y - x) + z)};
               return row[i % 6];
             }));
}

CUDA_CASE(add128, "integer.cu", "sm_80") {
  auto a = randomLongs(2 * kCount, 22), b = randomLongs(2 * kCount, 23);
  auto out = run.allocate<uint64_t>(6 * kCount);
  run.launch("add128", {2}, {64}, {}, run.upload(a), run.upload(b), out);
  run.expect(out, generate(6 * kCount, [&](size_t i) {
               using Wide = unsigned __int128;
               size_t j = i / 6 * 2;
               Wide x = Wide(a[j + 1]) << 64 | a[j];
               Wide y = Wide(b[j + 1]) << 64 | b[j];
               Wide row[] = {x + y, x - y, x * y};
               Wide value = row[i % 6 / 2];
               return uint64_t(i % 2 ? value >> 64 : value);
             }));
}

CUDA_CASE(minMaxAbs, "integer.cu", "sm_80") {
  auto a = ints(24), b = ints(25);
  a[2] = 5; // abs of the lowest integer is undefined
  auto out = run.allocate<int64_t>(8 * kCount);
  run.launch("minMaxAbs", {2}, {64}, {}, run.upload(a), run.upload(b), out);
  run.expect(out, generate(8 * kCount, [&](size_t i) {
               int x = a[i / 8], y = b[i / 8];
               int64_t row[] = {
                   std::min(x, y),
                   int64_t(std::max(uint32_t(x), uint32_t(y))),
                   std::abs(x),
                   std::min(int64_t(x) * (1 << 20), int64_t(y) * (1 << 19)),
                   std::llabs(int64_t(x) * y),
                   (int64_t(x) + y) >> 1,
                   int64_t((uint64_t(uint32_t(x)) + uint32_t(y) + 1) >> 1),
                   std::min(int16_t(x), int16_t(y))};
               return row[i % 8];
             }));
}

CUDA_CASE(simdInWord, "integer.cu", "sm_80") {
  auto a = words(26), b = words(27);
  auto out = run.allocate<uint32_t>(6 * kCount);
  run.launch("simdInWord", {2}, {64}, {}, run.upload(a), run.upload(b), out);
  run.expect(
      out, generate(6 * kCount, [&](size_t i) {
        uint32_t x = a[i / 6], y = b[i / 6];
        uint32_t row[] = {
            simd<uint8_t>(x, y, [](int p, int q) { return p + q; }),
            simd<uint8_t>(x, y, [](int p, int q) { return std::abs(p - q); }),
            simd<int16_t>(x, y, [](int p, int q) { return std::max(p, q); }),
            simd<uint8_t>(x, y, [](int p, int q) { return p > q ? 255 : 0; }),
            simd<uint8_t>(x, y, [](int p, int q) { return (p + q + 1) / 2; }),
            simd<uint16_t>(x, y,
                           [](int p, int q) { return p > q ? p - q : 0; })};
        return row[i % 6];
      }));
}

CUDA_CASE(collatz, "integer.cu", "sm_80") {
  auto in = generate(kCount, [](size_t i) { return uint32_t(i * 97 + 1); });
  auto out = run.allocate<uint32_t>(kCount);
  run.launch("collatz", {2}, {64}, {}, run.upload(in), out);
  run.expect(out, generate(kCount, [&](size_t i) {
               uint64_t n = in[i];
               uint32_t steps = 0;
               for (; n != 1; ++steps)
                 n = n % 2 ? 3 * n + 1 : n / 2;
               return steps;
             }));
}

CUDA_CASE(gcd, "integer.cu", "sm_80") {
  auto a = words(28), b = words(29);
  auto out = run.allocate<uint32_t>(kCount);
  run.launch("gcd", {2}, {64}, {}, run.upload(a), run.upload(b), out);
  run.expect(out,
             generate(kCount, [&](size_t i) { return std::gcd(a[i], b[i]); }));
}

CUDA_CASE(murmur, "integer.cu", "sm_80") {
  auto in = words(30);
  auto out = run.allocate<uint32_t>(kCount);
  run.launch("murmur", {2}, {64}, {}, run.upload(in), out);
  run.expect(out, generate(kCount, [&](size_t i) {
               uint32_t h = in[i];
               for (int round = 0; round < 10; ++round) {
                 h ^= h >> 16;
                 h *= 0x85ebca6bu;
                 h ^= h >> 13;
                 h *= 0xc2b2ae35u;
                 h = std::rotl(h, 15) + round;
               }
               return h;
             }));
}
