//===- Cvt.cpp - cvt ------------------------------------------------------===//
//
// Float to integer and back, float to float, the packed forms (two f32 into
// f16x2, bf16x2, fp8, fp6, fp4 pairs and back) and tf32; integers to integers
// are CvtInteger.cpp's. Common ones have vector handlers; the rest convert
// lane by lane through Numerics.h, with the formats in the instruction.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "CvtFamily.h"

namespace tilec::emu {

namespace {

//===----------------------------------------------------------------------===//
// One element a lane, through Numerics.h
//===----------------------------------------------------------------------===//

struct CvtInfo {
  ElementType to, from;
  FloatMode mode;
  unsigned targetBytes = 4, sourceBytes = 4;
  unsigned count = 1;                ///< Elements a lane.
  unsigned toBits = 0, fromBits = 0; ///< Spacing of packed elements.
  bool toInteger = false, fromInteger = false, integral = false;
  bool flushSource = false; ///< .ftz on an f32 source.
};

uint64_t loadBits(const uint8_t *base, unsigned bytes, uint32_t lane) {
  uint64_t bits = 0;
  std::memcpy(&bits, base + lane * bytes, bytes);
  return bits;
}

uint64_t cvtOne(const CvtInfo &info, uint64_t bits, const FloatMode &mode) {
  if (info.flushSource && info.from == ElementType::F32)
    bits = f32ToBits(flushF32(bitsToF32(static_cast<uint32_t>(bits))));
  if (info.toInteger)
    return floatToInteger(info.to, info.from, bits, mode);
  if (info.fromInteger)
    return integerToFloat(info.to, info.from, bits, mode);
  if (info.integral)
    return roundToIntegral(info.to, bits, mode);
  return convertFloat(info.to, info.from, bits, mode);
}

Step cvtGeneral(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &info = i.data<CvtInfo>();
  const uint8_t *a = warp.ptr<uint8_t>(i.ref[1]);
  uint8_t *d = warp.ptr<uint8_t>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    uint64_t bits =
        cvtOne(info, loadBits(a, info.sourceBytes, lane), info.mode);
    std::memcpy(d + lane * info.targetBytes, &bits, info.targetBytes);
  });
  return Step::Next;
}

/// .rs: the random bits of one of `count` elements, aligned to the first bit
/// that is dropped. The lower elements take the low half of the register, the
/// upper ones the high half; f16 uses 13 bits, bf16 and 8- and 6-bit types 16,
/// e2m1 8.
uint32_t stochasticBits(ElementType to, unsigned count, unsigned position,
                        uint32_t random) {
  uint32_t half = random >> (position >= count / 2 ? 16 : 0) & 0xffff;
  if (to == ElementType::F16)
    return (half & 0x1fff) << 19;
  if (to != ElementType::E2M1)
    return half << 16;
  // Elements 0 and 1: the low bytes of both halves; 2 and 3: the high ones.
  uint32_t byte = random >> (position % 2 * 16 + position / 2 * 8) & 0xff;
  return byte << 24;
}

/// d = {a, b}: a goes to the upper element, b to the lower one. With four
/// sources, the first is the highest.
Step cvtPair(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &info = i.data<CvtInfo>();
  const Ref *refs = &warp.launch->program->refs[i.list];
  uint8_t *d = warp.ptr<uint8_t>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    FloatMode mode = info.mode;
    uint32_t random =
        i.ref[2] == noRef ? 0 : warp.ptr<uint32_t>(i.ref[2])[lane];
    uint64_t packed = 0;
    for (unsigned e = 0; e < info.count; ++e) {
      unsigned position = info.count - 1 - e;
      mode.randomBits = stochasticBits(info.to, info.count, position, random);
      uint64_t bits = cvtOne(
          info, loadBits(warp.ptr<uint8_t>(refs[e]), info.sourceBytes, lane),
          mode);
      uint64_t field =
          info.toBits == 64 ? ~uint64_t(0) : (uint64_t(1) << info.toBits) - 1;
      packed |= (bits & field) << (position * info.toBits);
    }
    std::memcpy(d + lane * info.targetBytes, &packed, info.targetBytes);
  });
  return Step::Next;
}

