//===- Numerics.cpp - Formats, conversions, minimum and maximum -----------===//
//
// The parts of Numerics.h that are neither arithmetic (SoftFloat.cpp)
// nor approximations (NumericsApproximate.cpp): conversions go through the
// unpacked form of SoftFloat.h, so each rounds once.
//
//===----------------------------------------------------------------------===//

#include "SoftFloat.h"

using namespace tilec::emu;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

int tilec::emu::bitWidth(ElementType type) {
  switch (type) {
  case ElementType::F64:
  case ElementType::S64:
  case ElementType::U64:
    return 64;
  case ElementType::F32:
  case ElementType::TF32:
  case ElementType::S32:
  case ElementType::U32:
    return 32;
  case ElementType::F16:
  case ElementType::BF16:
  case ElementType::S16:
  case ElementType::U16:
    return 16;
  case ElementType::E5M2:
  case ElementType::E4M3:
  case ElementType::UE8M0:
  case ElementType::S8:
  case ElementType::U8:
    return 8;
  case ElementType::E3M2:
  case ElementType::E2M3:
    return 6;
  case ElementType::E2M1:
  case ElementType::S4:
  case ElementType::U4:
    return 4;
  case ElementType::B1:
    return 1;
  }
  return 0;
}

bool tilec::emu::isFloat(ElementType type) { return type < ElementType::S64; }

bool tilec::emu::isSignedInteger(ElementType type) {
  return type == ElementType::S64 || type == ElementType::S32 ||
         type == ElementType::S16 || type == ElementType::S8 ||
         type == ElementType::S4;
}

const char *tilec::emu::nameOf(ElementType type) {
  static constexpr const char *names[] = {
      "f64",  "f32",  "tf32",  "f16", "bf16", "e5m2", "e4m3", "e3m2",
      "e2m3", "e2m1", "ue8m0", "s64", "u64",  "s32",  "u32",  "s16",
      "u16",  "s8",   "u8",    "s4",  "u4",   "b1"};
  return names[static_cast<int>(type)];
}

//===----------------------------------------------------------------------===//
// Between float formats
//===----------------------------------------------------------------------===//

double tilec::emu::decodeFloat(ElementType type, uint64_t bits) {
  if (type == ElementType::F64)
    return bitsToF64(bits);
  return bitsToF64(
      packFloat(ElementType::F64, unpackFloat(type, bits, false), {}));
}

uint64_t tilec::emu::encodeFloat(ElementType type, double value,
                                 FloatMode mode) {
  return convertFloat(type, ElementType::F64, f64ToBits(value), mode);
}

uint64_t tilec::emu::convertFloat(ElementType to, ElementType from,
                                  uint64_t bits, FloatMode mode) {
  bool flush = mode.flushToZero;
  Unpacked value = unpackFloat(from, bits, flush && from == ElementType::F32);
  mode.flushToZero = flush && to == ElementType::F32;
  return packFloat(to, value, mode);
}

FloatClass tilec::emu::classify(ElementType type, uint64_t bits) {
  Unpacked value = unpackFloat(type, bits, false);
  if (value.kind != FloatClass::Normal || type == ElementType::UE8M0)
    return value.kind;
  FloatFormat format = formatOf(type);
  return value.significand >> format.mantissaBits ? FloatClass::Normal
                                                  : FloatClass::Subnormal;
}

//===----------------------------------------------------------------------===//
// Minimum and maximum
//===----------------------------------------------------------------------===//

