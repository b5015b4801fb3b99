//===- Arithmetic.h - What both layouts count with --------------*- C++ -*-===//
//
// Private to lib/Layout: products that notice overflow (digits come from parsed
// text), the chain rule that fragment and shared layouts have in common, and
// the spelling of tuples.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_LAYOUT_ARITHMETIC_H
#define TILE_LIB_LAYOUT_ARITHMETIC_H

#include "tile/Layout/FragmentLayout.h"

#include <optional>
#include <string>

namespace tilec::detail {

/// Extents, steps, weights and boxes stay at or below this, so that every sum
/// of products of in-range values fits 64 bits.
inline constexpr int64_t largestNumber = int64_t(1) << 48;

/// `a * b` of two non-negative numbers; nothing when above `largestNumber`.
std::optional<int64_t> multiply(int64_t a, int64_t b);

inline int64_t divideRoundingUp(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

inline int64_t roundUp(int64_t a, int64_t multiple) {
  return divideRoundingUp(a, multiple) * multiple;
}

inline bool isPowerOfTwo(int64_t a) { return a > 0 && (a & (a - 1)) == 0; }

/// Why a shape cannot have a layout: a negative or huge extent.
std::optional<Failure> checkShape(const Coordinate &shape);

/// Why one digit is impossible in itself (extent, dimension, step); a zero step
/// is possible here.
std::optional<Failure> checkDigit(int64_t extent, int dim, int64_t step,
                                  int rank);

/// The chain rule: in each dimension the digits sorted by step start at 1 and
/// continue each other, cover the shape, and only the last passes it. `digits`
/// are those that do not replicate.
std::optional<Failure> checkChains(const Coordinate &shape, Digits digits);

/// Drops digits of extent 1 and merges neighbours that continue each other: the
/// canonical spelling of one hardware dimension.
Digits mergeDigits(const Digits &digits);

/// `order` must name each of `rank` dimensions once.
bool isPermutation(const std::vector<int> &order, int rank);

/// `a, b, c`.
std::string join(const std::vector<int64_t> &numbers);

/// `2 : (0, 4)`: the digit with its step as a tuple of the rank.
std::string toString(int64_t extent, int dim, int64_t step, int rank);

/// Folds `value` into a running hash.
inline void mixHash(uint64_t &hash, int64_t value) {
  hash ^= static_cast<uint64_t>(value) + 0x9e3779b97f4a7c15u + (hash << 6) +
          (hash >> 2);
}

} // namespace tilec::detail

#endif // TILE_LIB_LAYOUT_ARITHMETIC_H
