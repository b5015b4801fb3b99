//===- SoftFloat.cpp - Unpack, operate, round once ------------------------===//
//
// The integer arithmetic declared in SoftFloat.h, and the general operations of
// Numerics.h on top of it. Only `packFloat` knows about rounding, overflow and
// subnormals; the operations are exact up to a sticky bit.
//
//===----------------------------------------------------------------------===//

#include "SoftFloat.h"

#include <utility>

using namespace tilec::emu;

namespace {

constexpr int topBit = 126;

int highestBit(Wide value) {
  uint64_t high = static_cast<uint64_t>(value >> 64);
  if (high)
    return 127 - std::countl_zero(high);
  return 63 - std::countl_zero(static_cast<uint64_t>(value));
}

Unpacked makeNan() { return {FloatClass::NaN, false, 0, 0}; }
Unpacked makeInfinity(bool negative) {
  return {FloatClass::Infinity, negative, 0, 0};
}
Unpacked makeZero(bool negative) { return {FloatClass::Zero, negative, 0, 0}; }

bool flushes(ElementType type, bool flushToZero) {
  return flushToZero && (type == ElementType::F32 || type == ElementType::F16);
}

uint64_t nanBits(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return canonicalNanF64;
  case ElementType::F32:
  case ElementType::TF32:
    return canonicalNanF32;
  case ElementType::F16:
    return canonicalNanF16;
  case ElementType::BF16:
    return canonicalNanBF16;
  case ElementType::UE8M0:
    return 0xff;
  default:
    return 0x7f; // e5m2, e4m3
  }
}

/// The largest finite encoding, without sign, in the format's own bits.
uint64_t largestFinite(const FloatFormat &format) {
  uint64_t allOnes =
      (uint64_t(1) << (format.exponentBits + format.mantissaBits)) - 1;
  if (format.hasInfinity)
    return allOnes - (uint64_t(1) << format.mantissaBits);
  return format.hasNan ? allOnes - 1 : allOnes;
}

} // namespace

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

FloatFormat tilec::emu::formatOf(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return {11, 52, true, true};
  case ElementType::TF32:
    return {8, 10, true, true, 13};
  case ElementType::F16:
    return {5, 10, true, true};
  case ElementType::BF16:
    return {8, 7, true, true};
  case ElementType::E5M2:
    return {5, 2, true, true};
  case ElementType::E4M3:
    return {4, 3, false, true};
  case ElementType::E3M2:
    return {3, 2, false, false};
  case ElementType::E2M3:
    return {2, 3, false, false};
  case ElementType::E2M1:
    return {2, 1, false, false};
  default:
    return {8, 23, true, true};
  }
}

Wide tilec::emu::shiftRightSticky(Wide value, int amount) {
  if (amount <= 0)
    return value;
  if (amount > 127)
    return value != 0;
  Wide kept = value >> amount;
  return kept | ((kept << amount) != value);
}

Wide tilec::emu::roundBits(Wide significand, int drop, bool negative,
                           FloatMode mode) {
  if (drop <= 0)
    return significand << -drop;
  Wide kept = drop > 127 ? 0 : significand >> drop;
  Wide rest = drop > 127 ? significand : significand - (kept << drop);
  if (rest == 0)
    return kept;
  Wide half = drop > 127 ? 0 : Wide(1) << (drop - 1);
  bool beyondHalf = half != 0 && rest > half,
       atHalf = half != 0 && rest == half;
  switch (mode.rounding) {
  case Rounding::NearestEven:
    return kept + (beyondHalf || (atHalf && (kept & 1)));
  case Rounding::NearestAway:
    return kept + (beyondHalf || atHalf);
  case Rounding::TowardZero:
    return kept;
  case Rounding::Down:
    return kept + negative;
  case Rounding::Up:
    return kept + !negative;
  case Rounding::Stochastic: {
    // The random bits are added to the bits right below the last kept one.
    Wide fraction = drop >= 32 ? shiftRightSticky(significand, drop - 32)
                               : significand << (32 - drop);
    fraction &= 0xffffffffu;
    return kept + static_cast<Wide>((fraction + mode.randomBits) >> 32);
  }
  }
  return kept;
}

