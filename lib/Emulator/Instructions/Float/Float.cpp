//===- Float.cpp - Floating-point arithmetic ------------------------------===//
//
// add, sub, mul, fma, mad, div, sqrt and rcp on f32 and f64; f16 and bf16 are
// Half.cpp's. The default forms (round to nearest even, with or without .ftz
// and .sat) have handlers of their own, all others go through the exact
// arithmetic of Numerics.h.
//
//===----------------------------------------------------------------------===//

#include "../../Decode/Families.h"
#include "../Handlers.h"
#include "FloatFamily.h"

namespace tilec::emu {

ElementType elementOf(Type type) {
  switch (type) {
  case Type::F16:
  case Type::F16x2:
    return ElementType::F16;
  case Type::BF16:
  case Type::BF16x2:
    return ElementType::BF16;
  case Type::F64:
    return ElementType::F64;
  default:
    return ElementType::F32;
  }
}

FloatModifiers takeFloatModifiers(Decoder &d) {
  FloatModifiers m;
  int rounding = d.takeOne({"rn", "rz", "rm", "rp"});
  m.roundingGiven = rounding >= 0;
  m.mode.rounding = static_cast<Rounding>(rounding < 0 ? 0 : rounding);
  m.mode.flushToZero = d.take("ftz");
  if (d.take("sat"))
    m.mode.saturation = Saturation::Unit;
  m.mode.relu = d.take("relu");
  return m;
}

bool bindFloat(Decoder &d, Type type, size_t sources) {
  if (!d.expectOperands(sources + 1, sources + 1))
    return false;
  for (size_t i = 1; i <= sources; ++i)
    d.out.ref[i] = d.source(i, type);
  d.out.ref[0] = d.destination(0, type);
  return true;
}

namespace {

//===----------------------------------------------------------------------===//
// Fast paths
//===----------------------------------------------------------------------===//

template <float (*f)(float, float), bool flush, bool saturate>
float binaryF32(float a, float b) {
  if (flush) {
    a = flushF32(a);
    b = flushF32(b);
  }
  float result = f(a, b);
  if (flush)
    result = flushF32(result);
  return saturate ? saturateF32(result) : result;
}
template <bool flush, bool saturate>
float fmaF32(float a, float b, float c) {
  if (flush) {
    a = flushF32(a);
    b = flushF32(b);
    c = flushF32(c);
  }
  float result = f32Fma(a, b, c);
  if (flush)
    result = flushF32(result);
  return saturate ? saturateF32(result) : result;
}
double canonicalF64(double value) {
  return value != value ? bitsToF64(canonicalNanF64) : value;
}
double addF64(double a, double b) { return canonicalF64(a + b); }
double subF64(double a, double b) { return canonicalF64(a - b); }
double mulF64(double a, double b) { return canonicalF64(a * b); }
double divF64(double a, double b) { return canonicalF64(a / b); }
double fmaF64(double a, double b, double c) {
  return canonicalF64(std::fma(a, b, c));
}
double sqrtF64(double a) { return canonicalF64(std::sqrt(a)); }
double rcpF64(double a) { return canonicalF64(1.0 / a); }
template <bool flush>
float sqrtF32(float a) {
  a = flush ? flushF32(a) : a;
  return f32Sqrt(a);
}
template <bool flush>
float rcpF32(float a) {
  a = flush ? flushF32(a) : a;
  float r = f32Div(1.0f, a);
  return flush ? flushF32(r) : r;
}

template <float (*f)(float, float)>
Handler fastF32(const FloatMode &mode) {
  bool saturate = mode.saturation == Saturation::Unit;
  if (mode.flushToZero)
    return saturate
               ? Handler(
                     mapLanes<binaryF32<f, true, true>, float, float, float>)
               : Handler(
                     mapLanes<binaryF32<f, true, false>, float, float, float>);
  return saturate
             ? Handler(mapLanes<binaryF32<f, false, true>, float, float, float>)
             : Handler(
                   mapLanes<binaryF32<f, false, false>, float, float, float>);
}

/// fma.rn.f32 without modifiers: the hottest scalar instruction.
Step fmaFast(Warp &warp, const Instruction &instruction, uint32_t mask) {
  alignas(64) float values[32];
  f32FmaLanes(values, warp.ptr<float>(instruction.ref[1]),
              warp.ptr<float>(instruction.ref[2]),
              warp.ptr<float>(instruction.ref[3]));
  float *target = warp.ptr<float>(instruction.ref[0]);
  if (mask == fullMask)
    std::memcpy(target, values, sizeof values);
  else
    blend(target, values, mask);
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// General paths
//===----------------------------------------------------------------------===//

using Binary = uint64_t (*)(ElementType, uint64_t, uint64_t, FloatMode);

template <typename U, ElementType type, Binary f>
Step generalBinary(Warp &warp, const Instruction &instruction, uint32_t mask) {
  const auto &mode = instruction.data<FloatMode>();
  const U *a = warp.ptr<U>(instruction.ref[1]);
  const U *b = warp.ptr<U>(instruction.ref[2]);
  U *d = warp.ptr<U>(instruction.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    d[lane] = static_cast<U>(f(type, a[lane], b[lane], mode));
  });
  return Step::Next;
}
template <typename U, ElementType type>
Step generalFma(Warp &warp, const Instruction &instruction, uint32_t mask) {
  const auto &mode = instruction.data<FloatMode>();
  const U *a = warp.ptr<U>(instruction.ref[1]);
  const U *b = warp.ptr<U>(instruction.ref[2]);
  const U *c = warp.ptr<U>(instruction.ref[3]);
  U *d = warp.ptr<U>(instruction.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    d[lane] = static_cast<U>(fmaFloat(type, a[lane], b[lane], c[lane], mode));
  });
  return Step::Next;
}
using Unary = uint64_t (*)(ElementType, uint64_t, FloatMode);
template <typename U, ElementType type, Unary f>
Step generalUnary(Warp &warp, const Instruction &instruction, uint32_t mask) {
  const auto &mode = instruction.data<FloatMode>();
  const U *a = warp.ptr<U>(instruction.ref[1]);
  U *d = warp.ptr<U>(instruction.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    d[lane] = static_cast<U>(f(type, a[lane], mode));
  });
  return Step::Next;
}

