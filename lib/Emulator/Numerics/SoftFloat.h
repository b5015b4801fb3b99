//===- SoftFloat.h - Exact values, rounded once -----------------*- C++ -*-===//
//
// Floating-point arithmetic on integers, for what the machine's own operators
// do not offer: directed rounding, formats below f32, saturation. A finite
// value is unpacked into a sign, a 128-bit significand and an exponent; an
// operation computes the exact result, or the exact result cut off with its
// last bit set when anything was cut ("sticky"); `pack` rounds that once into a
// format.
//
// 128 bits hold an exact product of two f64, with room for the alignment of a
// third: a significand is normalised to bit 126, so that even after
// cancellation at least two bits below f64's precision are true.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_NUMERICS_SOFTFLOAT_H
#define TILE_LIB_EMULATOR_NUMERICS_SOFTFLOAT_H

#include "tile/Emulator/Numerics.h"

namespace tilec::emu {

using Wide = unsigned __int128;

/// The parameters of one float format.
struct FloatFormat {
  int exponentBits;
  int mantissaBits; // stored ones
  bool hasInfinity; // the top exponent holds infinity and NaN, as in IEEE 754
  bool hasNan;      // e4m3: only all ones; e2m1 and 6-bit formats: none
  int shift = 0;    // tf32 stands in the upper 19 bits of a word
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
};
FloatFormat formatOf(ElementType type);

/// value = (-1)^negative * significand * 2^exponent.
struct Unpacked {
  FloatClass kind = FloatClass::Zero; // Subnormal is not used: Normal
  bool negative = false;
  int exponent = 0;
  Wide significand = 0;
};

Unpacked unpackFloat(ElementType type, uint64_t bits, bool flushToZero);
uint64_t packFloat(ElementType type, const Unpacked &value, FloatMode mode);
/// `value`'s significand moved up to bit 126; zero stays zero.
Unpacked normalize(Unpacked value);
/// Shifted right, the last bit set if a one was lost.
Wide shiftRightSticky(Wide value, int amount);

/// What is kept of `significand` without its low `drop` bits, rounded by
/// `mode.rounding`.
Wide roundBits(Wide significand, int drop, bool negative, FloatMode mode);

Unpacked addUnpacked(Unpacked a, Unpacked b, Rounding rounding);
Unpacked mulUnpacked(const Unpacked &a, const Unpacked &b);
Unpacked divUnpacked(const Unpacked &a, const Unpacked &b);
Unpacked sqrtUnpacked(const Unpacked &a);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_NUMERICS_SOFTFLOAT_H
