//===- Divisors.h - Arithmetic of known divisors ----------------*- C++ -*-===//
//
// A known divisor of an integer is a non-negative number that divides it: 1
// says nothing, and 0, which divides only zero, says that the integer is zero.
// With that convention `std::gcd` is what is known of one of two integers and
// of their sum, and `divisor % n == 0` asks whether n divides.
//
//     8, 12  ->  sum 4, product 96        0, 12  ->  sum 12, product 0
//
// Divisors are kept at or below 2^30, so that a product of one with a size in
// bytes fits 64 bits. A larger one is replaced by the largest power of two in
// it, which is what widths and alignments ask for: always a true divisor, never
// a larger number than the truth.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_DIVISORS_H
#define TILE_ANALYSIS_DIVISORS_H

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace mlir::tile {

constexpr int64_t largestDivisor = int64_t(1) << 30;

/// What is kept of the divisor `divisor`, which may be any 64-bit number.
inline int64_t keepDivisor(uint64_t divisor) {
  constexpr uint64_t largest = largestDivisor;
  return static_cast<int64_t>(divisor <= largest ? divisor
                                                 : std::gcd(divisor, largest));
}

/// The divisor of a constant.
inline int64_t getDivisorOf(int64_t constant) {
  uint64_t bits = static_cast<uint64_t>(constant);
  return keepDivisor(constant < 0 ? 0 - bits : bits);
}

/// A divisor of the product, as an integer that does not wrap.
inline int64_t multiplyDivisors(int64_t a, int64_t b) {
  return keepDivisor(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

/// A divisor of an integer of which two are known.
inline int64_t joinDivisors(int64_t a, int64_t b) {
  return keepDivisor(std::lcm(static_cast<uint64_t>(a), //
                              static_cast<uint64_t>(b)));
}

/// What is left of a divisor where the integer is known up to multiples of
/// 2^width: its power of two.
inline int64_t wrapDivisor(int64_t divisor, unsigned width) {
  return std::gcd(divisor, int64_t(1) << std::min(width, 30u));
}

} // namespace mlir::tile

#endif // TILE_ANALYSIS_DIVISORS_H