Unpacked tilec::emu::normalize(Unpacked value) {
  if (value.significand == 0)
    return value;
  int shift = topBit - highestBit(value.significand);
  if (shift >= 0)
    value.significand <<= shift;
  else
    value.significand = shiftRightSticky(value.significand, -shift);
  value.exponent -= shift;
  return value;
}

//===----------------------------------------------------------------------===//
// Unpacking and packing
//===----------------------------------------------------------------------===//

Unpacked tilec::emu::unpackFloat(ElementType type, uint64_t bits,
                                 bool flushToZero) {
  if (type == ElementType::UE8M0) {
    bits &= 0xff;
    return bits == 0xff ? makeNan()
                        : Unpacked{FloatClass::Normal, false,
                                   static_cast<int>(bits) - 127, 1};
  }
  FloatFormat format = formatOf(type);
  bits >>= format.shift;
  uint64_t mantissa = bits & ((uint64_t(1) << format.mantissaBits) - 1);
  int topExponent = (1 << format.exponentBits) - 1;
  int exponent = static_cast<int>(bits >> format.mantissaBits) & topExponent;
  bool negative = (bits >> (format.exponentBits + format.mantissaBits)) & 1;
  if (exponent == topExponent && format.hasInfinity)
    return mantissa ? makeNan() : makeInfinity(negative);
  if (exponent == topExponent && format.hasNan &&
      mantissa == (uint64_t(1) << format.mantissaBits) - 1)
    return makeNan();
  if (exponent == 0 && (mantissa == 0 || flushes(type, flushToZero)))
    return makeZero(negative);
  Wide significand = mantissa;
  if (exponent == 0)
    exponent = 1;
  else
    significand |= Wide(1) << format.mantissaBits;
  return {FloatClass::Normal, negative,
          exponent - format.bias() - format.mantissaBits, significand};
}

/// ue8m0: a power of two; the value is rounded up (.rp) or down (.rz) to one.
static uint64_t packUE8M0(Unpacked value, FloatMode mode) {
  if (value.kind == FloatClass::NaN)
    return 0xff;
  if (value.kind == FloatClass::Infinity)
    return mode.saturation == Saturation::Finite ? 0xfe : 0xff;
  if (value.kind == FloatClass::Zero)
    return 0;
  value = normalize(value);
  int exponent = value.exponent + topBit + 127;
  bool exact = value.significand == Wide(1) << topBit;
  if (mode.rounding == Rounding::Up && !exact)
    ++exponent;
  if (exponent > 254)
    return mode.saturation == Saturation::Finite ? 0xfe : 0xff;
  return exponent < 0 ? 0 : static_cast<uint64_t>(exponent);
}

