//===- FloatSign.cpp - Signs and classes of floats ------------------------===//
//
// abs, neg, copysign and testp on f32 and f64: what looks at the bits of a
// value instead of computing with it.
//
//===----------------------------------------------------------------------===//

#include "../../Decode/Families.h"
#include "../Handlers.h"
#include "FloatFamily.h"

namespace tilec::emu {

namespace {

template <typename U, bool flush>
U absBits(U a) {
  U magnitude = a & static_cast<U>(~(U(1) << (sizeof(U) * 8 - 1)));
  if (flush && sizeof(U) == 4)
    magnitude =
        f32ToBits(flushF32(bitsToF32(static_cast<uint32_t>(magnitude))));
  return magnitude;
}
template <typename U, bool flush>
U negBits(U a) {
  if (flush && sizeof(U) == 4)
    a = f32ToBits(flushF32(bitsToF32(static_cast<uint32_t>(a))));
  return a ^ (U(1) << (sizeof(U) * 8 - 1));
}
template <typename U>
U copySignBits(U a, U b) {
  U sign = U(1) << (sizeof(U) * 8 - 1);
  return (b & ~sign) | (a & sign);
}

enum class Test { Finite, Infinite, Number, NotANumber, Normal, Subnormal };
template <typename U, ElementType type>
Step testp(Warp &warp, const Instruction &instruction, uint32_t mask) {
  const U *a = warp.ptr<U>(instruction.ref[1]);
  uint32_t bits = 0;
  forLanes(mask, [&](uint32_t lane) {
    FloatClass c = classify(type, a[lane]);
    bool result = false;
    switch (static_cast<Test>(instruction.flags)) {
    case Test::Finite:
      result = c != FloatClass::Infinity && c != FloatClass::NaN;
      break;
    case Test::Infinite:
      result = c == FloatClass::Infinity;
      break;
    case Test::Number:
      result = c != FloatClass::NaN;
      break;
    case Test::NotANumber:
      result = c == FloatClass::NaN;
      break;
    case Test::Normal:
      result = c == FloatClass::Normal;
      break;
    case Test::Subnormal:
      result = c == FloatClass::Subnormal;
      break;
    }
    bits |= (result ? 1u : 0u) << lane;
  });
  warp.setPredicate(instruction.ref[0], mask, bits);
  return Step::Next;
}

bool decodeTestp(Decoder &d) {
  int test = d.takeOne(
      {"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  Type type = d.takeType();
  if (test < 0 || (type != Type::F32 && type != Type::F64) ||
      !d.expectOperands(2, 2))
    return false;
  d.out.flags = static_cast<uint8_t>(test);
  d.out.ref[1] = d.source(1, type);
  d.out.ref[0] = d.destinationPredicate(d.operand(0));
  return d.emit(type == Type::F32 ? testp<uint32_t, ElementType::F32>
                                  : testp<uint64_t, ElementType::F64>,
                InstructionClass::Float);
}

bool decodeCopysign(Decoder &d) {
  Type type = d.takeType();
  if (type != Type::F32 && type != Type::F64)
    return false;
  return bindFloat(d, type, 2) &&
         d.emit(type == Type::F32
                    ? Handler(mapLanes<copySignBits<uint32_t>, uint32_t,
                                       uint32_t, uint32_t>)
                    : Handler(mapLanes<copySignBits<uint64_t>, uint64_t,
                                       uint64_t, uint64_t>),
                InstructionClass::Float);
}

} // namespace

bool decodeFloatSign(Decoder &d) {
  bool neg = d.syntax().parts[0] == "neg";
  bool ftz = d.take("ftz");
  Type type = d.takeType();
  Handler handler = nullptr;
  if (type == Type::F32)
    handler = neg ? ftz ? mapLanes<negBits<uint32_t, true>, uint32_t, uint32_t>
                        : mapLanes<negBits<uint32_t, false>, uint32_t, uint32_t>
              : ftz ? mapLanes<absBits<uint32_t, true>, uint32_t, uint32_t>
                    : mapLanes<absBits<uint32_t, false>, uint32_t, uint32_t>;
  else if (type == Type::F64 && !ftz)
    handler = neg ? mapLanes<negBits<uint64_t, false>, uint64_t, uint64_t>
                  : mapLanes<absBits<uint64_t, false>, uint64_t, uint64_t>;
  else
    return decodeHalfSign(d, neg, type, ftz);
  return bindFloat(d, type, 1) && d.emit(handler, InstructionClass::Float);
}

void registerFloatSign(OpcodeTable &table) {
  table["testp"] = decodeTestp;
  table["copysign"] = decodeCopysign;
}

} // namespace tilec::emu
