//===- Bits.cpp - Logic, shifts and bit manipulation ----------------------===//
//
// and, or, xor, not, cnot, shl, shr, shf, lop3, prmt, bfe, bfi, bfind, brev,
// popc, clz, bmsk, szext, fns. Shift amounts beyond the width are clamped
// (shl, shr) as the ISA says.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Families.h"
#include "Handlers.h"

#include <bit>
#include <type_traits>

namespace tilec::emu {

namespace {

template <typename T>
T andOp(T a, T b) {
  return a & b;
}
template <typename T>
T orOp(T a, T b) {
  return a | b;
}
template <typename T>
T xorOp(T a, T b) {
  return a ^ b;
}
template <typename T>
T notOp(T a) {
  return static_cast<T>(~a);
}
template <typename T>
T cnotOp(T a) {
  return a == 0 ? 1 : 0;
}
template <typename T>
T shlOp(T a, uint32_t n) {
  constexpr uint32_t width = sizeof(T) * 8;
  return n >= width ? T(0) : static_cast<T>(a << (n & (width - 1)));
}
template <typename T>
T shrOp(T a, uint32_t n) {
  constexpr uint32_t width = sizeof(T) * 8;
  uint32_t amount = n >= width ? width - 1 : n;
  T shifted = static_cast<T>(a >> amount);
  if constexpr (std::is_signed_v<T>)
    return shifted;
  else
    return n >= width ? T(0) : shifted;
}
template <bool left, bool wrap>
uint32_t shfOp(uint32_t low, uint32_t high, uint32_t n) {
  uint32_t amount = wrap ? n & 31 : n > 32 ? 32 : n;
  uint64_t both = uint64_t(high) << 32 | low;
  return left ? static_cast<uint32_t>((both << amount) >> 32)
              : static_cast<uint32_t>(both >> amount);
}
template <typename T>
T bfeOp(T a, uint32_t position, uint32_t length) {
  constexpr uint32_t width = sizeof(T) * 8;
  position &= 255;
  length &= 255;
  using U = std::make_unsigned_t<T>;
  if (length == 0)
    return 0;
  U sign = 0;
  if constexpr (std::is_signed_v<T>) {
    uint32_t last = position + length - 1;
    last = last >= width ? width - 1 : last;
    sign = static_cast<U>(a) >> last & 1 ? ~U(0) : U(0);
  }
  U value = position >= width ? sign : static_cast<U>(a) >> position;
  if (position < width && position > 0)
    value = (value & (~U(0) >> position)) | (sign & ~(~U(0) >> position));
  if (length < width) {
    U low = (U(1) << length) - 1;
    value = (value & low) | (sign & ~low);
  }
  return static_cast<T>(value);
}
template <typename T>
T bfiOp(T a, T b, uint32_t position, uint32_t length) {
  constexpr uint32_t width = sizeof(T) * 8;
  position &= 255;
  length &= 255;
  if (length == 0 || position >= width)
    return b;
  T low = length >= width ? ~T(0) : (T(1) << length) - 1;
  T field = static_cast<T>(low << position);
  return (b & ~field) | (static_cast<T>(a << position) & field);
}
template <typename T>
uint32_t popcOp(T a) {
  return static_cast<uint32_t>(std::popcount(a));
}
template <typename T>
uint32_t clzOp(T a) {
  return static_cast<uint32_t>(std::countl_zero(a));
}
template <typename T>
T brevOp(T a) {
  T result = 0;
  for (unsigned i = 0; i < sizeof(T) * 8; ++i)
    result |= (a >> i & 1) << (sizeof(T) * 8 - 1 - i);
  return result;
}
template <typename T, bool shiftAmount>
uint32_t bfindOp(T a) {
  using U = std::make_unsigned_t<T>;
  U value = static_cast<U>(a);
  if constexpr (std::is_signed_v<T>)
    value = a < 0 ? static_cast<U>(~a) : value;
  if (value == 0)
    return ~0u;
  uint32_t leading = static_cast<uint32_t>(std::countl_zero(value));
  return shiftAmount ? leading
                     : static_cast<uint32_t>(sizeof(T) * 8 - 1) - leading;
}
template <bool wrap>
uint32_t bmskOp(uint32_t position, uint32_t length) {
  if (wrap) {
    position &= 31;
    length &= 31;
  }
  if (position >= 32 || length == 0)
    return 0;
  uint32_t ones = length >= 32 ? ~0u : (1u << length) - 1;
  return ones << position;
}
template <typename T, bool wrap>
T szextOp(T a, uint32_t n) {
  if (wrap)
    n &= 31;
  if (n == 0)
    return 0;
  if (n >= 32)
    return a;
  uint32_t up = static_cast<uint32_t>(a) << (32 - n);
  if constexpr (std::is_signed_v<T>)
    return static_cast<int32_t>(up) >> (32 - n);
  else
    return up >> (32 - n);
}
uint32_t prmtOp(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t both = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t choice = selector >> (4 * i) & 15;
    uint32_t byte = static_cast<uint32_t>(both >> (8 * (choice & 7)) & 255);
    if (choice & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}
enum PermuteMode { f4e, b4e, rc8, ecl, ecr, rc16 };
template <PermuteMode mode>
uint32_t prmtModeOp(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t n = c & 3, selector = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    uint32_t pick = 0;
    switch (mode) {
    case f4e:
      pick = n + i;
      break;
    case b4e:
      pick = (8 + n - i) & 7;
      break;
    case rc8:
      pick = n;
      break;
    case ecl:
      pick = i < n ? n : i;
      break;
    case ecr:
      pick = i < n ? i : n;
      break;
    case rc16:
      pick = (n & 1) * 2 + (i & 1);
      break;
    }
    selector |= pick << (4 * i);
  }
  return prmtOp(a, b, selector);
}
uint32_t fnsOp(uint32_t bits, uint32_t base, uint32_t offset) {
  int32_t count = static_cast<int32_t>(offset);
  if (base > 31)
    return ~0u;
  if (count == 0)
    return bits >> base & 1 ? base : ~0u;
  int32_t step = count > 0 ? 1 : -1;
  count = count > 0 ? count : -count;
  for (int32_t at = static_cast<int32_t>(base); at >= 0 && at < 32; at += step)
    if ((bits >> at & 1) && --count == 0)
      return static_cast<uint32_t>(at);
  return ~0u;
}

/// lop3: the bit of `table` selected by the bits of a, b, c.
Step lop3(Warp &warp, const Instruction &instruction, uint32_t mask) {
  const uint32_t *a = warp.ptr<uint32_t>(instruction.ref[1]);
  const uint32_t *b = warp.ptr<uint32_t>(instruction.ref[2]);
  const uint32_t *c = warp.ptr<uint32_t>(instruction.ref[3]);
  alignas(64) uint32_t values[32];
  uint32_t minterm[8];
  for (unsigned i = 0; i < 8; ++i)
    minterm[i] = instruction.immediate >> i & 1 ? ~0u : 0u;
#pragma clang loop vectorize(assume_safety)
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t x = a[lane], y = b[lane], z = c[lane];
    uint32_t result = (~x & ~y & ~z & minterm[0]) | (~x & ~y & z & minterm[1]) |
                      (~x & y & ~z & minterm[2]) | (~x & y & z & minterm[3]) |
                      (x & ~y & ~z & minterm[4]) | (x & ~y & z & minterm[5]) |
                      (x & y & ~z & minterm[6]) | (x & y & z & minterm[7]);
    values[lane] = result;
  }
  blend(warp.ptr<uint32_t>(instruction.ref[0]), values, mask);
  return Step::Next;
}

/// lop3.BoolOp.b32 d|p, a, b, c, table, q: p = (d != 0) BoolOp q. ref[4] is p,
/// ref[5] is q, flags whether the operation is `and`.
Step lop3Predicate(Warp &warp, const Instruction &instruction, uint32_t mask) {
  uint32_t q = warp.predicate(instruction.ref[5]);
  lop3(warp, instruction, mask);
  const uint32_t *d = warp.ptr<uint32_t>(instruction.ref[0]);
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < 32; ++lane)
    bits |= d[lane] != 0 ? 1u << lane : 0u;
  warp.setPredicate(instruction.ref[4], mask,
                    instruction.flags ? bits & q : bits | q);
  return Step::Next;
}

