//===- ConvertFamily.h - What the files of cvt share ------------*- C++ -*-===//
//
// Convert.cpp decodes cvt and executes what has floats; ConvertInteger.cpp has
// the conversions between integers, ConvertPack.cpp cvt.pack. ConvertCheck.cpp
// knows which conversions exist.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_CONVERTFAMILY_H
#define TILE_LIB_EMULATOR_CONVERTFAMILY_H

#include "FloatFamily.h"

namespace tilec::emu {

/// The modifiers of a cvt.
struct CvtModifiers {
  FloatMode mode;
  bool rounding = false, integral = false, saturate = false, finite = false;
};

/// Why a conversion of single values does not exist; empty if it does.
std::string checkScalar(Type to, Type from, bool toInteger, bool fromInteger,
                        const CvtModifiers &modifiers);
/// Why a conversion to a packed type does not exist; empty if it does.
std::string checkPacked(Type to, const CvtModifiers &modifiers);

/// .b16, .b32 or .b64.
Type bitsType(unsigned bytes);
/// The source, which may be a special register of 32 bits.
Ref convertSource(Decoder &d, Type from);
/// A source of 8 bits, extended to 16 by its sign.
Ref extendByte(Decoder &d, Type from, Ref source);

bool decodeCvtIntegers(Decoder &d, Type to, Type from, bool saturate);
bool decodeCvtPack(Decoder &d); ///< cvt.pack.

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_CONVERTFAMILY_H
