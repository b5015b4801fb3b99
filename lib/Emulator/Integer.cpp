//===- Integer.cpp - Integer arithmetic -----------------------------------===//
//
// add, sub, mul, mad, sad, div, rem, abs, neg, min, max, the 24-bit and packed
// 16-bit forms, dp4a and dp2a, and the extended-precision forms with a carry.
// Additions and products are done on unsigned types, which wrap. Division by
// zero, undefined in PTX, gives all ones (and a remainder of the dividend), as
// the hardware's software division does.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Families.h"
#include "Handlers.h"

#include <limits>
#include <type_traits>

namespace tilec::emu {

namespace {

template <typename T>
T addOp(T a, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
}
template <typename T>
T subOp(T a, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(static_cast<U>(a) - static_cast<U>(b)));
}
template <typename T>
T addSatOp(T a, T b) {
  int64_t sum = static_cast<int64_t>(a) + static_cast<int64_t>(b);
  int64_t least = std::numeric_limits<T>::min();
  int64_t most = std::numeric_limits<T>::max();
  return static_cast<T>(sum < least ? least : sum > most ? most : sum);
}
template <typename T>
T subSatOp(T a, T b) {
  int64_t sum = static_cast<int64_t>(a) - static_cast<int64_t>(b);
  int64_t least = std::numeric_limits<T>::min();
  int64_t most = std::numeric_limits<T>::max();
  return static_cast<T>(sum < least ? least : sum > most ? most : sum);
}
template <typename T>
T mulOp(T a, T b) {
  // 16-bit operands would be promoted to int, whose products may overflow.
  using U =
      std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;
  return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
}
template <typename T>
struct WiderOf;
template <>
struct WiderOf<int16_t> {
  using Result = int32_t;
};
template <>
struct WiderOf<uint16_t> {
  using Result = uint32_t;
};
template <>
struct WiderOf<int32_t> {
  using Result = int64_t;
};
template <>
struct WiderOf<uint32_t> {
  using Result = uint64_t;
};
template <>
struct WiderOf<int64_t> {
  using Result = __int128;
};
template <>
struct WiderOf<uint64_t> {
  using Result = unsigned __int128;
};
template <typename T>
using Wider = typename WiderOf<T>::Result;

template <typename T>
T mulHiOp(T a, T b) {
  return static_cast<T>((static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b)) >>
                        (sizeof(T) * 8));
}
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
template <typename T>
T sadOp(T a, T b, T c) {
  T difference = a > b ? subOp<T>(a, b) : subOp<T>(b, a);
  return addOp<T>(difference, c);
}
template <typename T>
T divOp(T a, T b) {
  if (b == 0)
    return static_cast<T>(~T(0));
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1))
      return subOp<T>(0, a);
  return static_cast<T>(a / b);
}
template <typename T>
T remOp(T a, T b) {
  if (b == 0)
    return a;
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1))
      return 0;
  return static_cast<T>(a % b);
}
template <typename T>
T absOp(T a) {
  return a < 0 ? subOp<T>(0, a) : a;
}
template <typename T>
T negOp(T a) {
  return subOp<T>(0, a);
}
template <typename T>
T minOp(T a, T b) {
  return a < b ? a : b;
}
template <typename T>
T maxOp(T a, T b) {
  return a > b ? a : b;
}
template <typename T>
T minReluOp(T a, T b) {
  return maxOp<T>(minOp<T>(a, b), 0);
}
template <typename T>
T maxReluOp(T a, T b) {
  return maxOp<T>(maxOp<T>(a, b), 0);
}
template <typename H, H (*half)(H, H)>
uint32_t pairOp(uint32_t a, uint32_t b) {
  uint16_t low = static_cast<uint16_t>(
      half(static_cast<H>(a & 0xffff), static_cast<H>(b & 0xffff)));
  uint16_t high = static_cast<uint16_t>(
      half(static_cast<H>(a >> 16), static_cast<H>(b >> 16)));
  return low | uint32_t(high) << 16;
}

