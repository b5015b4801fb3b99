//===- ConvertFamily.h - What the files of cvt share ------------*- C++ -*-===//
//
// Convert.cpp decodes and executes cvt; ConvertCheck.cpp knows which
// conversions exist, ConvertPack.cpp has cvt.pack.
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

bool decodeCvtPack(Decoder &d); ///< cvt.pack.

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_CONVERTFAMILY_H