Handler arithmeticHandler(char operation, Type type, const FloatMode &mode) {
  bool nearest = mode.rounding == Rounding::NearestEven;
  if (type == Type::F32 && nearest) {
    bool saturate = mode.saturation == Saturation::Unit;
    switch (operation) {
    case '+':
      return fastF32<f32Add>(mode);
    case '-':
      return fastF32<f32Sub>(mode);
    case '*':
      return fastF32<f32Mul>(mode);
    default:
      if (mode.flushToZero)
        return saturate ? Handler(mapLanes<fmaF32<true, true>, float, float,
                                           float, float>)
                        : Handler(mapLanes<fmaF32<true, false>, float, float,
                                           float, float>);
      return saturate ? Handler(mapLanes<fmaF32<false, true>, float, float,
                                         float, float>)
                      : fmaFast;
    }
  }
  if (type == Type::F64 && nearest) {
    switch (operation) {
    case '+':
      return mapLanes<addF64, double, double, double>;
    case '-':
      return mapLanes<subF64, double, double, double>;
    case '*':
      return mapLanes<mulF64, double, double, double>;
    default:
      return mapLanes<fmaF64, double, double, double, double>;
    }
  }
  bool wide = type == Type::F64;
  constexpr ElementType f32 = ElementType::F32, f64 = ElementType::F64;
  switch (operation) {
  case '+':
    return wide ? Handler(generalBinary<uint64_t, f64, addFloat>)
                : Handler(generalBinary<uint32_t, f32, addFloat>);
  case '-':
    return wide ? Handler(generalBinary<uint64_t, f64, subFloat>)
                : Handler(generalBinary<uint32_t, f32, subFloat>);
  case '*':
    return wide ? Handler(generalBinary<uint64_t, f64, mulFloat>)
                : Handler(generalBinary<uint32_t, f32, mulFloat>);
  default:
    return wide ? Handler(generalFma<uint64_t, f64>)
                : Handler(generalFma<uint32_t, f32>);
  }
}