/// Packed to packed of wider elements: e4m3x2 to f16x2, f16x2 to e4m3x2.
Step cvtPacked(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &info = i.data<CvtInfo>();
  const uint8_t *a = warp.ptr<uint8_t>(i.ref[1]);
  uint8_t *d = warp.ptr<uint8_t>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    uint64_t source = loadBits(a, info.sourceBytes, lane), packed = 0;
    for (unsigned e = 0; e < info.count; ++e) {
      uint64_t bits =
          source >> (e * info.fromBits) & ((uint64_t(1) << info.fromBits) - 1);
      bits = cvtOne(info, bits, info.mode);
      packed |= (bits & ((uint64_t(1) << info.toBits) - 1))
                << (e * info.toBits);
    }
    std::memcpy(d + lane * info.targetBytes, &packed, info.targetBytes);
  });
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Fast paths
//===----------------------------------------------------------------------===//

float f32FromS32(int32_t a) { return static_cast<float>(a); }
float f32FromU32(uint32_t a) { return static_cast<float>(a); }
double f64FromF32(float a) {
  return a != a ? bitsToF64(canonicalNanF64) : static_cast<double>(a);
}
float f32FromF64(double a) { return canonicalF32(static_cast<float>(a)); }

Step packF16(Warp &warp, const Instruction &i, uint32_t mask) {
  const float *a = warp.ptr<float>(i.ref[1]);
  const float *b = warp.ptr<float>(i.ref[2]);
  alignas(64) uint32_t values[32];
#pragma clang loop vectorize(assume_safety)
  for (uint32_t lane = 0; lane < 32; ++lane)
    values[lane] = uint32_t(f32ToF16(a[lane])) << 16 | f32ToF16(b[lane]);
  blend(warp.ptr<uint32_t>(i.ref[0]), values, mask);
  return Step::Next;
}
Step packBF16(Warp &warp, const Instruction &i, uint32_t mask) {
  const float *a = warp.ptr<float>(i.ref[1]);
  const float *b = warp.ptr<float>(i.ref[2]);
  alignas(64) uint32_t values[32];
#pragma clang loop vectorize(assume_safety)
  for (uint32_t lane = 0; lane < 32; ++lane)
    values[lane] = uint32_t(f32ToBF16(a[lane])) << 16 | f32ToBF16(b[lane]);
  blend(warp.ptr<uint32_t>(i.ref[0]), values, mask);
  return Step::Next;
}

