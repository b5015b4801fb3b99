//===- SharedLayout.cpp - Validity and the map of a shared buffer ---------===//
//
// Digits are listed in the order of their weights. Each weight is at least the
// span of all digits before it, so the map from coordinates to offsets is
// one-to-one, and greedy division from the heaviest digit down inverts it. The
// XOR takes its pattern from address bits above those it changes, so it is its
// own inverse.
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/SharedLayout.h"

#include "Arithmetic.h"

#include <algorithm>
#include <cassert>
#include <numeric>

using namespace tilec;
using namespace tilec::detail;

// Construction ---------------------------------------------------------------

/// Why the weights let two elements share an offset, or count too far.
static std::optional<Failure> checkWeights(const OffsetDigits &digits) {
  int64_t span = 1;
  for (const OffsetDigit &digit : digits) {
    if (digit.weight < span)
      return Failure{"the digit of extent " + std::to_string(digit.extent) +
                     " in dimension " + std::to_string(digit.dim) +
                     " has weight " + std::to_string(digit.weight) +
                     ", less than the " + std::to_string(span) +
                     " elements that the digits before it span"};
    std::optional<int64_t> reach = multiply(digit.extent, digit.weight);
    if (!reach || span + *reach > largestNumber)
      return Failure{"the offsets reach past 2^48 elements"};
    span += *reach - digit.weight;
  }
  return std::nullopt;
}

/// Why an XOR cannot act on elements of this width.
static std::optional<Failure> checkSwizzle(const Swizzle &swizzle,
                                           int64_t elementBits) {
  if (swizzle.bits < 0 || swizzle.base < 0 || swizzle.shift < 0)
    return Failure{"the XOR's bits, base and shift must not be negative"};
  if (swizzle.bits == 0)
    return std::nullopt;
  // Far above any buffer, far below overflow.
  constexpr int largestPeriodLog2 = 30;
  if (swizzle.bits > largestPeriodLog2 || swizzle.base > largestPeriodLog2 ||
      swizzle.shift > largestPeriodLog2 ||
      swizzle.bits + swizzle.base + swizzle.shift > largestPeriodLog2)
    return Failure{"the XOR's bits, base and shift must sum to at most 30"};
  if (swizzle.shift < swizzle.bits)
    return Failure{"the XOR's shift, " + std::to_string(swizzle.shift) +
                   ", must be at least its bits, " +
                   std::to_string(swizzle.bits)};
  if ((int64_t(8) << swizzle.base) < elementBits)
    return Failure{"the XOR's base, " + std::to_string(swizzle.base) +
                   ", tears elements of " + std::to_string(elementBits) +
                   " bits apart"};
  return std::nullopt;
}

/// Merges neighbours that continue each other in coordinate and weight.
static OffsetDigits mergeDigits(const OffsetDigits &digits) {
  OffsetDigits result;
  for (const OffsetDigit &digit : digits) {
    if (!result.empty() && result.back().dim == digit.dim &&
        result.back().step * result.back().extent == digit.step &&
        result.back().weight * result.back().extent == digit.weight)
      result.back().extent *= digit.extent;
    else
      result.push_back(digit);
  }
  return result;
}

Expected<SharedLayout> SharedLayout::get(Coordinate shape, OffsetDigits offset,
                                         Swizzle swizzle, int64_t elementBits) {
  if (auto failure = checkShape(shape))
    return *failure;
  if (!isPowerOfTwo(elementBits) || elementBits < 4 || elementBits > 128)
    return Failure{"an element of a shared buffer has 4, 8, 16, 32, 64 or 128 "
                   "bits, not " +
                   std::to_string(elementBits)};
  for (const OffsetDigit &digit : offset) {
    if (auto failure = checkDigit(digit.extent, digit.dim, digit.step,
                                  static_cast<int>(shape.size())))
      return *failure;
    if (digit.dim == Digit::replicated || digit.step == 0)
      return Failure{"a digit of 'offset' has a zero step, but memory does not "
                     "replicate"};
    if (!multiply(digit.step, digit.extent))
      return Failure{"a digit of 'offset' reaches past 2^48"};
  }
  std::erase_if(offset,
                [](const OffsetDigit &digit) { return digit.extent == 1; });
  if (auto failure = checkWeights(offset))
    return *failure;
  if (auto failure = checkSwizzle(swizzle, elementBits))
    return *failure;

  SharedLayout layout;
  layout.digits = ::mergeDigits(offset);
  Digits chained;
  for (const OffsetDigit &digit : layout.digits)
    chained.push_back({digit.extent, digit.dim, digit.step});
  if (auto failure = checkChains(shape, std::move(chained)))
    return *failure;
  layout.shape = std::move(shape);
  layout.swizzle = swizzle.bits == 0 ? Swizzle{} : swizzle;
  layout.elementBits = elementBits;
  return layout;
}