/// f32x2: two f32 operations on the halves of 64-bit registers.
template <char operation, bool flush>
Step pairF32(Warp &warp, const Instruction &instruction, uint32_t mask) {
  const uint64_t *a = warp.ptr<uint64_t>(instruction.ref[1]);
  const uint64_t *b = warp.ptr<uint64_t>(instruction.ref[2]);
  const uint64_t *c =
      operation == 'f' ? warp.ptr<uint64_t>(instruction.ref[3]) : nullptr;
  uint64_t *d = warp.ptr<uint64_t>(instruction.ref[0]);
  auto half = [&](uint32_t lane, int shift) {
    auto value = [&](const uint64_t *v) {
      return bitsToF32(static_cast<uint32_t>(v[lane] >> shift));
    };
    float r;
    if constexpr (operation == '+')
      r = binaryF32<f32Add, flush, false>(value(a), value(b));
    else if constexpr (operation == '-')
      r = binaryF32<f32Sub, flush, false>(value(a), value(b));
    else if constexpr (operation == '*')
      r = binaryF32<f32Mul, flush, false>(value(a), value(b));
    else
      r = fmaF32<flush, false>(value(a), value(b), value(c));
    return uint64_t(f32ToBits(r)) << shift;
  };
  forLanes(mask,
           [&](uint32_t lane) { d[lane] = half(lane, 0) | half(lane, 32); });
  return Step::Next;
}

/// The same in other rounding modes.
template <char operation>
Step pairGeneral(Warp &warp, const Instruction &instruction, uint32_t mask) {
  const auto &mode = instruction.data<FloatMode>();
  const uint64_t *a = warp.ptr<uint64_t>(instruction.ref[1]);
  const uint64_t *b = warp.ptr<uint64_t>(instruction.ref[2]);
  const uint64_t *c =
      operation == 'f' ? warp.ptr<uint64_t>(instruction.ref[3]) : nullptr;
  uint64_t *d = warp.ptr<uint64_t>(instruction.ref[0]);
  auto half = [&](uint32_t lane, int shift) {
    constexpr ElementType f32 = ElementType::F32;
    uint64_t x = a[lane] >> shift & 0xffffffff;
    uint64_t y = b[lane] >> shift & 0xffffffff;
    if constexpr (operation == '+')
      return addFloat(f32, x, y, mode) << shift;
    else if constexpr (operation == '-')
      return subFloat(f32, x, y, mode) << shift;
    else if constexpr (operation == '*')
      return mulFloat(f32, x, y, mode) << shift;
    else
      return fmaFloat(f32, x, y, c[lane] >> shift & 0xffffffff, mode) << shift;
  };
  forLanes(mask,
           [&](uint32_t lane) { d[lane] = half(lane, 0) | half(lane, 32); });
  return Step::Next;
}

bool decodePairF32(Decoder &d, char operation, const FloatMode &mode) {
  if (mode.saturation != Saturation::None)
    return false;
  if (mode.rounding != Rounding::NearestEven) {
    *d.makeData<FloatMode>() = mode;
    Handler general = operation == '+'   ? pairGeneral<'+'>
                      : operation == '-' ? pairGeneral<'-'>
                      : operation == '*' ? pairGeneral<'*'>
                                         : pairGeneral<'f'>;
    return bindFloat(d, Type::F32x2, operation == 'f' ? 3 : 2) &&
           d.emit(general, InstructionClass::Float);
  }
  bool z = mode.flushToZero;
  Handler handler =
      operation == '+'   ? z ? pairF32<'+', true> : pairF32<'+', false>
      : operation == '-' ? z ? pairF32<'-', true> : pairF32<'-', false>
      : operation == '*' ? z ? pairF32<'*', true> : pairF32<'*', false>
      : z                ? pairF32<'f', true>
                         : pairF32<'f', false>;
  return bindFloat(d, Type::F32x2, operation == 'f' ? 3 : 2) &&
         d.emit(handler, InstructionClass::Float);
}

} // namespace

