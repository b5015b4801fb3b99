//===- CvtCheck.cpp - Which forms of cvt exist ----------------------------===//
//
// The rules of the PTX ISA on rounding, saturation and flushing of cvt.
//
//===----------------------------------------------------------------------===//

#include "CvtFamily.h"

namespace tilec::emu {

std::string checkScalar(Type to, Type from, bool toInteger, bool fromInteger,
                        const CvtModifiers &m) {
  bool narrowsF32 = from == Type::F32 &&
                    (to == Type::F16 || to == Type::BF16 || to == Type::TF32);
  if ((m.mode.relu || m.finite) && !narrowsF32)
    return "only f32 is converted with .relu or .satfinite, to f16, bf16, tf32";
  if (m.mode.flushToZero && to != Type::F32 && from != Type::F32)
    return ".ftz is for conversions from or to f32";
  if (m.saturate && (to == Type::BF16 || from == Type::BF16))
    return "bf16 has no .sat";
  if (toInteger && fromInteger) {
    unsigned toBytes = to == Type::U8 || to == Type::S8 ? 1 : registerBytes(to);
    unsigned fromBytes =
        from == Type::U8 || from == Type::S8 ? 1 : registerBytes(from);
    bool fits = isSigned(to) == isSigned(from)
                    ? toBytes >= fromBytes
                    : isSigned(to) && toBytes > fromBytes;
    return m.saturate && fits ? ".sat is for values that may not fit" : "";
  }
  if (toInteger)
    return m.rounding ? "conversions to integers round by .rni, .rzi, .." : "";
  if (fromInteger)
    return !m.rounding ? "a rounding modifier (.rn, ..) is missing" : "";
  if (to == from)
    return m.rounding ? "a value of the same type is not rounded" : "";
  bool widens = registerBytes(to) > registerBytes(from);
  // ptxas takes a rounding that does nothing of bf16.
  if (widens && from != Type::BF16 && (m.rounding || m.integral))
    return "a wider type holds the value without rounding";
  return !widens && !m.rounding ? "a rounding modifier (.rn, ..) is missing"
                                : "";
}

std::string checkPacked(Type to, const CvtModifiers &m) {
  bool halves = to == Type::F16x2 || to == Type::BF16x2;
  bool stochastic = m.mode.rounding == Rounding::Stochastic;
  bool nearest = m.rounding && m.mode.rounding == Rounding::NearestEven;
  if (to == Type::UE8M0x2) {
    bool known = m.mode.rounding == Rounding::TowardZero ||
                 m.mode.rounding == Rounding::Up;
    return !known || !m.rounding ? "ue8m0 needs .rz or .rp"
           : m.mode.relu         ? "ue8m0 has no .relu"
                                 : "";
  }
  if (halves)
    return nearest || stochastic ||
                   (m.rounding && m.mode.rounding == Rounding::TowardZero)
               ? ""
               : "one of .rn, .rz, .rs is missing";
  if (!m.rounding || (!nearest && !stochastic))
    return "narrow types need .rn, or .rs for four values";
  return m.finite ? "" : "narrow types need .satfinite";
}

} // namespace tilec::emu
