//===- FloatFamily.h - What the floating-point families share ---*- C++ -*-===//
//
// Float.cpp has the arithmetic, FloatMinMax.cpp and FloatSign.cpp the rest; f16
// and bf16 are Half.cpp's, approximations Approximate.cpp's. Here are the
// modifiers they have in common and the decode functions that one hands on to
// another.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_INSTRUCTIONS_FLOAT_FLOATFAMILY_H
#define TILE_LIB_EMULATOR_INSTRUCTIONS_FLOAT_FLOATFAMILY_H

#include "../../Decode/Decoder.h"
#include "tile/Emulator/Numerics.h"

namespace tilec::emu {

struct FloatModifiers {
  FloatMode mode;
  bool roundingGiven = false;
};
/// Takes .rn .rz .rm .rp, .ftz, .sat and .relu.
FloatModifiers takeFloatModifiers(Decoder &decoder);

/// Binds d and `sources` operands of one type.
bool bindFloat(Decoder &decoder, Type type, size_t sources);

/// F16 for f16 and f16x2, and so on.
ElementType elementOf(Type type);

/// `operation` is '+', '-', '*' or 'f' (fma).
bool decodeHalfArithmetic(Decoder &decoder, char operation, Type type,
                          const FloatModifiers &modifiers);
bool decodeHalfMinMax(Decoder &decoder, bool isMax, Type type,
                      const MinMaxMode &mode);
bool decodeHalfSign(Decoder &decoder, bool negate, Type type, bool flush);

/// The forms .f32.f16 and .f32.bf16 of add, sub and fma.
bool decodeMixedArithmetic(Decoder &decoder, char operation, Type narrow,
                           const FloatModifiers &modifiers);

Handler divApproximateHandler(bool full, bool flush);
/// rcp.approx or sqrt.approx; null if there is none.
Handler rootApproximateHandler(bool reciprocal, Type type, bool flush);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_INSTRUCTIONS_FLOAT_FLOATFAMILY_H