bool decodeFloatArithmetic(Decoder &d) {
  std::string_view opcode = d.syntax().parts[0];
  char operation = opcode == "add"   ? '+'
                   : opcode == "sub" ? '-'
                   : opcode == "mul" ? '*'
                                     : 'f';
  FloatModifiers m = takeFloatModifiers(d);
  bool out = d.take("oob");
  Type type = d.takeType();
  if (out)
    return false;
  Type narrow = d.takeTypeIfAny();
  if (narrow != Type::None)
    return type == Type::F32 && decodeMixedArithmetic(d, operation, narrow, m);
  if (type == Type::F32x2)
    return decodePairF32(d, operation, m.mode);
  if (type != Type::F32 && type != Type::F64)
    return decodeHalfArithmetic(d, operation, type, m);
  if (m.mode.relu || (type == Type::F64 && m.mode.flushToZero))
    return false;
  if (operation == 'f' && !m.roundingGiven)
    return d.fail("a rounding modifier is missing");
  Handler handler = arithmeticHandler(operation, type, m.mode);
  *d.makeData<FloatMode>() = m.mode;
  return bindFloat(d, type, operation == 'f' ? 3 : 2) &&
         d.emit(handler, InstructionClass::Float);
}

bool decodeFloatDivision(Decoder &d) {
  if (d.syntax().parts[0] == "rem")
    return false;
  int approximate = d.takeOne({"approx", "full"});
  FloatModifiers m = takeFloatModifiers(d);
  Type type = d.takeType();
  Handler handler = nullptr;
  if (approximate >= 0) {
    if (type != Type::F32)
      return false;
    handler = divApproximateHandler(approximate == 1, m.mode.flushToZero);
  } else if (!m.roundingGiven) {
    return d.fail("a rounding modifier is missing");
  } else if (m.mode.rounding == Rounding::NearestEven && type == Type::F64) {
    handler = mapLanes<divF64, double, double, double>;
  } else if (m.mode.rounding == Rounding::NearestEven && type == Type::F32) {
    handler = fastF32<f32Div>(m.mode);
  } else if (type == Type::F32) {
    handler = generalBinary<uint32_t, ElementType::F32, divFloat>;
  } else if (type == Type::F64) {
    handler = generalBinary<uint64_t, ElementType::F64, divFloat>;
  }
  *d.makeData<FloatMode>() = m.mode;
  return handler && bindFloat(d, type, 2) &&
         d.emit(handler, InstructionClass::Float);
}

namespace {

bool decodeRoot(Decoder &d) {
  bool rcp = d.syntax().parts[0] == "rcp";
  if (d.take("approx")) {
    bool ftz = d.take("ftz");
    Type type = d.takeType();
    Handler handler = rootApproximateHandler(rcp, type, ftz);
    return handler && bindFloat(d, type, 1) &&
           d.emit(handler, InstructionClass::Float);
  }
  FloatModifiers m = takeFloatModifiers(d);
  Type type = d.takeType();
  if (!m.roundingGiven)
    return d.fail("a rounding modifier is missing");
  bool nearest = m.mode.rounding == Rounding::NearestEven;
  Handler handler = nullptr;
  if (type == Type::F32 && nearest)
    handler = rcp ? m.mode.flushToZero
                        ? Handler(mapLanes<rcpF32<true>, float, float>)
                        : Handler(mapLanes<rcpF32<false>, float, float>)
              : m.mode.flushToZero
                  ? Handler(mapLanes<sqrtF32<true>, float, float>)
                  : Handler(mapLanes<sqrtF32<false>, float, float>);
  else if (type == Type::F64 && nearest)
    handler = rcp ? mapLanes<rcpF64, double, double>
                  : mapLanes<sqrtF64, double, double>;
  else if (type == Type::F32)
    handler = rcp ? generalUnary<uint32_t, ElementType::F32, rcpFloat>
                  : generalUnary<uint32_t, ElementType::F32, sqrtFloat>;
  else if (type == Type::F64)
    handler = rcp ? generalUnary<uint64_t, ElementType::F64, rcpFloat>
                  : generalUnary<uint64_t, ElementType::F64, sqrtFloat>;
  *d.makeData<FloatMode>() = m.mode;
  return handler && bindFloat(d, type, 1) &&
         d.emit(handler, InstructionClass::Float);
}

} // namespace

void registerFloat(OpcodeTable &table) {
  table["fma"] = decodeFloatArithmetic;
  table["sqrt"] = table["rcp"] = decodeRoot;
}

} // namespace tilec::emu
