//===- IntegerMultiply.cpp - Integer products -----------------------------===//
//
// mul and mad in their low, high and wide forms, those of 24 bits, and the dot
// products dp4a and dp2a.
//
//===----------------------------------------------------------------------===//

#include "IntegerFamily.h"

namespace tilec::emu {

namespace {

template <typename T>
Wider<T> mulWideOp(T a, T b) {
  return static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b);
}
template <typename T>
T madOp(T a, T b, T c) {
  return addOp<T>(mulOp<T>(a, b), c);
}
template <typename T>
T madHiOp(T a, T b, T c) {
  return addOp<T>(mulHiOp<T>(a, b), c);
}
template <typename T>
T madHiSatOp(T a, T b, T c) {
  return addSatOp<T>(mulHiOp<T>(a, b), c);
}
template <typename T>
Wider<T> madWideOp(T a, T b, Wider<T> c) {
  return addOp<Wider<T>>(mulWideOp<T>(a, b), c);
}
template <typename T>
T mul24Op(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    int64_t x = static_cast<int32_t>(static_cast<uint32_t>(a) << 8) >> 8;
    int64_t y = static_cast<int32_t>(static_cast<uint32_t>(b) << 8) >> 8;
    return static_cast<T>(x * y);
  } else {
    return static_cast<T>(uint64_t(a & 0xffffff) * (b & 0xffffff));
  }
}
template <typename T>
T mul24HiOp(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    int64_t x = static_cast<int32_t>(static_cast<uint32_t>(a) << 8) >> 8;
    int64_t y = static_cast<int32_t>(static_cast<uint32_t>(b) << 8) >> 8;
    return static_cast<T>((x * y) >> 16);
  } else {
    return static_cast<T>((uint64_t(a & 0xffffff) * (b & 0xffffff)) >> 16);
  }
}
template <typename T>
T mad24Op(T a, T b, T c) {
  return addOp<T>(mul24Op<T>(a, b), c);
}
template <typename T>
T mad24HiOp(T a, T b, T c) {
  return addOp<T>(mul24HiOp<T>(a, b), c);
}
int32_t mad24HiSatOp(int32_t a, int32_t b, int32_t c) {
  int64_t sum = int64_t(mul24HiOp<int32_t>(a, b)) + c;
  constexpr int64_t least = std::numeric_limits<int32_t>::min();
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  return static_cast<int32_t>(sum < least ? least : sum > most ? most : sum);
}

Type widerType(Type type) {
  switch (type) {
  case Type::U16:
    return Type::U32;
  case Type::S16:
    return Type::S32;
  case Type::U32:
    return Type::U64;
  case Type::S32:
    return Type::S64;
  default:
    return Type::None;
  }
}

#define MUL(T) mapLanes<mulOp<T>, T, T, T>
#define MULHI(T) mapLanes<mulHiOp<T>, T, T, T>
#define MAD(T) mapLanes<madOp<T>, T, T, T, T>
#define MADHI(T) mapLanes<madHiOp<T>, T, T, T, T>

template <typename T>
Handler wideHandler(bool mad) {
  using W = Wider<T>;
  return mad ? Handler(mapLanes<madWideOp<T>, W, T, T, W>)
             : Handler(mapLanes<mulWideOp<T>, W, T, T>);
}

bool decodeMul(Decoder &d) {
  if (isFloatInstruction(d))
    return decodeFloatArithmetic(d);
  bool mad = d.syntax().parts[0] == "mad";
  if (mad)
    for (std::string_view part : d.syntax().parts)
      if (part == "cc")
        return decodeMadCarry(d);
  int mode = d.takeOne({"lo", "hi", "wide"});
  bool saturate = d.take("sat");
  Type type = d.takeType();
  if (mode < 0)
    return d.fail("one of .lo, .hi, .wide is missing");
  Handler handler = nullptr;
  Type result = type;
  if (mode == 2) {
    result = widerType(type);
    if (result == Type::None)
      return false;
    handler = type == Type::U16   ? wideHandler<uint16_t>(mad)
              : type == Type::S16 ? wideHandler<int16_t>(mad)
              : type == Type::U32 ? wideHandler<uint32_t>(mad)
                                  : wideHandler<int32_t>(mad);
  } else if (saturate) {
    if (!mad || mode != 1 || type != Type::S32)
      return false;
    handler = mapLanes<madHiSatOp<int32_t>, int32_t, int32_t, int32_t, int32_t>;
  } else if (mode == 0) {
    handler = mad ? BY_INTEGER(type, MAD) : BY_INTEGER(type, MUL);
  } else {
    handler = mad ? BY_INTEGER(type, MADHI) : BY_INTEGER(type, MULHI);
  }
  if (mad ? !d.bind(result, {type, type, result})
          : !d.bind(result, {type, type}))
    return false;
  return d.emit(handler, InstructionClass::Integer);
}

