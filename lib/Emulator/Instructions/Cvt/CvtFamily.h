//===- CvtFamily.h - What the files of cvt share ----------------*- C++ -*-===//
//
// Cvt.cpp decodes cvt and executes what has floats; CvtInteger.cpp has what is
// between integers, CvtPack.cpp cvt.pack. CvtCheck.cpp knows which forms exist.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_INSTRUCTIONS_CVT_CVTFAMILY_H
#define TILE_LIB_EMULATOR_INSTRUCTIONS_CVT_CVTFAMILY_H

#include "../Float/FloatFamily.h"

namespace tilec::emu {

/// The modifiers of a cvt.
struct CvtModifiers {
  FloatMode mode;
  bool rounding = false, integral = false, saturate = false, finite = false;
};

/// Why a cvt of single values does not exist; empty if it does.
std::string checkScalar(Type to, Type from, bool toInteger, bool fromInteger,
                        const CvtModifiers &modifiers);
/// Why a cvt to a packed type does not exist; empty if it does.
std::string checkPacked(Type to, const CvtModifiers &modifiers);

/// .b16, .b32 or .b64.
Type bitsType(unsigned bytes);
/// The source, which may be a special register of 32 bits.
Ref cvtSource(Decoder &decoder, Type from);
/// A source of 8 bits, extended to 16 by its sign.
Ref extendByte(Decoder &decoder, Type from, Ref source);

bool decodeCvtIntegers(Decoder &decoder, Type to, Type from, bool saturate);
bool decodeCvtPack(Decoder &decoder); ///< cvt.pack.

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_INSTRUCTIONS_CVT_CVTFAMILY_H