/// `keepLess`: minimum, else maximum.
static uint64_t select(ElementType type, uint64_t a, uint64_t b,
                       MinMaxMode mode, bool keepLess) {
  int width = bitWidth(type);
  uint64_t signBit = uint64_t(1) << (width - 1);
  uint64_t mask = signBit | (signBit - 1);
  a &= mask;
  b &= mask;
  auto flush = [&](uint64_t bits) {
    bool subnormal = classify(type, bits) == FloatClass::Subnormal;
    return mode.flushToZero && subnormal ? bits & signBit : bits;
  };
  a = flush(a);
  b = flush(b);
  uint64_t sign = (a ^ b) & signBit;
  if (mode.xorSignAbs) {
    a &= ~signBit;
    b &= ~signBit;
  }
  bool aNan = classify(type, a) == FloatClass::NaN;
  bool bNan = classify(type, b) == FloatClass::NaN;
  if ((aNan && bNan) || (mode.propagateNan && (aNan || bNan)))
    return packFloat(type, {FloatClass::NaN, false, 0, 0}, {});
  uint64_t result = aNan ? b : a;
  if (!aNan && !bNan) {
    // Ordered as sign-magnitude integers, which puts -0 below +0.
    auto key = [&](uint64_t bits) {
      return static_cast<int64_t>(bits & signBit ? ~(bits & ~signBit) : bits);
    };
    bool aLess = key(a) < key(b);
    result = aLess == keepLess ? a : b;
  }
  return mode.xorSignAbs ? result | sign : result;
}

uint64_t tilec::emu::minFloat(ElementType type, uint64_t a, uint64_t b,
                              MinMaxMode mode) {
  return select(type, a, b, mode, true);
}

uint64_t tilec::emu::maxFloat(ElementType type, uint64_t a, uint64_t b,
                              MinMaxMode mode) {
  return select(type, a, b, mode, false);
}

//===----------------------------------------------------------------------===//
// Floats and integers
//===----------------------------------------------------------------------===//

/// `value` as an integral significand with exponent 0; magnitudes of 2^126 and
/// more are returned as 2^126, beyond every integer type.
static Wide integralMagnitude(const Unpacked &value, Rounding rounding) {
  if (value.exponent >= 0) {
    if (value.exponent > 72) // 53 bits at most: beyond 2^72 already
      return Wide(1) << 126;
    return value.significand << value.exponent;
  }
  FloatMode mode;
  mode.rounding = rounding;
  return roundBits(value.significand, -value.exponent, value.negative, mode);
}

uint64_t tilec::emu::roundToIntegral(ElementType type, uint64_t a,
                                     FloatMode mode) {
  Unpacked value = unpackFloat(type, a, mode.flushToZero);
  if (value.kind == FloatClass::Normal && value.exponent < 0) {
    value.significand = integralMagnitude(value, mode.rounding);
    value.exponent = 0;
    if (value.significand == 0)
      value.kind = FloatClass::Zero;
  }
  mode.rounding = Rounding::TowardZero; // exact from here on
  return packFloat(type, value, mode);
}

uint64_t tilec::emu::floatToInteger(ElementType to, ElementType from,
                                    uint64_t bits, FloatMode mode) {
  int width = bitWidth(to);
  bool isSigned = isSignedInteger(to);
  uint64_t maximum = isSigned ? (uint64_t(1) << (width - 1)) - 1
                              : ~uint64_t(0) >> (64 - width);
  uint64_t minimum = isSigned ? ~maximum : 0;
  Unpacked value =
      unpackFloat(from, bits, mode.flushToZero && from == ElementType::F32);
  switch (value.kind) {
  case FloatClass::NaN:
    if (from != ElementType::F64 && width != 64)
      return 0;
    return isSigned ? minimum : uint64_t(1) << (width - 1);
  case FloatClass::Zero:
    return 0;
  case FloatClass::Infinity:
    return value.negative ? minimum : maximum;
  default:
    break;
  }
  Wide magnitude = integralMagnitude(value, mode.rounding);
  if (!value.negative)
    return magnitude > maximum ? maximum : static_cast<uint64_t>(magnitude);
  Wide lowest = isSigned ? Wide(maximum) + 1 : 0;
  return magnitude >= lowest ? minimum : ~static_cast<uint64_t>(magnitude) + 1;
}

uint64_t tilec::emu::integerToFloat(ElementType to, ElementType from,
                                    uint64_t bits, FloatMode mode) {
  int shift = 64 - bitWidth(from);
  uint64_t value =
      isSignedInteger(from)
          ? static_cast<uint64_t>(static_cast<int64_t>(bits << shift) >> shift)
          : bits << shift >> shift;
  bool negative = isSignedInteger(from) && static_cast<int64_t>(value) < 0;
  if (value == 0)
    return 0;
  return packFloat(
      to, {FloatClass::Normal, negative, 0, negative ? ~value + 1 : value},
      mode);
}
