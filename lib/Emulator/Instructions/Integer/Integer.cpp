//===- Integer.cpp - Integer arithmetic -----------------------------------===//
//
// add, sub, sad, div, rem, abs, neg, min, max and their packed 16-bit forms.
// Division by zero, undefined in PTX, gives all ones (and a remainder of the
// dividend), as the hardware's software division does.
//
//===----------------------------------------------------------------------===//

#include "IntegerFamily.h"

namespace tilec::emu {

namespace {

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

bool binary(Decoder &d, Handler handler, Type type) {
  return d.bind(type, {type, type}) &&
         d.emit(handler, InstructionClass::Integer);
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
#define SAD(T) mapLanes<sadOp<T>, T, T, T, T>

Type lastType(Decoder &d) {
  return parseInstructionType(d.syntax().parts.back());
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

bool decodeSad(Decoder &d) {
  Type type = d.takeType();
  return d.bind(type, {type, type, type}) &&
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
  return handler && d.bind(type, {type}) &&
         d.emit(handler, InstructionClass::Integer);
}

} // namespace

bool isFloatInstruction(Decoder &d) {
  for (size_t i = 1; i < d.syntax().parts.size(); ++i) {
    Type type = parseInstructionType(d.syntax().parts[i]);
    if (isFloatType(type) || type == Type::F16x2 || type == Type::BF16x2 ||
        type == Type::F32x2)
      return true;
  }
  return false;
}

void registerInteger(OpcodeTable &table) {
  table["add"] = table["sub"] = decodeAddSub;
  table["addc"] = table["subc"] = decodeCarry;
  table["madc"] = decodeMadCarry;
  table["sad"] = decodeSad;
  table["div"] = table["rem"] = decodeDivRem;
  table["abs"] = table["neg"] = decodeAbsNeg;
  table["min"] = table["max"] = decodeMinMax;
}

} // namespace tilec::emu
