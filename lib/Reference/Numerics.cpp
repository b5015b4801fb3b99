//===- Numerics.cpp - Exact arithmetic of the element types --------------===//
//
// One table describes every float format; rounding, encoding and decoding are
// derived from it. f16 and bf16 have paths on bits, because whole tiles go
// through them; the tests compare both ways over all encodings.
//
//===----------------------------------------------------------------------===//

#include "tile/Reference/Numerics.h"

#include "mlir/IR/BuiltinTypes.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::tile::reference;

namespace {

enum class Specials { Ieee, NaNOnly, None };

struct FormatInfo {
  int precision;   ///< significand bits with the implicit one
  int maxExponent; ///< of the largest finite value
  int minExponent; ///< of the smallest normal value
  double largest;  ///< the largest finite value
  Specials specials;
  bool saturates;
  int bits;
};

const FormatInfo &getInfo(FloatFormat format) {
  static const FormatInfo infos[] = {
      {53, 1023, -1022, 0x1.fffffffffffffp1023, Specials::Ieee, false, 64},
      {24, 127, -126, 0x1.fffffep127, Specials::Ieee, false, 32},
      {11, 127, -126, 0x1.ffcp127, Specials::Ieee, false, 32},
      {11, 15, -14, 65504.0, Specials::Ieee, false, 16},
      {8, 127, -126, 0x1.fep127, Specials::Ieee, false, 16},
      {4, 8, -6, 448.0, Specials::NaNOnly, true, 8},
      {3, 15, -14, 57344.0, Specials::Ieee, true, 8},
      {1, 127, -127, 0x1p127, Specials::NaNOnly, true, 8},
      {4, 2, 0, 7.5, Specials::None, true, 6},
      {3, 4, -2, 28.0, Specials::None, true, 6},
      {2, 2, 0, 6.0, Specials::None, true, 4},
  };
  return infos[static_cast<int>(format)];
}

/// Magnitudes of E8M0: powers of two, neither sign nor zero. Halfway both
/// neighbours have the odd significand 1; IEEE 754-2019, 4.3.1 then takes the
/// larger one.
double roundToE8M0(double value) {
  double magnitude = std::fabs(value);
  if (magnitude <= 0x1p-127)
    return 0x1p-127;
  if (magnitude >= 0x1p127)
    return 0x1p127;
  int exponent = std::ilogb(magnitude);
  double fraction = std::ldexp(magnitude, -exponent);
  return std::ldexp(1.0, fraction >= 1.5 ? exponent + 1 : exponent);
}

} // namespace

int mlir::tile::reference::getPrecision(FloatFormat format) {
  return getInfo(format).precision;
}

ElementType ElementType::floating(FloatFormat format) {
  return {true, format, static_cast<unsigned>(getInfo(format).bits)};
}

std::optional<ElementType> ElementType::get(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    type = shaped.getElementType();
  if (isa<IndexType>(type))
    return integer(64);
  if (auto integerType = dyn_cast<IntegerType>(type)) {
    if (integerType.getWidth() == 0 || integerType.getWidth() > 64)
      return std::nullopt;
    return integer(integerType.getWidth());
  }
  if (isa<Float64Type>(type))
    return floating(FloatFormat::F64);
  if (isa<Float32Type>(type))
    return floating(FloatFormat::F32);
  if (isa<FloatTF32Type>(type))
    return floating(FloatFormat::TF32);
  if (isa<Float16Type>(type))
    return floating(FloatFormat::F16);
  if (isa<BFloat16Type>(type))
    return floating(FloatFormat::BF16);
  if (isa<Float8E4M3FNType>(type))
    return floating(FloatFormat::F8E4M3FN);
  if (isa<Float8E5M2Type>(type))
    return floating(FloatFormat::F8E5M2);
  if (isa<Float8E8M0FNUType>(type))
    return floating(FloatFormat::F8E8M0FNU);
  if (isa<Float6E2M3FNType>(type))
    return floating(FloatFormat::F6E2M3FN);
  if (isa<Float6E3M2FNType>(type))
    return floating(FloatFormat::F6E3M2FN);
  if (isa<Float4E2M1FNType>(type))
    return floating(FloatFormat::F4E2M1FN);
  return std::nullopt;
}

double mlir::tile::reference::roundTo(double value, FloatFormat format) {
  if (format == FloatFormat::F64)
    return value;
  if (format == FloatFormat::F32)
    return static_cast<double>(static_cast<float>(value));
  const FormatInfo &info = getInfo(format);
  if (std::isnan(value))
    return info.specials == Specials::None ? info.largest : value;
  if (format == FloatFormat::F8E8M0FNU)
    return roundToE8M0(value);
  if (value == 0.0)
    return value;
  double magnitude = std::fabs(value);
  double rounded = magnitude;
  if (!std::isinf(magnitude)) {
    int exponent = std::max(std::ilogb(magnitude), info.minExponent);
    int quantum = exponent - (info.precision - 1);
    // Scaling by a power of two is exact; rint rounds to nearest even.
    rounded = std::ldexp(std::rint(std::ldexp(magnitude, -quantum)), quantum);
  }
  if (rounded > info.largest)
    rounded =
        info.saturates ? info.largest : std::numeric_limits<double>::infinity();
  return std::copysign(rounded, value);
}