enum class Logic { And, Or, Xor, Not };
template <Logic operation>
Step logicPredicate(Warp &warp, const Instruction &instruction, uint32_t mask) {
  uint32_t a = warp.predicate(instruction.ref[1]);
  uint32_t b = operation == Logic::Not ? 0 : warp.predicate(instruction.ref[2]);
  uint32_t result = operation == Logic::And   ? a & b
                    : operation == Logic::Or  ? a | b
                    : operation == Logic::Xor ? a ^ b
                                              : ~a;
  warp.setPredicate(instruction.ref[0], mask, result);
  return Step::Next;
}

#define BY_BITS(type, OP)                                                      \
  (registerBytes(type) == 2   ? Handler(OP(uint16_t))                          \
   : registerBytes(type) == 4 ? Handler(OP(uint32_t))                          \
   : registerBytes(type) == 8 ? Handler(OP(uint64_t))                          \
                              : nullptr)
#define AND(T) mapLanes<andOp<T>, T, T, T>
#define OR(T) mapLanes<orOp<T>, T, T, T>
#define XOR(T) mapLanes<xorOp<T>, T, T, T>
#define NOT(T) mapLanes<notOp<T>, T, T>
#define CNOT(T) mapLanes<cnotOp<T>, T, T>
#define SHL(T) mapLanes<shlOp<T>, T, T, uint32_t>