uint64_t tilec::emu::packFloat(ElementType type, const Unpacked &exact,
                               FloatMode mode) {
  if (type == ElementType::UE8M0)
    return packUE8M0(exact, mode);
  FloatFormat format = formatOf(type);
  int width = format.exponentBits + format.mantissaBits;
  uint64_t oneBits = static_cast<uint64_t>(format.bias())
                     << format.mantissaBits;
  bool toUnit = mode.saturation == Saturation::Unit;
  bool toFinite = mode.saturation == Saturation::Finite;
  if (exact.kind == FloatClass::NaN) {
    if (toUnit)
      return 0;
    return format.hasNan ? nanBits(type) : largestFinite(format);
  }
  if (exact.negative && (toUnit || mode.relu))
    return 0;
  uint64_t sign = static_cast<uint64_t>(exact.negative) << width;
  if (exact.kind == FloatClass::Zero)
    return sign << format.shift;

  uint64_t largest = largestFinite(format);
  uint64_t overflow = format.hasInfinity ? largest + 1
                      : format.hasNan    ? largest + 1
                                         : largest;
  if (toFinite)
    overflow = largest;
  if (exact.kind == FloatClass::Infinity)
    return toUnit ? oneBits << format.shift : (sign | overflow) << format.shift;

  Unpacked value = normalize(exact);
  int lowestExponent = 1 - format.bias() - format.mantissaBits;
  int drop = topBit - format.mantissaBits;
  if (value.exponent + drop < lowestExponent)
    drop = lowestExponent - value.exponent;
  Wide rounded = roundBits(value.significand, drop, value.negative, mode);
  int exponent = value.exponent + drop; // of the last kept bit
  if (rounded >> (format.mantissaBits + 1)) {
    rounded >>= 1;
    ++exponent;
  }
  bool normal = (rounded >> format.mantissaBits) != 0;
  int biased = exponent - lowestExponent + 1;
  uint64_t magnitude = static_cast<uint64_t>(rounded);
  if (biased > (1 << format.exponentBits))
    magnitude = largest + 1;
  else if (normal)
    magnitude += static_cast<uint64_t>(biased - 1) << format.mantissaBits;
  if (magnitude > largest) {
    bool towardZero =
        mode.rounding == Rounding::TowardZero ||
        mode.rounding == (value.negative ? Rounding::Up : Rounding::Down);
    magnitude = towardZero ? largest : overflow;
  }
  if (!normal && flushes(type, mode.flushToZero))
    magnitude = 0;
  if (toUnit && magnitude > oneBits)
    magnitude = oneBits;
  return (sign | magnitude) << format.shift;
}

//===----------------------------------------------------------------------===//
// Exact operations
//===----------------------------------------------------------------------===//

Unpacked tilec::emu::addUnpacked(Unpacked a, Unpacked b, Rounding rounding) {
  if (a.kind == FloatClass::NaN || b.kind == FloatClass::NaN)
    return makeNan();
  if (a.kind == FloatClass::Infinity || b.kind == FloatClass::Infinity) {
    if (a.kind == b.kind && a.negative != b.negative)
      return makeNan();
    return makeInfinity(a.kind == FloatClass::Infinity ? a.negative
                                                       : b.negative);
  }
  if (a.kind == FloatClass::Zero && b.kind == FloatClass::Zero)
    return makeZero(a.negative == b.negative ? a.negative
                                             : rounding == Rounding::Down);
  if (a.kind == FloatClass::Zero)
    return b;
  if (b.kind == FloatClass::Zero)
    return a;
  a = normalize(a);
  b = normalize(b);
  if (a.exponent < b.exponent ||
      (a.exponent == b.exponent && a.significand < b.significand))
    std::swap(a, b);
  Wide small = shiftRightSticky(b.significand, a.exponent - b.exponent);
  Unpacked sum = a;
  sum.significand =
      a.negative == b.negative ? a.significand + small : a.significand - small;
  if (sum.significand == 0)
    return makeZero(rounding == Rounding::Down);
  return sum;
}

Unpacked tilec::emu::mulUnpacked(const Unpacked &a, const Unpacked &b) {
  bool negative = a.negative != b.negative;
  if (a.kind == FloatClass::NaN || b.kind == FloatClass::NaN)
    return makeNan();
  bool anyZero = a.kind == FloatClass::Zero || b.kind == FloatClass::Zero;
  if (a.kind == FloatClass::Infinity || b.kind == FloatClass::Infinity)
    return anyZero ? makeNan() : makeInfinity(negative);
  if (anyZero)
    return makeZero(negative);
  // Operands come unpacked from a format: at most 53 bits each.
  return {FloatClass::Normal, negative, a.exponent + b.exponent,
          a.significand * b.significand};
}

