//===- Numerics.h - Exact arithmetic of the element types -------*- C++ -*-===//
//
// What an element type is to the reference interpreter: how values are held
// while they are computed with, how they are rounded, and how they lie in
// memory. Integers are held sign-extended in 64 bits, f64 in `double` and all
// narrower floats, which f32 represents exactly, in `float`.
//
// The rules are those of docs/Language.md, "Element types": IEEE
// for f16, bf16 and wider; types of eight bits and fewer round to nearest even
// and saturate, infinities included, and NaN stays NaN where there is one.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_REFERENCE_NUMERICS_H
#define TILE_REFERENCE_NUMERICS_H

#include "mlir/IR/Types.h"

#include <bit>
#include <cstdint>
#include <optional>

namespace mlir::tile::reference {

enum class FloatFormat : uint8_t {
  F64,
  F32,
  TF32,
  F16,
  BF16,
  F8E4M3FN,
  F8E5M2,
  F8E8M0FNU,
  F6E2M3FN,
  F6E3M2FN,
  F4E2M1FN,
};

/// Significand bits, the implicit one included: 24 for f32, 11 for f16.
int getPrecision(FloatFormat format);

/// How values of a type are held while they are computed with.
enum class Storage : uint8_t { Integer, Float, Double };

struct ElementType {
  bool isFloat = false;
  FloatFormat format = FloatFormat::F32; ///< of a float
  unsigned bits = 64;                    ///< the logical width

  /// The element type of a scalar, tensor or memref type; nothing for types
  /// outside the language.
  static std::optional<ElementType> get(Type type);
  static ElementType integer(unsigned bits) {
    return {false, FloatFormat::F32, bits};
  }
  static ElementType floating(FloatFormat format);

  Storage storage() const {
    if (!isFloat)
      return Storage::Integer;
    return format == FloatFormat::F64 ? Storage::Double : Storage::Float;
  }
  /// The width in memory: i1 and f6 take a byte, i4 and f4 half of one.
  unsigned memoryBits() const {
    return bits == 4 ? 4 : bits <= 8 ? 8 : std::bit_ceil(bits);
  }
  bool operator==(const ElementType &) const = default;
};

/// `value` rounded once to `format`; narrow formats saturate.
double roundTo(double value, FloatFormat format);
float roundTo(float value, FloatFormat format);

/// The bits of a value that `format` represents exactly (or is rounded to it).
uint64_t encode(double value, FloatFormat format);
double decode(uint64_t bits, FloatFormat format);

// The commonest types, on bits: whole tiles go through these. A NaN that was
// decoded gives its bits back, whatever its payload.
inline uint16_t encodeF16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t sign = (bits >> 16) & 0x8000;
  bits &= 0x7fffffff;
  if (bits > 0x7f800000) {
    uint32_t payload = (bits >> 13) & 0x3ff;
    return static_cast<uint16_t>(sign | 0x7c00 | (payload ? payload : 0x200));
  }
  if (bits >= 0x477ff000) // 65520 and above round to infinity
    return static_cast<uint16_t>(sign | 0x7c00);
  if (bits < 0x38800000) {
    // Below 2^-14 the quantum is 2^-24, that of floats in [0.5, 1).
    float shifted = std::bit_cast<float>(bits) + 0.5f;
    return static_cast<uint16_t>(
        sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000));
  }
  uint32_t odd = (bits >> 13) & 1;
  return static_cast<uint16_t>(sign |
                               ((bits + 0xfff + odd - 0x38000000) >> 13));
}

inline uint16_t encodeBF16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return static_cast<uint16_t>((bits >> 16) |
                                 ((bits >> 16) & 0x7f ? 0 : 0x40));
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

inline float decodeF16(uint16_t bits) {
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  uint32_t rest = static_cast<uint32_t>(bits & 0x7fff) << 13;
  if (rest >= 0x0f800000) // infinity and NaN
    return std::bit_cast<float>(sign | (rest + 0x70000000));
  // The exponent's bias differs by 112; the product also normalises subnormals.
  float magnitude = std::bit_cast<float>(rest) * 0x1p112f;
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
}

/// f8E5M2 by way of `float`, which keeps the payload of a NaN (encode and
/// decode take a `double`, and converting to one may change it).
uint8_t encodeF8E5M2(float value);
float decodeF8E5M2(uint8_t bits);

/// (a * b + c) of f16 or bf16 values, rounded once.
float fusedMultiplyAdd(float a, float b, float c, FloatFormat format);

/// The low `bits` of a value, read as signed or unsigned.
inline int64_t signExtend(int64_t value, unsigned bits) {
  if (bits >= 64)
    return value;
  unsigned shift = 64 - bits;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << shift) >> shift;
}
inline uint64_t zeroExtend(int64_t value, unsigned bits) {
  if (bits >= 64)
    return static_cast<uint64_t>(value);
  return static_cast<uint64_t>(value) & ((uint64_t(1) << bits) - 1);
}

} // namespace mlir::tile::reference

#endif // TILE_REFERENCE_NUMERICS_H