/// Chooses an instantiation by integer type.
#define BY_INTEGER(type, OP, ...)                                              \
  [&]() -> Handler {                                                           \
    switch (type) {                                                            \
    case Type::U16:                                                            \
    case Type::B16:                                                            \
      return OP(uint16_t);                                                     \
    case Type::S16:                                                            \
      return OP(int16_t);                                                      \
    case Type::U32:                                                            \
    case Type::B32:                                                            \
      return OP(uint32_t);                                                     \
    case Type::S32:                                                            \
      return OP(int32_t);                                                      \
    case Type::U64:                                                            \
    case Type::B64:                                                            \
      return OP(uint64_t);                                                     \
    case Type::S64:                                                            \
      return OP(int64_t);                                                      \
    default:                                                                   \
      return nullptr;                                                          \
    }                                                                          \
  }()

bool bind(Decoder &d, Type result, std::initializer_list<Type> sources) {
  if (!d.expectOperands(sources.size() + 1, sources.size() + 1))
    return false;
  size_t i = 1;
  for (Type type : sources) {
    d.out.ref[i] = d.source(i, type);
    ++i;
  }
  d.out.ref[0] = d.destination(0, result);
  return true;
}

bool binary(Decoder &d, Handler handler, Type type) {
  return bind(d, type, {type, type}) &&
         d.emit(handler, InstructionClass::Integer);
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

//===----------------------------------------------------------------------===//
// Carry
//===----------------------------------------------------------------------===//

/// d = a + b (+ carry in), ref[3] the carry in (or a constant 0), ref[4] the
/// carry out. Subtraction adds the complement, with borrow = !carry.
template <typename U, bool subtract>
Step addCarry(Warp &warp, const Instruction &instruction, uint32_t mask) {
  const U *a = warp.ptr<U>(instruction.ref[1]);
  const U *b = warp.ptr<U>(instruction.ref[2]);
  U *d = warp.ptr<U>(instruction.ref[0]);
  uint32_t in = warp.predicate(instruction.ref[3]), carryOut = 0;
  forLanes(mask, [&](uint32_t lane) {
    using Wide = unsigned __int128;
    Wide y = subtract ? static_cast<U>(~b[lane]) : b[lane];
    // CC.CF holds the borrow for subtractions.
    bool carry = (in >> lane & 1) != subtract;
    Wide sum = Wide(a[lane]) + y + (carry ? 1 : 0);
    bool overflow = (sum >> (sizeof(U) * 8)) != 0;
    d[lane] = static_cast<U>(sum);
    carryOut |= (overflow != subtract ? 1u : 0u) << lane;
  });
  if (instruction.ref[4] != noRef)
    warp.setPredicate(instruction.ref[4], mask, carryOut);
  return Step::Next;
}

/// d = low or high half of a * b, plus c plus carry.
template <typename T, bool high>
Step madCarry(Warp &warp, const Instruction &instruction, uint32_t mask) {
  using U = std::make_unsigned_t<T>;
  const T *a = warp.ptr<T>(instruction.ref[1]);
  const T *b = warp.ptr<T>(instruction.ref[2]);
  const U *c = warp.ptr<U>(instruction.ref[5]);
  U *d = warp.ptr<U>(instruction.ref[0]);
  uint32_t in = warp.predicate(instruction.ref[3]), carryOut = 0;
  forLanes(mask, [&](uint32_t lane) {
    using Wide = unsigned __int128;
    U product = static_cast<U>(high ? mulHiOp<T>(a[lane], b[lane])
                                    : mulOp<T>(a[lane], b[lane]));
    Wide sum = Wide(product) + c[lane] + (in >> lane & 1);
    d[lane] = static_cast<U>(sum);
    carryOut |= ((sum >> (sizeof(U) * 8)) != 0 ? 1u : 0u) << lane;
  });
  if (instruction.ref[4] != noRef)
    warp.setPredicate(instruction.ref[4], mask, carryOut);
  return Step::Next;
}

bool decodeCarry(Decoder &d) {
  std::string_view opcode = d.syntax().parts[0];
  bool subtract = opcode.starts_with("sub");
  bool takesCarry = opcode.back() == 'c';
  bool setsCarry = d.take("cc");
  Type type = d.takeType();
  if (type == Type::None)
    return false;
  Type bits = registerBytes(type) == 8 ? Type::B64 : Type::B32;
  if (!isInteger(type) || registerBytes(type) < 4)
    return false;
  if (!bind(d, bits, {bits, bits}))
    return false;
  d.out.ref[3] = takesCarry ? d.carry() : d.constant(1, 0);
  d.out.ref[4] = setsCarry ? d.carry() : noRef;
  Handler handler = bits == Type::B64 ? subtract ? addCarry<uint64_t, true>
                                                 : addCarry<uint64_t, false>
                    : subtract        ? addCarry<uint32_t, true>
                                      : addCarry<uint32_t, false>;
  return d.emit(handler, InstructionClass::Integer);
}

bool decodeMadCarry(Decoder &d) {
  bool takesCarry = d.syntax().parts[0] == "madc";
  bool setsCarry = d.take("cc");
  int half = d.takeOne({"lo", "hi"});
  Type type = d.takeType();
  if (half < 0 || !bind(d, type, {type, type, type}))
    return false;
  d.out.ref[5] = d.out.ref[3];
  d.out.ref[3] = takesCarry ? d.carry() : d.constant(1, 0);
  d.out.ref[4] = setsCarry ? d.carry() : noRef;
  Handler handler = nullptr;
  switch (type) {
  case Type::U32:
  case Type::B32:
    handler = half ? madCarry<uint32_t, true> : madCarry<uint32_t, false>;
    break;
  case Type::S32:
    handler = half ? madCarry<int32_t, true> : madCarry<int32_t, false>;
    break;
  case Type::U64:
  case Type::B64:
    handler = half ? madCarry<uint64_t, true> : madCarry<uint64_t, false>;
    break;
  case Type::S64:
    handler = half ? madCarry<int64_t, true> : madCarry<int64_t, false>;
    break;
  default:
    return false;
  }
  return d.emit(handler, InstructionClass::Integer);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

#define ADD(T) mapLanes<addOp<T>, T, T, T>
#define SUB(T) mapLanes<subOp<T>, T, T, T>
#define DIV(T) mapLanes<divOp<T>, T, T, T>
#define REM(T) mapLanes<remOp<T>, T, T, T>
#define MIN(T) mapLanes<minOp<T>, T, T, T>
#define MAX(T) mapLanes<maxOp<T>, T, T, T>
#define MUL(T) mapLanes<mulOp<T>, T, T, T>
#define MULHI(T) mapLanes<mulHiOp<T>, T, T, T>
#define MAD(T) mapLanes<madOp<T>, T, T, T, T>
#define MADHI(T) mapLanes<madHiOp<T>, T, T, T, T>
#define SAD(T) mapLanes<sadOp<T>, T, T, T, T>

Type lastType(Decoder &d) {
  return parseInstructionType(d.syntax().parts.back());
}

bool isFloatInstruction(Decoder &d) {
  for (size_t i = 1; i < d.syntax().parts.size(); ++i) {
    Type type = parseInstructionType(d.syntax().parts[i]);
    if (isFloatType(type) || type == Type::F16x2 || type == Type::BF16x2 ||
        type == Type::F32x2)
      return true;
  }
  return false;
}

bool decodeAddSub(Decoder &d) {
  if (isFloatInstruction(d))
    return decodeFloatArithmetic(d);
  if (lastType(d) != Type::None)
    for (std::string_view part : d.syntax().parts)
      if (part == "cc")
        return decodeCarry(d);
  bool subtract = d.syntax().parts[0] == "sub";
  bool saturate = d.take("sat");
  Type type = d.takeType();
  if (type == Type::U16x2 || type == Type::S16x2)
    return binary(d,
                  subtract ? mapLanes<pairOp<uint16_t, subOp<uint16_t>>,
                                      uint32_t, uint32_t, uint32_t>
                           : mapLanes<pairOp<uint16_t, addOp<uint16_t>>,
                                      uint32_t, uint32_t, uint32_t>,
                  type);
  if (saturate) {
    if (type != Type::S32)
      return false;
    return binary(d,
                  subtract
                      ? mapLanes<subSatOp<int32_t>, int32_t, int32_t, int32_t>
                      : mapLanes<addSatOp<int32_t>, int32_t, int32_t, int32_t>,
                  type);
  }
  return binary(d, subtract ? BY_INTEGER(type, SUB) : BY_INTEGER(type, ADD),
                type);
}

bool decodeDivRem(Decoder &d) {
  if (isFloatInstruction(d))
    return decodeFloatDivision(d);
  bool rem = d.syntax().parts[0] == "rem";
  Type type = d.takeType();
  if (isBits(type))
    return false;
  return binary(d, rem ? BY_INTEGER(type, REM) : BY_INTEGER(type, DIV), type);
}

bool decodeMinMax(Decoder &d) {
  if (isFloatInstruction(d))
    return decodeFloatMinMax(d);
  bool isMax = d.syntax().parts[0] == "max";
  bool relu = d.take("relu");
  Type type = d.takeType();
  Handler handler = nullptr;
  if (type == Type::U16x2)
    handler = isMax ? mapLanes<pairOp<uint16_t, maxOp<uint16_t>>, uint32_t,
                               uint32_t, uint32_t>
                    : mapLanes<pairOp<uint16_t, minOp<uint16_t>>, uint32_t,
                               uint32_t, uint32_t>;
  else if (type == Type::S16x2 && relu)
    handler = isMax ? mapLanes<pairOp<int16_t, maxReluOp<int16_t>>, uint32_t,
                               uint32_t, uint32_t>
                    : mapLanes<pairOp<int16_t, minReluOp<int16_t>>, uint32_t,
                               uint32_t, uint32_t>;
  else if (type == Type::S16x2)
    handler = isMax ? mapLanes<pairOp<int16_t, maxOp<int16_t>>, uint32_t,
                               uint32_t, uint32_t>
                    : mapLanes<pairOp<int16_t, minOp<int16_t>>, uint32_t,
                               uint32_t, uint32_t>;
  else if (relu && type == Type::S32)
    handler = isMax ? mapLanes<maxReluOp<int32_t>, int32_t, int32_t, int32_t>
                    : mapLanes<minReluOp<int32_t>, int32_t, int32_t, int32_t>;
  else if (!relu && !isBits(type))
    handler = isMax ? BY_INTEGER(type, MAX) : BY_INTEGER(type, MIN);
  return handler && binary(d, handler, type);
}

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
  if (mad ? !bind(d, result, {type, type, result})
          : !bind(d, result, {type, type}))
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
  if (mad ? !bind(d, type, {type, type, type}) : !bind(d, type, {type, type}))
    return false;
  return d.emit(handler, InstructionClass::Integer);
}

bool decodeSad(Decoder &d) {
  Type type = d.takeType();
  return bind(d, type, {type, type, type}) &&
         d.emit(BY_INTEGER(type, SAD), InstructionClass::Integer);
}

bool decodeAbsNeg(Decoder &d) {
  if (isFloatInstruction(d))
    return decodeFloatSign(d);
  bool neg = d.syntax().parts[0] == "neg";
  Type type = d.takeType();
  Handler handler = nullptr;
  if (type == Type::S16)
    handler = neg ? mapLanes<negOp<int16_t>, int16_t, int16_t>
                  : mapLanes<absOp<int16_t>, int16_t, int16_t>;
  else if (type == Type::S32)
    handler = neg ? mapLanes<negOp<int32_t>, int32_t, int32_t>
                  : mapLanes<absOp<int32_t>, int32_t, int32_t>;
  else if (type == Type::S64)
    handler = neg ? mapLanes<negOp<int64_t>, int64_t, int64_t>
                  : mapLanes<absOp<int64_t>, int64_t, int64_t>;
  return handler && bind(d, type, {type}) &&
         d.emit(handler, InstructionClass::Integer);
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
  return bind(d, Type::B32, {Type::B32, Type::B32, Type::B32}) &&
         d.emit(handler, InstructionClass::Integer);
}

} // namespace

void registerInteger(OpcodeTable &table) {
  table["add"] = table["sub"] = decodeAddSub;
  table["addc"] = table["subc"] = decodeCarry;
  table["madc"] = decodeMadCarry;
  table["mul"] = table["mad"] = decodeMul;
  table["mul24"] = table["mad24"] = decodeMul24;
  table["sad"] = decodeSad;
  table["div"] = table["rem"] = decodeDivRem;
  table["abs"] = table["neg"] = decodeAbsNeg;
  table["min"] = table["max"] = decodeMinMax;
  table["dp4a"] = table["dp2a"] = decodeDot;
}

} // namespace tilec::emu
