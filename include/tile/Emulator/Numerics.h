//===- Numerics.h - The value semantics of PTX arithmetic -------*- C++ -*-===//
//
// What one lane computes: number formats from f64 down to e2m1, conversions
// between them in every rounding mode, correctly rounded arithmetic, minimum
// and maximum, the approximations, and conversions between floats and integers.
//
// Values travel as bits (an f16 in the low half of a word) except f32 and f64,
// which are `float` and `double`. Two families:
//  - inline functions for rounding to nearest even, fast and free of branches,
//  so
//    that a loop over 32 lanes becomes vector code;
//  - general functions taking a `FloatMode` (any rounding mode, flush to zero,
//    saturation), computed exactly on integers and rounded once.
//
// A NaN result is the canonical NaN of its format: the PTX ISA says so for f32
// and the narrow formats, and leaves f64 open. Code that includes this header
// is built with -ffp-contract=off: a fused a*b+c would round differently.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_EMULATOR_NUMERICS_H
#define TILE_EMULATOR_NUMERICS_H

#include <bit>
#include <cmath>
#include <cstdint>

namespace tilec::emu {

//===----------------------------------------------------------------------===//
// Formats and modes
//===----------------------------------------------------------------------===//

/// The element types of registers, matrices and tensor maps.
enum class ElementType : uint8_t {
  F64,
  F32,
  TF32,
  F16,
  BF16,
  E5M2,
  E4M3,
  E3M2,
  E2M3,
  E2M1,
  UE8M0,
  S64,
  U64,
  S32,
  U32,
  S16,
  U16,
  S8,
  U8,
  S4,
  U4,
  B1
};

/// Bits of one element in memory; TF32 counts 32.
int bitWidth(ElementType type);
bool isFloat(ElementType type);
bool isSignedInteger(ElementType type);
/// The PTX spelling without the dot: "f16", "e4m3", "s8".
const char *nameOf(ElementType type);

/// .rn .rz .rm .rp .rna .rs
enum class Rounding : uint8_t {
  NearestEven,
  TowardZero,
  Down,
  Up,
  NearestAway,
  Stochastic
};

/// What a result beyond the format's range becomes.
enum class Saturation : uint8_t {
  None,   // infinity, or the format's NaN where it has no infinity
  Finite, // .satfinite: the largest finite value of that sign; NaN stays NaN
          // (a format without NaN takes its largest positive value)
  Unit    // .sat: clamped to [0, 1], NaN becomes +0
};

/// The modifiers of one floating-point instruction.
struct FloatMode {
  Rounding rounding = Rounding::NearestEven;
  Saturation saturation = Saturation::None;
  bool flushToZero = false; // .ftz: subnormal inputs and results become zero
  bool relu = false;        // .relu: negative results become +0
  uint32_t randomBits = 0;  // .rs: added below the last kept bit
};

inline constexpr uint32_t canonicalNanF32 = 0x7fffffffu;
inline constexpr uint16_t canonicalNanF16 = 0x7fffu;
inline constexpr uint16_t canonicalNanBF16 = 0x7fffu;
inline constexpr uint64_t canonicalNanF64 = 0xfff8000000000000ull;

/// The exact value of `bits` in `type`; f64 holds every format's values.
double decodeFloat(ElementType type, uint64_t bits);

/// `value` rounded once into `type`, as bits.
uint64_t encodeFloat(ElementType type, double value, FloatMode mode = {});

/// cvt between two float formats: `encodeFloat` after `decodeFloat`. With
/// `flushToZero`, f32 operands on either side are flushed.
uint64_t convertFloat(ElementType to, ElementType from, uint64_t bits,
                      FloatMode mode = {});

//===----------------------------------------------------------------------===//
// General arithmetic: any format, any mode, rounded once
//===----------------------------------------------------------------------===//

uint64_t addFloat(ElementType type, uint64_t a, uint64_t b, FloatMode mode);
uint64_t subFloat(ElementType type, uint64_t a, uint64_t b, FloatMode mode);
uint64_t mulFloat(ElementType type, uint64_t a, uint64_t b, FloatMode mode);
uint64_t fmaFloat(ElementType type, uint64_t a, uint64_t b, uint64_t c,
                  FloatMode mode);
uint64_t divFloat(ElementType type, uint64_t a, uint64_t b, FloatMode mode);
uint64_t sqrtFloat(ElementType type, uint64_t a, FloatMode mode);
/// rcp: 1 / a.
uint64_t rcpFloat(ElementType type, uint64_t a, FloatMode mode);

/// Modifiers of min and max.
struct MinMaxMode {
  bool propagateNan = false; // .NaN: any NaN input makes the result NaN
  bool xorSignAbs = false;   // .xorsign.abs: magnitudes compared, signs xored
  bool flushToZero = false;
};
/// min and max order -0 below +0; without `.NaN` a NaN loses to a number.
uint64_t minFloat(ElementType type, uint64_t a, uint64_t b,
                  MinMaxMode mode = {});
uint64_t maxFloat(ElementType type, uint64_t a, uint64_t b,
                  MinMaxMode mode = {});

/// cvt.rni/.rzi/.rmi/.rpi to the same float type: rounded to an integral value.
/// `mode.rounding` says how (NearestEven for .rni, TowardZero for .rzi, ...).
uint64_t roundToIntegral(ElementType type, uint64_t a, FloatMode mode);

/// testp kinds and the like need the class of a value.
enum class FloatClass : uint8_t { Zero, Subnormal, Normal, Infinity, NaN };
FloatClass classify(ElementType type, uint64_t bits);

//===----------------------------------------------------------------------===//
// Floats and integers
//===----------------------------------------------------------------------===//

/// cvt float -> integer: rounded by `mode.rounding`, clamped to the range of
/// `to`. NaN becomes 0, or 1 << (width - 1) if either side is 64 bits wide (PTX
/// ISA, cvt). The result is extended to 64 bits by the signedness of `to`.
uint64_t floatToInteger(ElementType to, ElementType from, uint64_t bits,
                        FloatMode mode);

/// cvt integer -> float, rounded once.
uint64_t integerToFloat(ElementType to, ElementType from, uint64_t bits,
                        FloatMode mode = {});

//===----------------------------------------------------------------------===//
// Approximations
//
// Each returns the correctly rounded (or nearly so: one unit) result, which
// lies within the error bounds of the PTX ISA; hardware differs in the last
// bits. Special values and flushing follow the instruction's table.
//===----------------------------------------------------------------------===//

float ex2Approx(float x, bool flushToZero);
float lg2Approx(float x, bool flushToZero);
float rcpApprox(float x, bool flushToZero);
float rsqrtApprox(float x, bool flushToZero);
float sqrtApprox(float x, bool flushToZero);
float sinApprox(float x, bool flushToZero);
float cosApprox(float x, bool flushToZero);
float tanhApprox(float x);
/// div.approx: for |y| in (2^126, 2^128) the result is 0, or NaN for x
/// infinite.
float divApprox(float x, float y, bool flushToZero);
/// div.full: full range.
float divFull(float x, float y, bool flushToZero);
/// rcp.approx.ftz.f64 and rsqrt.approx{.ftz}.f64: the low 32 bits are zero.
double rcpApproxF64(double x);
double rsqrtApproxF64(double x, bool flushToZero);
/// ex2.approx and tanh.approx on f16 (`subnormals kept`) and bf16.
uint16_t ex2ApproxF16(uint16_t x, bool flushToZero);
uint16_t ex2ApproxBF16(uint16_t x);
uint16_t tanhApproxF16(uint16_t x);
uint16_t tanhApproxBF16(uint16_t x);

//===----------------------------------------------------------------------===//
// Fast paths: f32
//===----------------------------------------------------------------------===//

inline float bitsToF32(uint32_t bits) { return std::bit_cast<float>(bits); }
inline uint32_t f32ToBits(float value) {
  return std::bit_cast<uint32_t>(value);
}
inline double bitsToF64(uint64_t bits) { return std::bit_cast<double>(bits); }
inline uint64_t f64ToBits(double value) {
  return std::bit_cast<uint64_t>(value);
}

/// Any NaN becomes the canonical one.
inline float canonicalF32(float value) {
  return bitsToF32(value != value ? canonicalNanF32 : f32ToBits(value));
}
/// .ftz: a subnormal becomes a zero of its sign.
inline float flushF32(float value) {
  uint32_t bits = f32ToBits(value);
  return bitsToF32((bits & 0x7f800000u) ? bits : bits & 0x80000000u);
}
/// .sat: clamped to [0, 1]; NaN becomes +0.
inline float saturateF32(float value) {
  float low = value > 0.0f ? value : 0.0f;
  return low < 1.0f ? low : 1.0f;
}

inline float f32Add(float a, float b) { return canonicalF32(a + b); }
inline float f32Sub(float a, float b) { return canonicalF32(a - b); }
inline float f32Mul(float a, float b) { return canonicalF32(a * b); }
inline float f32Fma(float a, float b, float c) {
  return canonicalF32(std::fma(a, b, c));
}
inline float f32Div(float a, float b) { return canonicalF32(a / b); }
inline float f32Sqrt(float a) { return canonicalF32(std::sqrt(a)); }

//===----------------------------------------------------------------------===//
// Fast paths: f16 and bf16, rounded to nearest even
//===----------------------------------------------------------------------===//

inline float f16ToF32(uint16_t half) {
  uint32_t magnitude = static_cast<uint32_t>(half & 0x7fffu) << 13;
  // 2^112 moves the exponent bias from 15 to 127, subnormals included.
  uint32_t bits = f32ToBits(bitsToF32(magnitude) * 0x1p112f);
  bits = (half & 0x7c00u) == 0x7c00u ? bits | 0x7f800000u : bits;
  bits |= static_cast<uint32_t>(half & 0x8000u) << 16;
  return bitsToF32((half & 0x7fffu) > 0x7c00u ? canonicalNanF32 : bits);
}

inline uint16_t f32ToF16(float value) {
  uint32_t bits = f32ToBits(value);
  uint32_t sign = (bits >> 16) & 0x8000u;
  uint32_t magnitude = bits & 0x7fffffffu;
  // Below 2^-14: adding 0.5 rounds at 2^-24, the unit of f16's subnormals.
  uint32_t subnormal = f32ToBits(bitsToF32(magnitude) + 0.5f) - f32ToBits(0.5f);
  uint32_t normal =
      (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  uint32_t result = magnitude < (113u << 23) ? subnormal : normal;
  result = magnitude >= 0x47800000u ? 0x7c00u : result;
  result |= sign;
  return static_cast<uint16_t>(magnitude > 0x7f800000u ? canonicalNanF16
                                                       : result);
}

/// A shift, as the hardware does it: a NaN keeps its payload.
inline float bf16ToF32(uint16_t bits) {
  return bitsToF32(static_cast<uint32_t>(bits) << 16);
}

inline uint16_t f32ToBF16(float value) {
  uint32_t bits = f32ToBits(value);
  uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return static_cast<uint16_t>(
      (bits & 0x7fffffffu) > 0x7f800000u ? canonicalNanBF16 : rounded);
}

/// Rounds to the f32 whose last bit says "inexact": rounding that once more to
/// a format of at most 22 bits gives the correctly rounded value.
inline float roundToOddF32(double value) {
  float nearest = static_cast<float>(value);
  uint32_t bits = f32ToBits(nearest);
  double back = nearest;
  uint32_t truncated = std::fabs(back) > std::fabs(value) ? bits - 1 : bits;
  return bitsToF32(back == value || value != value ? bits : truncated | 1u);
}

/// a + b rounded to odd in f64; exact sums are returned as they are.
inline double addToOddF64(double a, double b) {
  double sum = a + b;
  double bPart = sum - a;
  double error = (a - (sum - bPart)) + (b - bPart);
  uint64_t bits = f64ToBits(sum);
  bool past = (error < 0) != (sum < 0);
  uint64_t truncated = (past ? bits - 1 : bits) | 1u;
  return bitsToF64(error == 0 || error != error ? bits : truncated);
}

// The f32 sum or product of two f16 (or bf16) values rounds to the same f16 as
// the exact one does: 24 >= 2 * 11 + 2.
inline uint16_t f16Add(uint16_t a, uint16_t b) {
  return f32ToF16(f16ToF32(a) + f16ToF32(b));
}
inline uint16_t f16Sub(uint16_t a, uint16_t b) {
  return f32ToF16(f16ToF32(a) - f16ToF32(b));
}
inline uint16_t f16Mul(uint16_t a, uint16_t b) {
  return f32ToF16(f16ToF32(a) * f16ToF32(b));
}
inline uint16_t f16Fma(uint16_t a, uint16_t b, uint16_t c) {
  double product = static_cast<double>(f16ToF32(a)) * f16ToF32(b);
  return f32ToF16(roundToOddF32(addToOddF64(product, f16ToF32(c))));
}
inline uint16_t bf16Add(uint16_t a, uint16_t b) {
  return f32ToBF16(bf16ToF32(a) + bf16ToF32(b));
}
inline uint16_t bf16Sub(uint16_t a, uint16_t b) {
  return f32ToBF16(bf16ToF32(a) - bf16ToF32(b));
}
inline uint16_t bf16Mul(uint16_t a, uint16_t b) {
  double product = static_cast<double>(bf16ToF32(a)) * bf16ToF32(b);
  return f32ToBF16(roundToOddF32(product));
}
inline uint16_t bf16Fma(uint16_t a, uint16_t b, uint16_t c) {
  double product = static_cast<double>(bf16ToF32(a)) * bf16ToF32(b);
  return f32ToBF16(roundToOddF32(addToOddF64(product, bf16ToF32(c))));
}

//===----------------------------------------------------------------------===//
// 32 lanes at once, compiled for the widest vectors the machine has
//===----------------------------------------------------------------------===//

inline constexpr int warpLanes = 32;

/// result[i] = fma(a[i], b[i], c[i]), NaN canonical. Operands may alias result.
void f32FmaLanes(float *result, const float *a, const float *b, const float *c);
/// Packed pairs, one register of 32 lanes each. Operands may alias result.
void f16x2FmaLanes(uint32_t *result, const uint32_t *a, const uint32_t *b,
                   const uint32_t *c);
void bf16x2FmaLanes(uint32_t *result, const uint32_t *a, const uint32_t *b,
                    const uint32_t *c);

} // namespace tilec::emu

#endif // TILE_EMULATOR_NUMERICS_H
