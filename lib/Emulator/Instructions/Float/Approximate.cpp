//===- Approximate.cpp - Approximate and transcendental functions ---------===//
//
// ex2, lg2, sin, cos, tanh, rsqrt, and the approximate forms of rcp, sqrt and
// div. Values come from Numerics.h: nearly correctly rounded, within the error
// the ISA allows.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "FloatFamily.h"

namespace tilec::emu {

namespace {

template <float (*f)(float, bool), bool flush>
float withFlush(float x) {
  return f(x, flush);
}
template <float (*f)(float, bool)>
Handler choose(bool flush) {
  return flush ? Handler(mapLanes<withFlush<f, true>, float, float>)
               : Handler(mapLanes<withFlush<f, false>, float, float>);
}
template <bool full, bool flush>
float divide(float x, float y) {
  return full ? divFull(x, y, flush) : divApprox(x, y, flush);
}
template <bool flush>
double rsqrtWide(double x) {
  return rsqrtApproxF64(x, flush);
}
template <bool flush>
uint16_t ex2Half(uint16_t x) {
  return ex2ApproxF16(x, flush);
}
template <uint16_t (*f)(uint16_t)>
uint32_t both(uint32_t x) {
  return uint32_t(f(static_cast<uint16_t>(x))) |
         uint32_t(f(static_cast<uint16_t>(x >> 16))) << 16;
}
template <uint16_t (*f)(uint16_t)>
Handler halves(bool packed) {
  return packed ? Handler(mapLanes<both<f>, uint32_t, uint32_t>)
                : Handler(mapLanes<f, uint16_t, uint16_t>);
}

bool decodeFunction1(Decoder &d) {
  std::string_view opcode = d.syntax().parts[0];
  if (!d.take("approx"))
    return d.fail("only the .approx form exists");
  bool flush = d.take("ftz");
  Type type = d.takeType();
  Handler handler = nullptr;
  bool packed = type == Type::F16x2 || type == Type::BF16x2;
  bool f16 = type == Type::F16 || type == Type::F16x2;
  bool bf16 = type == Type::BF16 || type == Type::BF16x2;
  if (opcode == "ex2") {
    if (type == Type::F32)
      handler = choose<ex2Approx>(flush);
    else if (f16)
      handler = flush ? halves<ex2Half<true>>(packed)
                      : halves<ex2Half<false>>(packed);
    else if (bf16 && flush)
      handler = halves<ex2ApproxBF16>(packed);
  } else if (opcode == "tanh" && !flush) {
    if (type == Type::F32)
      handler = mapLanes<tanhApprox, float, float>;
    else if (f16)
      handler = halves<tanhApproxF16>(packed);
    else if (bf16)
      handler = halves<tanhApproxBF16>(packed);
  } else if (type == Type::F32) {
    handler = opcode == "lg2"     ? choose<lg2Approx>(flush)
              : opcode == "sin"   ? choose<sinApprox>(flush)
              : opcode == "cos"   ? choose<cosApprox>(flush)
              : opcode == "rsqrt" ? choose<rsqrtApprox>(flush)
                                  : nullptr;
  } else if (type == Type::F64 && opcode == "rsqrt") {
    handler = flush ? mapLanes<rsqrtWide<true>, double, double>
                    : mapLanes<rsqrtWide<false>, double, double>;
  }
  if (!handler || !d.expectOperands(2, 2))
    return false;
  d.out.ref[1] = d.source(1, type);
  d.out.ref[0] = d.destination(0, type);
  return d.emit(handler, InstructionClass::Float);
}

} // namespace

Handler divApproximateHandler(bool full, bool flush) {
  if (full)
    return flush ? mapLanes<divide<true, true>, float, float, float>
                 : mapLanes<divide<true, false>, float, float, float>;
  return flush ? mapLanes<divide<false, true>, float, float, float>
               : mapLanes<divide<false, false>, float, float, float>;
}

Handler rootApproximateHandler(bool reciprocal, Type type, bool flush) {
  if (type == Type::F32)
    return reciprocal ? choose<rcpApprox>(flush) : choose<sqrtApprox>(flush);
  if (type == Type::F64 && reciprocal && flush)
    return mapLanes<rcpApproxF64, double, double>;
  return nullptr;
}

void registerApproximate(OpcodeTable &table) {
  table["ex2"] = table["lg2"] = table["sin"] = table["cos"] = table["tanh"] =
      table["rsqrt"] = decodeFunction1;
}

} // namespace tilec::emu