bool decodeLogic(Decoder &d) {
  std::string_view opcode = d.syntax().parts[0];
  Logic operation = opcode == "and"   ? Logic::And
                    : opcode == "or"  ? Logic::Or
                    : opcode == "xor" ? Logic::Xor
                                      : Logic::Not;
  bool unary = operation == Logic::Not;
  Type type = d.takeType();
  if (!d.expectOperands(unary ? 2 : 3, unary ? 2 : 3))
    return false;
  if (type == Type::Pred) {
    d.out.ref[1] = d.sourcePredicate(d.operand(1));
    if (!unary)
      d.out.ref[2] = d.sourcePredicate(d.operand(2));
    d.out.ref[0] = d.destinationPredicate(d.operand(0));
    Handler handler = operation == Logic::And   ? logicPredicate<Logic::And>
                      : operation == Logic::Or  ? logicPredicate<Logic::Or>
                      : operation == Logic::Xor ? logicPredicate<Logic::Xor>
                                                : logicPredicate<Logic::Not>;
    return d.emit(handler, InstructionClass::Integer);
  }
  if (!isBits(type))
    return false;
  d.out.ref[1] = d.source(1, type);
  if (!unary)
    d.out.ref[2] = d.source(2, type);
  d.out.ref[0] = d.destination(0, type);
  Handler handler = operation == Logic::And   ? BY_BITS(type, AND)
                    : operation == Logic::Or  ? BY_BITS(type, OR)
                    : operation == Logic::Xor ? BY_BITS(type, XOR)
                                              : BY_BITS(type, NOT);
  return d.emit(handler, InstructionClass::Integer);
}

bool decodeCnot(Decoder &d) {
  Type type = d.takeType();
  if (!isBits(type) || !d.expectOperands(2, 2))
    return false;
  d.out.ref[1] = d.source(1, type);
  d.out.ref[0] = d.destination(0, type);
  return d.emit(BY_BITS(type, CNOT), InstructionClass::Integer);
}

bool decodeShift(Decoder &d) {
  bool left = d.syntax().parts[0] == "shl";
  Type type = d.takeType();
  if (!d.expectOperands(3, 3))
    return false;
  d.out.ref[1] = d.source(1, type);
  d.out.ref[2] = d.source(2, Type::U32);
  d.out.ref[0] = d.destination(0, type);
  Handler handler = nullptr;
  if (left) {
    handler = isBits(type) ? BY_BITS(type, SHL) : nullptr;
  } else {
    switch (type) {
    case Type::S16:
      handler = mapLanes<shrOp<int16_t>, int16_t, int16_t, uint32_t>;
      break;
    case Type::S32:
      handler = mapLanes<shrOp<int32_t>, int32_t, int32_t, uint32_t>;
      break;
    case Type::S64:
      handler = mapLanes<shrOp<int64_t>, int64_t, int64_t, uint32_t>;
      break;
    case Type::U16:
    case Type::B16:
      handler = mapLanes<shrOp<uint16_t>, uint16_t, uint16_t, uint32_t>;
      break;
    case Type::U32:
    case Type::B32:
      handler = mapLanes<shrOp<uint32_t>, uint32_t, uint32_t, uint32_t>;
      break;
    case Type::U64:
    case Type::B64:
      handler = mapLanes<shrOp<uint64_t>, uint64_t, uint64_t, uint32_t>;
      break;
    default:
      return false;
    }
  }
  return d.emit(handler, InstructionClass::Integer);
}

