//===- FloatMinMax.cpp - min and max of floats ----------------------------===//
//
// min and max on f32 and f64, of two values or three. Without modifiers a NaN
// loses to a number and -0 is below +0, which has a handler of its own.
//
//===----------------------------------------------------------------------===//

#include "../../Decode/Families.h"
#include "../Handlers.h"
#include "FloatFamily.h"

namespace tilec::emu {

namespace {

float minFastF32(float a, float b) {
  float smaller = a < b ? a : b;
  // Equal: -0 if either is; the signs or together.
  float equal = bitsToF32(f32ToBits(a) | f32ToBits(b));
  float result = a == b ? equal : smaller;
  result = a != a ? b : b != b ? a : result;
  return canonicalF32(result);
}
float maxFastF32(float a, float b) {
  float larger = a > b ? a : b;
  float equal = bitsToF32(f32ToBits(a) & f32ToBits(b));
  float result = a == b ? equal : larger;
  result = a != a ? b : b != b ? a : result;
  return canonicalF32(result);
}

template <typename U, ElementType type, bool isMax>
Step generalMinMax(Warp &warp, const Instruction &instruction, uint32_t mask) {
  const auto &mode = instruction.data<MinMaxMode>();
  const U *a = warp.ptr<U>(instruction.ref[1]);
  const U *b = warp.ptr<U>(instruction.ref[2]);
  // A third operand (sm_100): min(min(a, b), c).
  const U *c =
      instruction.ref[3] == noRef ? nullptr : warp.ptr<U>(instruction.ref[3]);
  U *d = warp.ptr<U>(instruction.ref[0]);
  // .abs with three operands: of the magnitudes.
  U kept = static_cast<U>(instruction.flags ? ~(U(1) << (sizeof(U) * 8 - 1))
                                            : ~U(0));
  forLanes(mask, [&](uint32_t lane) {
    uint64_t r = isMax ? maxFloat(type, a[lane] & kept, b[lane] & kept, mode)
                       : minFloat(type, a[lane] & kept, b[lane] & kept, mode);
    if (c)
      r = isMax ? maxFloat(type, r, c[lane] & kept, mode)
                : minFloat(type, r, c[lane] & kept, mode);
    d[lane] = static_cast<U>(r);
  });
  return Step::Next;
}

} // namespace

bool decodeFloatMinMax(Decoder &d) {
  bool isMax = d.syntax().parts[0] == "max";
  MinMaxMode mode;
  mode.flushToZero = d.take("ftz");
  mode.propagateNan = d.take("NaN");
  bool xorSign = d.take("xorsign"), absolute = d.take("abs");
  bool magnitudes = absolute && !xorSign && d.operandCount() == 4;
  if (xorSign != absolute && !magnitudes)
    return false;
  mode.xorSignAbs = xorSign;
  d.out.flags = magnitudes;
  Type type = d.takeType();
  if (magnitudes && type != Type::F32)
    return false;
  if (type != Type::F32 && type != Type::F64)
    return decodeHalfMinMax(d, isMax, type, mode);
  if (type == Type::F64 &&
      (mode.flushToZero || mode.propagateNan || mode.xorSignAbs))
    return false;
  size_t sources = d.operandCount() == 4 && type == Type::F32 ? 3 : 2;
  Handler handler;
  bool plain = !mode.flushToZero && !mode.propagateNan && !mode.xorSignAbs;
  if (type == Type::F32 && plain && sources == 2)
    handler = isMax ? mapLanes<maxFastF32, float, float, float>
                    : mapLanes<minFastF32, float, float, float>;
  else if (type == Type::F32)
    handler = isMax ? generalMinMax<uint32_t, ElementType::F32, true>
                    : generalMinMax<uint32_t, ElementType::F32, false>;
  else
    handler = isMax ? generalMinMax<uint64_t, ElementType::F64, true>
                    : generalMinMax<uint64_t, ElementType::F64, false>;
  *d.makeData<MinMaxMode>() = mode;
  return bindFloat(d, type, sources) &&
         d.emit(handler, InstructionClass::Float);
}

} // namespace tilec::emu