float mlir::tile::reference::roundTo(float value, FloatFormat format) {
  switch (format) {
  case FloatFormat::F64:
  case FloatFormat::F32:
    return value;
  case FloatFormat::F16:
    return decodeF16(encodeF16(value));
  case FloatFormat::BF16:
    return std::bit_cast<float>(static_cast<uint32_t>(encodeBF16(value)) << 16);
  default:
    return static_cast<float>(roundTo(static_cast<double>(value), format));
  }
}

uint64_t mlir::tile::reference::encode(double value, FloatFormat format) {
  switch (format) {
  case FloatFormat::F64:
    return std::bit_cast<uint64_t>(value);
  case FloatFormat::F32:
  case FloatFormat::TF32:
    return std::bit_cast<uint32_t>(static_cast<float>(roundTo(value, format)));
  case FloatFormat::F16:
    return encodeF16(static_cast<float>(roundTo(value, format)));
  case FloatFormat::BF16:
    return encodeBF16(static_cast<float>(roundTo(value, format)));
  default:
    break;
  }
  // An infinity that was loaded is stored as it is; casts saturate.
  if (format == FloatFormat::F8E5M2 && std::isinf(value))
    return value < 0 ? 0xfc : 0x7c;
  value = roundTo(value, format);
  const FormatInfo &info = getInfo(format);
  int mantissaBits = info.precision - 1;
  if (format == FloatFormat::F8E8M0FNU)
    return std::isnan(value) ? 0xff : std::ilogb(value) + 127;
  uint64_t sign = std::signbit(value) ? uint64_t(1) << (info.bits - 1) : 0;
  if (std::isnan(value))
    return sign | (format == FloatFormat::F8E5M2 ? 0x7e : 0x7f);
  double magnitude = std::fabs(value);
  if (magnitude < std::ldexp(1.0, info.minExponent))
    return sign | static_cast<uint64_t>(
                      std::ldexp(magnitude, mantissaBits - info.minExponent));
  int exponent = std::ilogb(magnitude);
  uint64_t mantissa =
      static_cast<uint64_t>(std::ldexp(magnitude, mantissaBits - exponent)) &
      ((uint64_t(1) << mantissaBits) - 1);
  return sign |
         (static_cast<uint64_t>(exponent - info.minExponent + 1)
          << mantissaBits) |
         mantissa;
}

namespace {

double decodeNarrow(uint64_t bits, FloatFormat format) {
  const FormatInfo &info = getInfo(format);
  if (format == FloatFormat::F8E8M0FNU)
    return bits == 0xff ? std::numeric_limits<double>::quiet_NaN()
                        : std::ldexp(1.0, static_cast<int>(bits) - 127);
  int mantissaBits = info.precision - 1;
  uint64_t magnitudeBits = bits & ((uint64_t(1) << (info.bits - 1)) - 1);
  bool negative = (bits >> (info.bits - 1)) & 1;
  uint64_t mantissa = magnitudeBits & ((uint64_t(1) << mantissaBits) - 1);
  int exponent = static_cast<int>(magnitudeBits >> mantissaBits);
  double magnitude;
  if (format == FloatFormat::F8E4M3FN && magnitudeBits == 0x7f)
    magnitude = std::numeric_limits<double>::quiet_NaN();
  else if (format == FloatFormat::F8E5M2 && exponent == 31)
    magnitude = mantissa ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    magnitude = std::ldexp(static_cast<double>(mantissa),
                           info.minExponent - mantissaBits);
  else
    magnitude = std::ldexp(
        static_cast<double>(mantissa | (uint64_t(1) << mantissaBits)),
        exponent - 1 + info.minExponent - mantissaBits);
  return negative ? -magnitude : magnitude;
}

} // namespace

double mlir::tile::reference::decode(uint64_t bits, FloatFormat format) {
  switch (format) {
  case FloatFormat::F64:
    return std::bit_cast<double>(bits);
  case FloatFormat::F32:
  case FloatFormat::TF32:
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  case FloatFormat::F16:
    return decodeF16(static_cast<uint16_t>(bits));
  case FloatFormat::BF16:
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  default:
    return decodeNarrow(bits, format);
  }
}

uint8_t mlir::tile::reference::encodeF8E5M2(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t payload = (bits >> 21) & 3;
  if (std::isnan(value) && payload)
    return static_cast<uint8_t>((bits >> 24 & 0x80) | 0x7c | payload);
  return static_cast<uint8_t>(encode(value, FloatFormat::F8E5M2));
}

float mlir::tile::reference::decodeF8E5M2(uint8_t bits) {
  // The upper half of an f16.
  return decodeF16(static_cast<uint16_t>(bits << 8));
}

float mlir::tile::reference::fusedMultiplyAdd(float a, float b, float c,
                                              FloatFormat format) {
  if (format == FloatFormat::F32)
    return std::fma(a, b, c);
  // The product of two 11-bit significands is exact in f64. The sum's error
  // term is exact too; rounding to odd keeps it visible to the one real
  // rounding.
  double product = static_cast<double>(a) * b;
  double addend = c;
  double sum = product + addend;
  if (std::isfinite(sum)) {
    double virtualAddend = sum - product;
    double error = (product - (sum - virtualAddend)) + (addend - virtualAddend);
    if (error != 0.0 && !(std::bit_cast<uint64_t>(sum) & 1))
      sum = std::nextafter(sum, error > 0.0
                                    ? std::numeric_limits<double>::infinity()
                                    : -std::numeric_limits<double>::infinity());
  }
  return static_cast<float>(roundTo(sum, format));
}