/// Binds d, then sources of the given types.
bool bindTypes(Decoder &d, Type result, std::initializer_list<Type> types) {
  if (!d.expectOperands(types.size() + 1, types.size() + 1))
    return false;
  size_t i = 1;
  for (Type type : types) {
    d.out.ref[i] = d.source(i, type);
    ++i;
  }
  d.out.ref[0] = d.destination(0, result);
  return true;
}

bool decodeFunnel(Decoder &d) {
  int direction = d.takeOne({"l", "r"});
  int mode = d.takeOne({"clamp", "wrap"});
  if (direction < 0 || mode < 0 || d.takeType() != Type::B32)
    return false;
  using U = uint32_t;
  Handler handler =
      direction == 0 ? mode == 0
                           ? Handler(mapLanes<shfOp<true, false>, U, U, U, U>)
                           : Handler(mapLanes<shfOp<true, true>, U, U, U, U>)
      : mode == 0    ? Handler(mapLanes<shfOp<false, false>, U, U, U, U>)
                     : Handler(mapLanes<shfOp<false, true>, U, U, U, U>);
  return bindTypes(d, Type::B32, {Type::B32, Type::B32, Type::U32}) &&
         d.emit(handler, InstructionClass::Integer);
}

bool decodeLop3(Decoder &d) {
  int boolOp = d.takeOne({"or", "and"});
  if (d.takeType() != Type::B32)
    return false;
  size_t count = boolOp >= 0 ? 6 : 5;
  if (!d.expectOperands(count, count))
    return false;
  for (size_t i = 1; i <= 3; ++i)
    d.out.ref[i] = d.source(i, Type::B32);
  uint64_t table = 0;
  if (!d.constantOperand(d.operand(4), table))
    return false;
  d.out.immediate = static_cast<int64_t>(table);
  if (boolOp < 0) {
    d.out.ref[0] = d.destination(0, Type::B32);
    return d.emit(lop3, InstructionClass::Integer);
  }
  const Operand &result = d.operand(0);
  if (result.kind != Operand::Kind::Pair)
    return d.fail("expected d|p");
  d.out.ref[0] = d.destination(result.elements[0], Type::B32);
  d.out.ref[4] = d.destinationPredicate(result.elements[1]);
  d.out.ref[5] = d.sourcePredicate(d.operand(5));
  d.out.flags = boolOp == 1;
  return d.emit(lop3Predicate, InstructionClass::Integer);
}

