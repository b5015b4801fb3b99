//===- CvtInteger.cpp - cvt between integers ------------------------------===//
//
// A conversion cuts or saturates to the target type, and extends the result to
// the register by the sign of the target. A source of 8 bits stands in a
// register of 16 and is extended first.
//
//===----------------------------------------------------------------------===//

#include "../../Decode/Families.h"
#include "../Handlers.h"
#include "CvtFamily.h"

#include <limits>

namespace tilec::emu {

namespace {

/// To a narrower (or wider) integer, then extended to the register D by the
/// sign of the target type T.
template <typename R, typename T, typename S>
R cvtInteger(S a) {
  return static_cast<R>(static_cast<T>(a));
}
template <typename R, typename T, typename S>
R saturateInteger(S a) {
  __int128 value = a;
  __int128 least = std::numeric_limits<T>::min();
  __int128 most = std::numeric_limits<T>::max();
  value = value < least ? least : value > most ? most : value;
  return static_cast<R>(static_cast<T>(value));
}

/// R: the destination register as a signed or unsigned type, like T.
template <typename T, typename S, bool saturate>
Handler integerHandlerFor(unsigned registerWidth) {
  constexpr bool sign = std::is_signed_v<T>;
  using R2 = std::conditional_t<sign, int16_t, uint16_t>;
  using R4 = std::conditional_t<sign, int32_t, uint32_t>;
  using R8 = std::conditional_t<sign, int64_t, uint64_t>;
  switch (registerWidth) {
  case 2:
    return mapLanes < saturate ? saturateInteger<R2, T, S>
                               : cvtInteger<R2, T, S>,
           R2, S > ;
  case 4:
    return mapLanes < saturate ? saturateInteger<R4, T, S>
                               : cvtInteger<R4, T, S>,
           R4, S > ;
  case 8:
    return mapLanes < saturate ? saturateInteger<R8, T, S>
                               : cvtInteger<R8, T, S>,
           R8, S > ;
  }
  return nullptr;
}

template <typename T, typename S>
Handler integerHandler(bool saturate, unsigned width) {
  return saturate ? integerHandlerFor<T, S, true>(width)
                  : integerHandlerFor<T, S, false>(width);
}

/// A source of 8 bits lies in a register of 16.
template <typename T>
Handler integerFrom(Type source, bool saturate, unsigned width) {
  switch (source) {
  case Type::U16:
  case Type::B16:
    return integerHandler<T, uint16_t>(saturate, width);
  case Type::S16:
    return integerHandler<T, int16_t>(saturate, width);
  case Type::U32:
  case Type::B32:
    return integerHandler<T, uint32_t>(saturate, width);
  case Type::S32:
    return integerHandler<T, int32_t>(saturate, width);
  case Type::U64:
  case Type::B64:
    return integerHandler<T, uint64_t>(saturate, width);
  case Type::S64:
    return integerHandler<T, int64_t>(saturate, width);
  default:
    return nullptr;
  }
}

Handler integerTo(Type target, Type source, bool saturate, unsigned width) {
  switch (target) {
  case Type::U8:
  case Type::B8:
    return integerFrom<uint8_t>(source, saturate, width);
  case Type::S8:
    return integerFrom<int8_t>(source, saturate, width);
  case Type::U16:
  case Type::B16:
    return integerFrom<uint16_t>(source, saturate, width);
  case Type::S16:
    return integerFrom<int16_t>(source, saturate, width);
  case Type::U32:
  case Type::B32:
    return integerFrom<uint32_t>(source, saturate, width);
  case Type::S32:
    return integerFrom<int32_t>(source, saturate, width);
  case Type::U64:
  case Type::B64:
    return integerFrom<uint64_t>(source, saturate, width);
  case Type::S64:
    return integerFrom<int64_t>(source, saturate, width);
  default:
    return nullptr;
  }
}

int16_t signExtend8(uint16_t a) { return static_cast<int8_t>(a); }
uint16_t zeroExtend8(uint16_t a) { return static_cast<uint8_t>(a); }

} // namespace

Type bitsType(unsigned bytes) {
  return bytes == 2 ? Type::B16 : bytes == 4 ? Type::B32 : Type::B64;
}

Ref extendByte(Decoder &d, Type from, Ref source) {
  Ref extended = d.scratch(2);
  d.helper(from == Type::S8
               ? Handler(mapLanes<signExtend8, int16_t, uint16_t>)
               : Handler(mapLanes<zeroExtend8, uint16_t, uint16_t>),
           extended, source);
  return extended;
}

Ref cvtSource(Decoder &d, Type from) {
  const Operand &operand = d.operand(1);
  bool isName = operand.kind == Operand::Kind::Name;
  if (isName && registerBytes(from) <= 4 && !d.isRegister(operand)) {
    Ref special = specialSource(d, operand);
    unsigned bytes = registerBytes(from);
    if (special != noRef && bytes == 4)
      return special;
    if (special != noRef) {
      Ref narrow = d.scratch(bytes);
      d.helper(narrowHandler(4, bytes), narrow, special);
      return narrow;
    }
  }
  return d.narrowSource(operand, from);
}

bool decodeCvtIntegers(Decoder &d, Type to, Type from, bool saturate) {
  const Operand &target = d.operand(0);
  unsigned width = d.widthOf(target);
  if (width == 0)
    width = registerBytes(to);
  if (width < registerBytes(to))
    return d.fail("the destination register is too narrow");
  Ref source = cvtSource(d, from);
  Type sourceType = from;
  if (from == Type::S8 || from == Type::U8 || from == Type::B8) {
    source = extendByte(d, from, source);
    sourceType = from == Type::S8 ? Type::S16 : Type::U16;
  }
  d.out.ref[1] = source;
  d.out.ref[0] = d.destination(target, bitsType(width));
  return d.emit(integerTo(to, sourceType, saturate, width),
                InstructionClass::Convert);
}

} // namespace tilec::emu