Unpacked tilec::emu::divUnpacked(const Unpacked &a, const Unpacked &b) {
  bool negative = a.negative != b.negative;
  if (a.kind == FloatClass::NaN || b.kind == FloatClass::NaN)
    return makeNan();
  if (a.kind == FloatClass::Infinity)
    return b.kind == FloatClass::Infinity ? makeNan() : makeInfinity(negative);
  if (b.kind == FloatClass::Infinity)
    return makeZero(negative);
  if (b.kind == FloatClass::Zero)
    return a.kind == FloatClass::Zero ? makeNan() : makeInfinity(negative);
  if (a.kind == FloatClass::Zero)
    return makeZero(negative);
  Unpacked numerator = normalize(a);
  Wide quotient = numerator.significand / b.significand;
  bool inexact = quotient * b.significand != numerator.significand;
  return {FloatClass::Normal, negative, numerator.exponent - b.exponent - 1,
          (quotient << 1) | inexact};
}

Unpacked tilec::emu::sqrtUnpacked(const Unpacked &a) {
  if (a.kind == FloatClass::NaN || a.kind == FloatClass::Zero)
    return a;
  if (a.negative)
    return makeNan();
  if (a.kind == FloatClass::Infinity)
    return a;
  Unpacked value = normalize(a);
  if (value.exponent & 1) {
    value.significand = shiftRightSticky(value.significand, 1);
    ++value.exponent;
  }
  // Bit by bit: the largest root with root^2 <= significand.
  Wide root = 0, rest = value.significand;
  for (Wide bit = Wide(1) << topBit; bit; bit >>= 2) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return {FloatClass::Normal, false, value.exponent / 2 - 1,
          (root << 1) | (rest != 0)};
}

//===----------------------------------------------------------------------===//
// Operations on bits
//===----------------------------------------------------------------------===//

uint64_t tilec::emu::addFloat(ElementType type, uint64_t a, uint64_t b,
                              FloatMode mode) {
  return packFloat(type,
                   addUnpacked(unpackFloat(type, a, mode.flushToZero),
                               unpackFloat(type, b, mode.flushToZero),
                               mode.rounding),
                   mode);
}

uint64_t tilec::emu::subFloat(ElementType type, uint64_t a, uint64_t b,
                              FloatMode mode) {
  Unpacked negated = unpackFloat(type, b, mode.flushToZero);
  negated.negative = !negated.negative;
  return packFloat(type,
                   addUnpacked(unpackFloat(type, a, mode.flushToZero), negated,
                               mode.rounding),
                   mode);
}

uint64_t tilec::emu::mulFloat(ElementType type, uint64_t a, uint64_t b,
                              FloatMode mode) {
  return packFloat(type,
                   mulUnpacked(unpackFloat(type, a, mode.flushToZero),
                               unpackFloat(type, b, mode.flushToZero)),
                   mode);
}

uint64_t tilec::emu::fmaFloat(ElementType type, uint64_t a, uint64_t b,
                              uint64_t c, FloatMode mode) {
  Unpacked product = mulUnpacked(unpackFloat(type, a, mode.flushToZero),
                                 unpackFloat(type, b, mode.flushToZero));
  return packFloat(type,
                   addUnpacked(product, unpackFloat(type, c, mode.flushToZero),
                               mode.rounding),
                   mode);
}

uint64_t tilec::emu::divFloat(ElementType type, uint64_t a, uint64_t b,
                              FloatMode mode) {
  return packFloat(type,
                   divUnpacked(unpackFloat(type, a, mode.flushToZero),
                               unpackFloat(type, b, mode.flushToZero)),
                   mode);
}

uint64_t tilec::emu::sqrtFloat(ElementType type, uint64_t a, FloatMode mode) {
  return packFloat(type, sqrtUnpacked(unpackFloat(type, a, mode.flushToZero)),
                   mode);
}

uint64_t tilec::emu::rcpFloat(ElementType type, uint64_t a, FloatMode mode) {
  Unpacked one{FloatClass::Normal, false, 0, 1};
  return packFloat(
      type, divUnpacked(one, unpackFloat(type, a, mode.flushToZero)), mode);
}