SharedLayout SharedLayout::replicateOutermost(int64_t count) const {
  assert(count >= 1 && "a ring has at least one slot");
  SharedLayout result = *this;
  result.shape.insert(result.shape.begin(), count);
  for (OffsetDigit &digit : result.digits)
    ++digit.dim;
  if (count > 1)
    result.digits.push_back({count, 0, 1, getSizeBytes() * 8 / elementBits});
  return result;
}

// Facts ----------------------------------------------------------------------

int64_t SharedLayout::getSizeBytes() const {
  int64_t span = 1;
  for (const OffsetDigit &digit : digits)
    span += (digit.extent - 1) * digit.weight;
  return roundUp(divideRoundingUp(span * elementBits, 8), getAlignmentBytes());
}

int64_t SharedLayout::getAlignmentBytes() const {
  // The widest access and the unit of bulk copies.
  constexpr int64_t vectorBytes = 16;
  return std::max(vectorBytes, swizzle.getPeriodBytes());
}

/// How many numbers the offset counts as `numbering` does, and the first of its
/// digits that it does not count by.
static std::pair<int64_t, size_t> countTogether(const OffsetDigits &digits,
                                                const Digits &numbering) {
  int64_t width = 1, part = 1; // `part` of the digit `next` is counted
  size_t next = 0;
  for (Digit digit : numbering)
    while (digit.extent > 1) {
      int64_t common = 1;
      if (next < digits.size() && digits[next].dim == digit.dim &&
          digits[next].step * part == digit.step &&
          digits[next].weight * part == width)
        common = std::gcd(digits[next].extent / part, digit.extent);
      if (common == 1)
        return {width, part > 1 ? next + 1 : next};
      width *= common;
      part *= common;
      digit.extent /= common;
      digit.step *= common;
      if (part == digits[next].extent) {
        ++next;
        part = 1;
      }
    }
  return {width, part > 1 ? next + 1 : next};
}

int64_t SharedLayout::getVectorWidth(int dim) const {
  if (digits.empty() || digits[0].dim != dim)
    return 1;
  return getVectorWidth(Digits{{digits[0].extent, dim, 1}});
}

int64_t SharedLayout::getVectorWidth(const Digits &numbering) const {
  auto [width, rest] = countTogether(digits, numbering);
  for (size_t i = rest; i < digits.size(); ++i)
    width = std::gcd(width, digits[i].weight);
  if (swizzle.bits > 0)
    width = std::gcd(width, (int64_t(8) << swizzle.base) / elementBits);
  return width;
}

uint64_t SharedLayout::getHash() const {
  uint64_t hash = 1;
  for (int64_t extent : shape)
    mixHash(hash, extent);
  for (const OffsetDigit &digit : digits)
    for (int64_t field :
         {digit.extent, int64_t(digit.dim), digit.step, digit.weight})
      mixHash(hash, field);
  for (int64_t field : {swizzle.bits, swizzle.base, swizzle.shift})
    mixHash(hash, field);
  mixHash(hash, elementBits);
  return hash;
}

std::string SharedLayout::toString() const {
  std::string text = "[" + join(shape) + "], offset = [";
  int64_t defaultWeight = 1;
  for (size_t i = 0; i < digits.size(); ++i) {
    const OffsetDigit &digit = digits[i];
    text += (i ? ", " : "") +
            detail::toString(digit.extent, digit.dim, digit.step, getRank());
    if (digit.weight != defaultWeight)
      text += " weight " + std::to_string(digit.weight);
    defaultWeight = digit.weight * digit.extent;
  }
  text += "]";
  if (swizzle.bits > 0)
    text +=
        ", xor = [" + join({swizzle.bits, swizzle.base, swizzle.shift}) + "]";
  return text;
}

// The map --------------------------------------------------------------------

int64_t SharedLayout::getLinearOffset(const Coordinate &coordinate) const {
  int64_t offset = 0;
  for (const OffsetDigit &digit : digits)
    offset += coordinate[digit.dim] / digit.step % digit.extent * digit.weight;
  return offset;
}

int64_t SharedLayout::getBitOffset(const Coordinate &coordinate) const {
  int64_t bit = getLinearOffset(coordinate) * elementBits;
  return swizzle.apply(bit / 8) * 8 + bit % 8;
}

std::optional<Coordinate> SharedLayout::invert(int64_t bitOffset) const {
  if (bitOffset < 0)
    return std::nullopt;
  int64_t offset =
      (swizzle.apply(bitOffset / 8) * 8 + bitOffset % 8) / elementBits;
  Coordinate coordinate(shape.size(), 0);
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    int64_t value = offset / digit->weight;
    if (value >= digit->extent)
      return std::nullopt;
    coordinate[digit->dim] += value * digit->step;
    offset -= value * digit->weight;
  }
  if (offset != 0)
    return std::nullopt;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (coordinate[dim] >= shape[dim])
      return std::nullopt;
  return coordinate;
}