bool decodeMul24(Decoder &d) {
  bool mad = d.syntax().parts[0] == "mad24";
  int mode = d.takeOne({"lo", "hi"});
  bool saturate = d.take("sat");
  Type type = d.takeType();
  if (mode < 0 || (type != Type::U32 && type != Type::S32))
    return false;
  Handler handler;
  if (saturate && (!mad || mode != 1 || type != Type::S32))
    return d.fail("only mad24.hi.sat.s32 saturates");
  if (saturate)
    handler = mapLanes<mad24HiSatOp, int32_t, int32_t, int32_t, int32_t>;
  else if (type == Type::U32)
    handler =
        mad ? mode ? Handler(mapLanes<mad24HiOp<uint32_t>, uint32_t, uint32_t,
                                      uint32_t, uint32_t>)
                   : Handler(mapLanes<mad24Op<uint32_t>, uint32_t, uint32_t,
                                      uint32_t, uint32_t>)
        : mode
            ? Handler(
                  mapLanes<mul24HiOp<uint32_t>, uint32_t, uint32_t, uint32_t>)
            : Handler(
                  mapLanes<mul24Op<uint32_t>, uint32_t, uint32_t, uint32_t>);
  else
    handler =
        mad ? mode ? Handler(mapLanes<mad24HiOp<int32_t>, int32_t, int32_t,
                                      int32_t, int32_t>)
                   : Handler(mapLanes<mad24Op<int32_t>, int32_t, int32_t,
                                      int32_t, int32_t>)
        : mode
            ? Handler(mapLanes<mul24HiOp<int32_t>, int32_t, int32_t, int32_t>)
            : Handler(mapLanes<mul24Op<int32_t>, int32_t, int32_t, int32_t>);
  if (mad ? !d.bind(type, {type, type, type}) : !d.bind(type, {type, type}))
    return false;
  return d.emit(handler, InstructionClass::Integer);
}

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

template <bool aSigned, bool bSigned>
uint32_t dp4aOp(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 4; ++i) {
    int32_t x = static_cast<int32_t>(a >> (8 * i) & 255);
    int32_t y = static_cast<int32_t>(b >> (8 * i) & 255);
    x = aSigned ? static_cast<int8_t>(x) : x;
    y = bSigned ? static_cast<int8_t>(y) : y;
    c += static_cast<uint32_t>(x * y);
  }
  return c;
}
template <bool aSigned, bool bSigned, int half>
uint32_t dp2aOp(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 2; ++i) {
    int32_t x = static_cast<int32_t>(a >> (16 * i) & 0xffff);
    int32_t y = static_cast<int32_t>(b >> (16 * half + 8 * i) & 255);
    x = aSigned ? static_cast<int16_t>(x) : x;
    y = bSigned ? static_cast<int8_t>(y) : y;
    c += static_cast<uint32_t>(x * y);
  }
  return c;
}

bool decodeDot(Decoder &d) {
  bool two = d.syntax().parts[0] == "dp2a";
  int half = two ? d.takeOne({"lo", "hi"}) : 0;
  Type a = d.takeType(), b = d.takeType();
  bool as = a == Type::S32, bs = b == Type::S32;
  if (half < 0 || (!as && a != Type::U32) || (!bs && b != Type::U32))
    return false;
  Handler handler;
#define DOT(...)                                                               \
  Handler(mapLanes<__VA_ARGS__, uint32_t, uint32_t, uint32_t, uint32_t>)
  if (!two)
    handler = as   ? bs ? DOT(dp4aOp<true, true>) : DOT(dp4aOp<true, false>)
              : bs ? DOT(dp4aOp<false, true>)
                   : DOT(dp4aOp<false, false>);
  else if (half == 0)
    handler = as ? bs ? DOT(dp2aOp<true, true, 0>) : DOT(dp2aOp<true, false, 0>)
              : bs ? DOT(dp2aOp<false, true, 0>)
                   : DOT(dp2aOp<false, false, 0>);
  else
    handler = as ? bs ? DOT(dp2aOp<true, true, 1>) : DOT(dp2aOp<true, false, 1>)
              : bs ? DOT(dp2aOp<false, true, 1>)
                   : DOT(dp2aOp<false, false, 1>);
#undef DOT
  return d.bind(Type::B32, {Type::B32, Type::B32, Type::B32}) &&
         d.emit(handler, InstructionClass::Integer);
}

} // namespace

void registerIntegerMultiply(OpcodeTable &table) {
  table["mul"] = table["mad"] = decodeMul;
  table["mul24"] = table["mad24"] = decodeMul24;
  table["dp4a"] = table["dp2a"] = decodeDot;
}

} // namespace tilec::emu