Handler fastFloat(Type to, Type from) {
  if (to == Type::F32 && from == Type::F16)
    return mapLanes<f16ToF32, float, uint16_t>;
  if (to == Type::F16 && from == Type::F32)
    return mapLanes<f32ToF16, uint16_t, float>;
  if (to == Type::F32 && from == Type::BF16)
    return mapLanes<bf16ToF32, float, uint16_t>;
  if (to == Type::BF16 && from == Type::F32)
    return mapLanes<f32ToBF16, uint16_t, float>;
  if (to == Type::F64 && from == Type::F32)
    return mapLanes<f64FromF32, double, float>;
  if (to == Type::F32 && from == Type::F64)
    return mapLanes<f32FromF64, float, double>;
  if (to == Type::F32 && from == Type::S32)
    return mapLanes<f32FromS32, float, int32_t>;
  if (to == Type::F32 && from == Type::U32)
    return mapLanes<f32FromU32, float, uint32_t>;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

struct PackedType {
  ElementType element;
  unsigned count, bits;
};
bool packedType(Type type, PackedType &packed) {
  switch (type) {
  case Type::F16x2:
    packed = {ElementType::F16, 2, 16};
    return true;
  case Type::BF16x2:
    packed = {ElementType::BF16, 2, 16};
    return true;
  case Type::E4M3x2:
    packed = {ElementType::E4M3, 2, 8};
    return true;
  case Type::E5M2x2:
    packed = {ElementType::E5M2, 2, 8};
    return true;
  case Type::E2M3x2:
    packed = {ElementType::E2M3, 2, 8};
    return true;
  case Type::E3M2x2:
    packed = {ElementType::E3M2, 2, 8};
    return true;
  case Type::UE8M0x2:
    packed = {ElementType::UE8M0, 2, 8};
    return true;
  case Type::E2M1x2:
    packed = {ElementType::E2M1, 2, 4};
    return true;
  case Type::E4M3x4:
    packed = {ElementType::E4M3, 4, 8};
    return true;
  case Type::E5M2x4:
    packed = {ElementType::E5M2, 4, 8};
    return true;
  case Type::E2M3x4:
    packed = {ElementType::E2M3, 4, 8};
    return true;
  case Type::E3M2x4:
    packed = {ElementType::E3M2, 4, 8};
    return true;
  case Type::E2M1x4:
    packed = {ElementType::E2M1, 4, 4};
    return true;
  default:
    return false;
  }
}

bool isScalar(Type type, ElementType &element, bool &integer) {
  integer = false;
  switch (type) {
  case Type::F16:
    element = ElementType::F16;
    return true;
  case Type::BF16:
    element = ElementType::BF16;
    return true;
  case Type::F32:
    element = ElementType::F32;
    return true;
  case Type::TF32:
    element = ElementType::TF32;
    return true;
  case Type::F64:
    element = ElementType::F64;
    return true;
  default:
    break;
  }
  integer = true;
  switch (type) {
  case Type::U8:
    element = ElementType::U8;
    return true;
  case Type::S8:
    element = ElementType::S8;
    return true;
  case Type::U16:
    element = ElementType::U16;
    return true;
  case Type::S16:
    element = ElementType::S16;
    return true;
  case Type::U32:
    element = ElementType::U32;
    return true;
  case Type::S32:
    element = ElementType::S32;
    return true;
  case Type::U64:
    element = ElementType::U64;
    return true;
  case Type::S64:
    element = ElementType::S64;
    return true;
  default:
    return false;
  }
}

CvtModifiers takeModifiers(Decoder &d) {
  CvtModifiers m;
  int rounding = d.takeOne({"rn", "rz", "rm", "rp", "rna", "rs"});
  if (rounding >= 0) {
    m.rounding = true;
    m.mode.rounding = static_cast<Rounding>(rounding);
  }
  int integral = d.takeOne({"rni", "rzi", "rmi", "rpi"});
  if (integral >= 0) {
    m.integral = true;
    m.mode.rounding = static_cast<Rounding>(integral);
  }
  m.mode.flushToZero = d.take("ftz");
  m.saturate = d.take("sat");
  m.finite = d.take("satfinite");
  m.mode.relu = d.take("relu");
  if (m.finite)
    m.mode.saturation = Saturation::Finite;
  else if (m.saturate)
    m.mode.saturation = Saturation::Unit;
  return m;
}

/// Registers that a packed type occupies; 4 bits x 2 take a byte.
unsigned packedRegisterBytes(const PackedType &p) {
  unsigned bytes = p.bits * p.count / 8;
  return bytes < 2 ? 2 : bytes;
}

bool decodePackedSources(Decoder &d, Type toType, const CvtModifiers &m) {
  PackedType to;
  if (!packedType(toType, to))
    return false;
  auto *info = d.makeData<CvtInfo>();
  info->to = to.element;
  info->from = ElementType::F32;
  info->mode = m.mode;
  info->count = to.count;
  info->toBits = to.bits;
  info->targetBytes = packedRegisterBytes(to);
  bool stochastic = m.mode.rounding == Rounding::Stochastic;
  bool fast = to.count == 2 && to.bits == 16 && m.rounding &&
              m.mode.rounding == Rounding::NearestEven && !m.mode.relu &&
              !m.finite && !m.saturate && !m.mode.flushToZero;
  std::vector<Ref> sources;
  if (to.count == 4) {
    // d, {a, b, c, d}, random
    if (!d.expectOperands(stochastic ? 3 : 2, stochastic ? 3 : 2) ||
        d.operand(1).elements.size() != 4)
      return false;
    for (const Operand &operand : d.operand(1).elements)
      sources.push_back(d.source(operand, Type::F32));
    if (stochastic)
      d.out.ref[2] = d.source(2, Type::B32);
  } else {
    if (!d.expectOperands(stochastic ? 4 : 3, stochastic ? 4 : 3))
      return false;
    sources = {d.source(1, Type::F32), d.source(2, Type::F32)};
    if (stochastic)
      d.out.ref[2] = d.source(3, Type::B32);
  }
  // e2m1x2 is .b8: a register of 16 bits here.
  d.out.ref[0] = d.destination(0, bitsType(info->targetBytes));
  if (fast) {
    d.out.ref[1] = sources[0];
    d.out.ref[2] = sources[1];
    return d.emit(to.element == ElementType::F16 ? packF16 : packBF16,
                  InstructionClass::Convert);
  }
  for (Ref ref : sources)
    d.listOperand(ref);
  return d.emit(cvtPair, InstructionClass::Convert);
}

bool decodePackedToPacked(Decoder &d, Type toType, Type fromType,
                          const CvtModifiers &m) {
  PackedType to, from;
  if (!packedType(toType, to) || !packedType(fromType, from) ||
      to.count != from.count || !d.expectOperands(2, 2))
    return false;
  auto *info = d.makeData<CvtInfo>();
  info->to = to.element;
  info->from = from.element;
  info->mode = m.mode;
  info->count = to.count;
  info->toBits = to.bits;
  info->fromBits = from.bits;
  info->targetBytes = packedRegisterBytes(to);
  info->sourceBytes = packedRegisterBytes(from);
  d.out.ref[1] = d.source(1, bitsType(info->sourceBytes));
  d.out.ref[0] = d.destination(0, bitsType(info->targetBytes));
  return d.emit(cvtPacked, InstructionClass::Convert);
}

bool decodeToPacked(Decoder &d, Type to, Type from, const CvtModifiers &m) {
  std::string problem = checkPacked(to, m);
  // Narrow types are widened exactly; only .rn is spelt.
  bool widens = from != Type::F32 && (to == Type::F16x2 || to == Type::BF16x2);
  if (widens) {
    bool nearest =
        m.rounding && m.mode.rounding == Rounding::NearestEven && !m.finite;
    bool wideEnough = (to == Type::BF16x2) == (from == Type::UE8M0x2);
    problem = nearest && wideEnough ? "" : "this is no conversion of pairs";
  }
  if (!problem.empty())
    return d.fail(problem);
  return from == Type::F32 ? decodePackedSources(d, to, m)
                           : decodePackedToPacked(d, to, from, m);
}

/// The types of a cvt of single values.
struct ScalarTypes {
  Type to, from;
  ElementType toElement, fromElement;
  bool toInteger, fromInteger;
};

/// The vector handler of a common conversion; null if there is none.
Handler chooseFast(const ScalarTypes &types, const CvtModifiers &m) {
  bool widening = !types.toInteger && !types.fromInteger &&
                  registerBytes(types.to) > registerBytes(types.from);
  bool nearest = (m.rounding && m.mode.rounding == Rounding::NearestEven) ||
                 (widening && !m.rounding);
  bool plain = !m.mode.flushToZero && !m.saturate && !m.finite &&
               !m.mode.relu && !m.integral;
  return nearest && plain ? fastFloat(types.to, types.from) : nullptr;
}

/// A conversion in which at least one side is a float.
bool decodeWithFloats(Decoder &d, const ScalarTypes &types,
                      const CvtModifiers &m) {
  // A float literal or a register wider than the type.
  auto *info = d.makeData<CvtInfo>();
  info->to = types.toElement;
  info->from = types.fromElement;
  info->mode = m.mode;
  info->toInteger = types.toInteger;
  info->fromInteger = types.fromInteger;
  info->flushSource = m.mode.flushToZero;
  if (types.toInteger) {
    if (!m.integral)
      return d.fail("an integer rounding modifier (.rzi, ..) is missing");
    info->mode.saturation = Saturation::None; // Clamped in any case.
  } else if (m.integral) {
    if (types.to != types.from)
      return false;
    info->integral = true;
  }
  d.out.ref[1] = cvtSource(d, types.from);
  unsigned width = d.widthOf(d.operand(0));
  if (!types.toInteger || width == 0)
    width = registerBytes(types.to);
  if (width < registerBytes(types.to))
    return d.fail("the destination register is too narrow");
  info->sourceBytes = registerBytes(types.from);
  info->targetBytes = width;
  d.out.ref[0] = d.destination(0, types.toInteger ? bitsType(width) : types.to);
  if (types.from == Type::U8 || types.from == Type::S8) {
    d.out.ref[1] = extendByte(d, types.from, d.out.ref[1]);
    info->sourceBytes = 2;
    info->from = types.from == Type::S8 ? ElementType::S16 : ElementType::U16;
  }
  Handler fast = chooseFast(types, m);
  return d.emit(fast ? fast : cvtGeneral, InstructionClass::Convert);
}

bool decodeCvt(Decoder &d) {
  if (d.take("pack"))
    return decodeCvtPack(d);
  CvtModifiers m = takeModifiers(d);
  bool scaled = !d.takePrefix("scaled").empty();
  Type to = d.takeType(), from = d.takeType();
  if (to == Type::None || from == Type::None || scaled)
    return false;
  if (PackedType packed; packedType(to, packed))
    return decodeToPacked(d, to, from, m);
  ScalarTypes types{to, from, {}, {}, false, false};
  if (!d.expectOperands(2, 2) ||
      !isScalar(to, types.toElement, types.toInteger) ||
      !isScalar(from, types.fromElement, types.fromInteger))
    return false;
  std::string problem =
      checkScalar(to, from, types.toInteger, types.fromInteger, m);
  if (!problem.empty())
    return d.fail(problem);
  if (!types.toInteger || !types.fromInteger)
    return decodeWithFloats(d, types, m);
  if (m.rounding || m.integral || m.mode.flushToZero)
    return false;
  return decodeCvtIntegers(d, to, from, m.saturate);
}

} // namespace

void registerCvt(OpcodeTable &table) { table["cvt"] = decodeCvt; }

} // namespace tilec::emu
