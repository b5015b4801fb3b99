//===- Compare.cpp - setp, set, selp and slct -----------------------------===//
//
// Two values compare as less, equal, greater or unordered, and a comparison is
// the set of outcomes that make it true. A handler computes the outcomes of all
// lanes as bit masks, once per type, and the set selects from them.
//
//===----------------------------------------------------------------------===//

#include "Float/FloatFamily.h"
#include "Handlers.h"

namespace tilec::emu {

namespace {

enum Outcome : uint8_t { less = 1, equal = 2, greater = 4, unordered = 8 };

struct Comparison {
  std::string_view name;
  uint8_t outcomes;
  bool floatOnly, unsignedOnly;
};
constexpr Comparison comparisons[] = {
    {"eq", equal, false, false},
    {"ne", less | greater, false, false},
    {"lt", less, false, false},
    {"le", less | equal, false, false},
    {"gt", greater, false, false},
    {"ge", greater | equal, false, false},
    {"lo", less, false, true},
    {"ls", less | equal, false, true},
    {"hi", greater, false, true},
    {"hs", greater | equal, false, true},
    {"equ", equal | unordered, true, false},
    {"neu", less | greater | unordered, true, false},
    {"ltu", less | unordered, true, false},
    {"leu", less | equal | unordered, true, false},
    {"gtu", greater | unordered, true, false},
    {"geu", greater | equal | unordered, true, false},
    {"num", less | equal | greater, true, false},
    {"nan", unordered, true, false},
};

template <typename T>
bool isLess(T a, T b) {
  return a < b;
}
template <typename T>
bool isEqual(T a, T b) {
  return a == b;
}
template <typename T>
bool isUnorderedPair(T a, T b) {
  return a != a || b != b;
}

uint32_t select(uint8_t outcomes, uint32_t lessBits, uint32_t equalBits,
                uint32_t unorderedBits) {
  uint32_t greaterBits = ~(lessBits | equalBits | unorderedBits);
  return (outcomes & less ? lessBits : 0) | (outcomes & equal ? equalBits : 0) |
         (outcomes & greater ? greaterBits : 0) |
         (outcomes & unordered ? unorderedBits : 0);
}

template <typename T>
uint32_t compareLanes(const T *a, const T *b, uint8_t outcomes) {
  std::tuple<const T *, const T *> sources{a, b};
  std::index_sequence<0, 1> both;
  uint32_t lessBits = gatherPredicate<isLess<T>, T, T>(sources, both);
  uint32_t equalBits = gatherPredicate<isEqual<T>, T, T>(sources, both);
  uint32_t unorderedBits = 0;
  if constexpr (std::is_floating_point_v<T>)
    unorderedBits = gatherPredicate<isUnorderedPair<T>, T, T>(sources, both);
  return select(outcomes, lessBits, equalBits, unorderedBits);
}

/// The outcomes of ref[1] against ref[2], for every lane; `high` the upper half
/// of packed types.
using CompareFunction = uint32_t (*)(Warp &, const Instruction &, bool high);

template <typename T>
uint32_t comparePlain(Warp &warp, const Instruction &i, bool) {
  return compareLanes<T>(warp.ptr<T>(i.ref[1]), warp.ptr<T>(i.ref[2]), i.flags);
}
uint32_t compareFlushed(Warp &warp, const Instruction &i, bool) {
  float a[32], b[32];
  for (uint32_t lane = 0; lane < 32; ++lane) {
    a[lane] = flushF32(warp.ptr<float>(i.ref[1])[lane]);
    b[lane] = flushF32(warp.ptr<float>(i.ref[2])[lane]);
  }
  return compareLanes<float>(a, b, i.flags);
}
template <typename U, bool bf16, bool flush = false>
uint32_t compareHalf(Warp &warp, const Instruction &i, bool high) {
  float a[32], b[32];
  auto widen = [&](U bits) {
    uint16_t h = static_cast<uint16_t>(high ? uint32_t(bits) >> 16 : bits);
    float value = bf16 ? bf16ToF32(h) : f16ToF32(h);
    // .ftz: subnormals of f16 become zeros.
    return flush && value < 0x1p-14f && value > -0x1p-14f ? 0.0f : value;
  };
  for (uint32_t lane = 0; lane < 32; ++lane) {
    a[lane] = widen(warp.ptr<U>(i.ref[1])[lane]);
    b[lane] = widen(warp.ptr<U>(i.ref[2])[lane]);
  }
  return compareLanes<float>(a, b, i.flags);
}

enum class Combine : uint8_t { None, And, Or, Xor };
uint32_t combine(Combine how, uint32_t a, uint32_t c) {
  switch (how) {
  case Combine::And:
    return a & c;
  case Combine::Or:
    return a | c;
  case Combine::Xor:
    return a ^ c;
  default:
    return a;
  }
}

/// p = compare combined with c; q = the complement combined with c. Packed
/// types: q is the comparison of the upper halves.
template <CompareFunction compare, bool packed = false>
Step setp(Warp &warp, const Instruction &i, uint32_t mask) {
  auto how = static_cast<Combine>(i.small[0]);
  uint32_t c = how == Combine::None ? 0 : warp.predicate(i.ref[3]);
  uint32_t low = compare(warp, i, false);
  uint32_t second = packed && i.ref[4] != noRef ? compare(warp, i, true) : ~low;
  warp.setPredicate(i.ref[0], mask, combine(how, low, c));
  if (i.ref[4] != noRef)
    warp.setPredicate(i.ref[4], mask, combine(how, second, c));
  return Step::Next;
}

/// d = all ones (or 1.0) where the comparison holds, else 0. `immediate` is the
/// value of true.
template <CompareFunction compare, typename D, bool packed = false>
Step set(Warp &warp, const Instruction &i, uint32_t mask) {
  auto how = static_cast<Combine>(i.small[0]);
  uint32_t c = how == Combine::None ? 0 : warp.predicate(i.ref[3]);
  uint32_t bits = combine(how, compare(warp, i, false), c);
  uint32_t highBits = packed ? combine(how, compare(warp, i, true), c) : 0;
  D values[32];
  D yes = static_cast<D>(i.immediate);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    D value = bits >> lane & 1 ? yes : D(0);
    if constexpr (packed)
      value |= highBits >> lane & 1 ? static_cast<D>(yes << 16) : D(0);
    values[lane] = value;
  }
  blend(warp.ptr<D>(i.ref[0]), values, mask);
  return Step::Next;
}

bool takeComparison(Decoder &d, bool &floatOnly, bool &unsignedOnly) {
  for (const Comparison &c : comparisons)
    if (d.take(c.name)) {
      d.out.flags = c.outcomes;
      floatOnly = c.floatOnly;
      unsignedOnly = c.unsignedOnly;
      return true;
    }
  return d.fail("a comparison (.eq, .lt, ..) is missing");
}

Handler setpHandler(Type type, bool flush) {
  switch (type) {
  case Type::B16:
  case Type::U16:
    return setp<comparePlain<uint16_t>>;
  case Type::S16:
    return setp<comparePlain<int16_t>>;
  case Type::B32:
  case Type::U32:
    return setp<comparePlain<uint32_t>>;
  case Type::S32:
    return setp<comparePlain<int32_t>>;
  case Type::B64:
  case Type::U64:
    return setp<comparePlain<uint64_t>>;
  case Type::S64:
    return setp<comparePlain<int64_t>>;
  case Type::F32:
    return flush ? setp<compareFlushed> : setp<comparePlain<float>>;
  case Type::F64:
    return setp<comparePlain<double>>;
  case Type::F16:
    return flush ? setp<compareHalf<uint16_t, false, true>>
                 : setp<compareHalf<uint16_t, false>>;
  case Type::BF16:
    return flush ? nullptr : setp<compareHalf<uint16_t, true>>;
  case Type::F16x2:
    return flush ? setp<compareHalf<uint32_t, false, true>, true>
                 : setp<compareHalf<uint32_t, false>, true>;
  case Type::BF16x2:
    return flush ? nullptr : setp<compareHalf<uint32_t, true>, true>;
  default:
    return nullptr;
  }
}

bool mayFlush(Type type) {
  return type == Type::F32 || type == Type::F16 || type == Type::F16x2;
}

bool bindComparison(Decoder &d, Type type, Combine how) {
  size_t count = how == Combine::None ? 3 : 4;
  if (!d.expectOperands(count, count))
    return false;
  d.out.small[0] = static_cast<uint16_t>(how);
  d.out.ref[1] = d.source(1, type);
  d.out.ref[2] = d.source(2, type);
  if (how != Combine::None)
    d.out.ref[3] = d.sourcePredicate(d.operand(3));
  return true;
}

bool decodeSetp(Decoder &d) {
  bool floatOnly = false, unsignedOnly = false;
  if (!takeComparison(d, floatOnly, unsignedOnly))
    return false;
  auto how = static_cast<Combine>(d.takeOne({"and", "or", "xor"}) + 1);
  bool flush = d.take("ftz");
  Type type = d.takeType();
  bool isFloat = !isInteger(type);
  if ((floatOnly && !isFloat) ||
      (unsignedOnly && !isUnsigned(type) && !isBits(type)))
    return false;
  bool ordersBits =
      isBits(type) && d.out.flags != equal && d.out.flags != (less | greater);
  if (ordersBits)
    return d.fail("bits are equal or not, but not ordered");
  if (flush && !mayFlush(type))
    return d.fail("only f32, f16 and f16x2 are compared with .ftz");
  // Floats: ne is true for ordered operands only, as the others are.
  if (!bindComparison(d, type, how))
    return false;
  const Operand &result = d.operand(0);
  if (result.kind == Operand::Kind::Pair) {
    d.out.ref[0] = d.destinationPredicate(result.elements[0]);
    d.out.ref[4] = d.destinationPredicate(result.elements[1]);
  } else {
    d.out.ref[0] = d.destinationPredicate(result);
  }
  return d.emit(setpHandler(type, flush),
                isFloat ? InstructionClass::Float : InstructionClass::Integer);
}

template <typename D>
Handler setHandler(Type type, bool flush) {
  switch (type) {
  case Type::B16:
  case Type::U16:
    return set<comparePlain<uint16_t>, D>;
  case Type::S16:
    return set<comparePlain<int16_t>, D>;
  case Type::B32:
  case Type::U32:
    return set<comparePlain<uint32_t>, D>;
  case Type::S32:
    return set<comparePlain<int32_t>, D>;
  case Type::B64:
  case Type::U64:
    return set<comparePlain<uint64_t>, D>;
  case Type::S64:
    return set<comparePlain<int64_t>, D>;
  case Type::F32:
    return flush ? set<compareFlushed, D> : set<comparePlain<float>, D>;
  case Type::F64:
    return set<comparePlain<double>, D>;
  case Type::F16:
    return flush ? set<compareHalf<uint16_t, false, true>, D>
                 : set<compareHalf<uint16_t, false>, D>;
  case Type::BF16:
    return flush ? nullptr : set<compareHalf<uint16_t, true>, D>;
  default:
    return nullptr;
  }
}

bool decodeSet(Decoder &d) {
  bool floatOnly = false, unsignedOnly = false;
  if (!takeComparison(d, floatOnly, unsignedOnly))
    return false;
  auto how = static_cast<Combine>(d.takeOne({"and", "or", "xor"}) + 1);
  bool flush = d.take("ftz");
  Type result = d.takeType(), type = d.takeType();
  bool packed = type == Type::F16x2 || type == Type::BF16x2;
  if (floatOnly && isInteger(type))
    return false;
  Handler handler = nullptr;
  if (flush && !mayFlush(type))
    return d.fail("only f32, f16 and f16x2 are compared with .ftz");
  if (packed && registerBytes(result) == 4) {
    handler = type == Type::BF16x2
                  ? set<compareHalf<uint32_t, true>, uint32_t, true>
              : flush ? set<compareHalf<uint32_t, false, true>, uint32_t, true>
                      : set<compareHalf<uint32_t, false>, uint32_t, true>;
    d.out.immediate = result == Type::F16x2    ? 0x3c00
                      : result == Type::BF16x2 ? 0x3f80
                                               : 0xffff;
  } else if (registerBytes(result) == 4 && !packed) {
    handler = setHandler<uint32_t>(type, flush);
    d.out.immediate = result == Type::F32 ? 0x3f800000 : 0xffffffff;
  } else if (registerBytes(result) == 2) {
    handler = setHandler<uint16_t>(type, flush);
    d.out.immediate = result == Type::F16    ? 0x3c00
                      : result == Type::BF16 ? 0x3f80
                                             : 0xffff;
  }
  if (!handler || !bindComparison(d, type, how))
    return false;
  d.out.ref[0] = d.destination(0, result);
  return d.emit(handler, isInteger(type) ? InstructionClass::Integer
                                         : InstructionClass::Float);
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

template <typename T>
Step selp(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t p = warp.predicate(i.ref[3]);
  const T *a = warp.ptr<T>(i.ref[1]);
  const T *b = warp.ptr<T>(i.ref[2]);
  T *d = warp.ptr<T>(i.ref[0]);
#pragma clang loop vectorize(assume_safety)
  for (uint32_t lane = 0; lane < 32; ++lane) {
    T value = p >> lane & 1 ? a[lane] : b[lane];
    d[lane] = mask >> lane & 1 ? value : d[lane];
  }
  return Step::Next;
}

bool decodeSelp(Decoder &d) {
  Type type = d.takeType();
  if (!d.expectOperands(4, 4))
    return false;
  d.out.ref[1] = d.source(1, type);
  d.out.ref[2] = d.source(2, type);
  d.out.ref[3] = d.sourcePredicate(d.operand(3));
  d.out.ref[0] = d.destination(0, type);
  unsigned bytes = registerBytes(type);
  return d.emit(bytes == 2   ? selp<uint16_t>
                : bytes == 4 ? selp<uint32_t>
                             : selp<uint64_t>,
                InstructionClass::Integer);
}

template <typename T, typename C>
Step slct(Warp &warp, const Instruction &i, uint32_t mask) {
  const T *a = warp.ptr<T>(i.ref[1]);
  const T *b = warp.ptr<T>(i.ref[2]);
  const C *c = warp.ptr<C>(i.ref[3]);
  T *d = warp.ptr<T>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    d[lane] = c[lane] >= C(0) ? a[lane] : b[lane];
  });
  return Step::Next;
}

bool decodeSlct(Decoder &d) {
  d.take("ftz"); // A subnormal c selects a, as zero does.
  Type type = d.takeType(), condition = d.takeType();
  bool isFloat = condition == Type::F32;
  if ((!isFloat && condition != Type::S32) || !d.expectOperands(4, 4))
    return false;
  d.out.ref[1] = d.source(1, type);
  d.out.ref[2] = d.source(2, type);
  d.out.ref[3] = d.source(3, condition);
  d.out.ref[0] = d.destination(0, type);
  Handler handler = nullptr;
  switch (registerBytes(type)) {
  case 2:
    handler = isFloat ? slct<uint16_t, float> : slct<uint16_t, int32_t>;
    break;
  case 4:
    handler = isFloat ? slct<uint32_t, float> : slct<uint32_t, int32_t>;
    break;
  case 8:
    handler = isFloat ? slct<uint64_t, float> : slct<uint64_t, int32_t>;
    break;
  }
  return d.emit(handler, InstructionClass::Integer);
}

} // namespace

void registerCompare(OpcodeTable &table) {
  table["setp"] = decodeSetp;
  table["set"] = decodeSet;
  table["selp"] = decodeSelp;
  table["slct"] = decodeSlct;
}

} // namespace tilec::emu