bool decodePrmt(Decoder &d) {
  if (d.takeType() != Type::B32)
    return false;
  using U = uint32_t;
  Handler handler;
  switch (d.takeOne({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"})) {
  case 0:
    handler = mapLanes<prmtModeOp<f4e>, U, U, U, U>;
    break;
  case 1:
    handler = mapLanes<prmtModeOp<b4e>, U, U, U, U>;
    break;
  case 2:
    handler = mapLanes<prmtModeOp<rc8>, U, U, U, U>;
    break;
  case 3:
    handler = mapLanes<prmtModeOp<ecl>, U, U, U, U>;
    break;
  case 4:
    handler = mapLanes<prmtModeOp<ecr>, U, U, U, U>;
    break;
  case 5:
    handler = mapLanes<prmtModeOp<rc16>, U, U, U, U>;
    break;
  default:
    handler = mapLanes<prmtOp, U, U, U, U>;
  }
  return bindTypes(d, Type::B32, {Type::B32, Type::B32, Type::B32}) &&
         d.emit(handler, InstructionClass::Integer);
}

bool decodeBfe(Decoder &d) {
  Type type = d.takeType();
  using U = uint32_t;
  Handler handler =
      type == Type::U32 ? Handler(mapLanes<bfeOp<uint32_t>, U, U, U, U>)
      : type == Type::S32
          ? Handler(mapLanes<bfeOp<int32_t>, int32_t, int32_t, U, U>)
      : type == Type::U64
          ? Handler(mapLanes<bfeOp<uint64_t>, uint64_t, uint64_t, U, U>)
      : type == Type::S64
          ? Handler(mapLanes<bfeOp<int64_t>, int64_t, int64_t, U, U>)
          : nullptr;
  return handler && bindTypes(d, type, {type, Type::U32, Type::U32}) &&
         d.emit(handler, InstructionClass::Integer);
}

bool decodeBfi(Decoder &d) {
  Type type = d.takeType();
  Handler handler = type == Type::B32
                        ? Handler(mapLanes<bfiOp<uint32_t>, uint32_t, uint32_t,
                                           uint32_t, uint32_t, uint32_t>)
                    : type == Type::B64
                        ? Handler(mapLanes<bfiOp<uint64_t>, uint64_t, uint64_t,
                                           uint64_t, uint32_t, uint32_t>)
                        : nullptr;
  return handler && bindTypes(d, type, {type, type, Type::U32, Type::U32}) &&
         d.emit(handler, InstructionClass::Integer);
}

bool decodeCount(Decoder &d) {
  std::string_view opcode = d.syntax().parts[0];
  Type type = d.takeType();
  bool wide = type == Type::B64;
  if (!wide && type != Type::B32)
    return false;
  Handler handler;
  Type result = Type::U32;
  if (opcode == "popc") {
    handler = wide ? Handler(mapLanes<popcOp<uint64_t>, uint32_t, uint64_t>)
                   : Handler(mapLanes<popcOp<uint32_t>, uint32_t, uint32_t>);
  } else if (opcode == "clz") {
    handler = wide ? Handler(mapLanes<clzOp<uint64_t>, uint32_t, uint64_t>)
                   : Handler(mapLanes<clzOp<uint32_t>, uint32_t, uint32_t>);
  } else {
    result = type;
    handler = wide ? Handler(mapLanes<brevOp<uint64_t>, uint64_t, uint64_t>)
                   : Handler(mapLanes<brevOp<uint32_t>, uint32_t, uint32_t>);
  }
  return bindTypes(d, result, {type}) &&
         d.emit(handler, InstructionClass::Integer);
}

bool decodeBfind(Decoder &d) {
  bool amount = d.take("shiftamt");
  Type type = d.takeType();
  Handler handler = nullptr;
#define BFIND(T)                                                               \
  amount ? Handler(mapLanes<bfindOp<T, true>, uint32_t, T>)                    \
         : Handler(mapLanes<bfindOp<T, false>, uint32_t, T>)
  switch (type) {
  case Type::U32:
    handler = BFIND(uint32_t);
    break;
  case Type::S32:
    handler = BFIND(int32_t);
    break;
  case Type::U64:
    handler = BFIND(uint64_t);
    break;
  case Type::S64:
    handler = BFIND(int64_t);
    break;
  default:
    return false;
  }
#undef BFIND
  return bindTypes(d, Type::U32, {type}) &&
         d.emit(handler, InstructionClass::Integer);
}

bool decodeMasks(Decoder &d) {
  using U = uint32_t;
  bool bmsk = d.syntax().parts[0] == "bmsk";
  int mode = d.takeOne({"clamp", "wrap"});
  Type type = d.takeType();
  if (mode < 0)
    return false;
  Handler handler = nullptr;
  if (bmsk && type == Type::B32)
    handler = mode ? Handler(mapLanes<bmskOp<true>, U, U, U>)
                   : Handler(mapLanes<bmskOp<false>, U, U, U>);
  else if (!bmsk && type == Type::U32)
    handler = mode ? Handler(mapLanes<szextOp<U, true>, U, U, U>)
                   : Handler(mapLanes<szextOp<U, false>, U, U, U>);
  else if (!bmsk && type == Type::S32)
    handler =
        mode ? Handler(mapLanes<szextOp<int32_t, true>, int32_t, int32_t, U>)
             : Handler(mapLanes<szextOp<int32_t, false>, int32_t, int32_t, U>);
  return handler && bindTypes(d, type, {type, Type::U32}) &&
         d.emit(handler, InstructionClass::Integer);
}

bool decodeFns(Decoder &d) {
  using U = uint32_t;
  return d.takeType() == Type::B32 &&
         bindTypes(d, Type::B32, {Type::B32, Type::B32, Type::S32}) &&
         d.emit(mapLanes<fnsOp, U, U, U, U>, InstructionClass::Integer);
}

} // namespace

void registerBits(OpcodeTable &table) {
  table["and"] = table["or"] = table["xor"] = table["not"] = decodeLogic;
  table["cnot"] = decodeCnot;
  table["shl"] = table["shr"] = decodeShift;
  table["shf"] = decodeFunnel;
  table["lop3"] = decodeLop3;
  table["prmt"] = decodePrmt;
  table["bfe"] = decodeBfe;
  table["bfi"] = decodeBfi;
  table["popc"] = table["clz"] = table["brev"] = decodeCount;
  table["bfind"] = decodeBfind;
  table["bmsk"] = table["szext"] = decodeMasks;
  table["fns"] = decodeFns;
}

} // namespace tilec::emu
