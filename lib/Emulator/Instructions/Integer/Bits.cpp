//===- Bits.cpp - Shifts and bit manipulation -----------------------------===//
//
// shl, shr, shf, prmt, bfe, bfi, bfind, brev, popc, clz, bmsk, szext, fns.
// Shift amounts beyond the width are clamped (shl, shr) as the ISA says.
//
//===----------------------------------------------------------------------===//

#include "../../Decode/Decoder.h"
#include "../../Decode/Families.h"
#include "../Handlers.h"

#include <bit>
#include <type_traits>

namespace tilec::emu {

namespace {

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

Handler shlHandler(Type type) {
  switch (isBits(type) ? registerBytes(type) : 0) {
  case 2:
    return mapLanes<shlOp<uint16_t>, uint16_t, uint16_t, uint32_t>;
  case 4:
    return mapLanes<shlOp<uint32_t>, uint32_t, uint32_t, uint32_t>;
  case 8:
    return mapLanes<shlOp<uint64_t>, uint64_t, uint64_t, uint32_t>;
  default:
    return nullptr;
  }
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
    handler = shlHandler(type);
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
  return d.bind(Type::B32, {Type::B32, Type::B32, Type::U32}) &&
         d.emit(handler, InstructionClass::Integer);
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
  return d.bind(Type::B32, {Type::B32, Type::B32, Type::B32}) &&
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
  return handler && d.bind(type, {type, Type::U32, Type::U32}) &&
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
  return handler && d.bind(type, {type, type, Type::U32, Type::U32}) &&
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
  return d.bind(result, {type}) && d.emit(handler, InstructionClass::Integer);
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
  return d.bind(Type::U32, {type}) &&
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
  return handler && d.bind(type, {type, Type::U32}) &&
         d.emit(handler, InstructionClass::Integer);
}

bool decodeFns(Decoder &d) {
  using U = uint32_t;
  return d.takeType() == Type::B32 &&
         d.bind(Type::B32, {Type::B32, Type::B32, Type::S32}) &&
         d.emit(mapLanes<fnsOp, U, U, U, U>, InstructionClass::Integer);
}

} // namespace

void registerBits(OpcodeTable &table) {
  table["shl"] = table["shr"] = decodeShift;
  table["shf"] = decodeFunnel;
  table["prmt"] = decodePrmt;
  table["bfe"] = decodeBfe;
  table["bfi"] = decodeBfi;
  table["popc"] = table["clz"] = table["brev"] = decodeCount;
  table["bfind"] = decodeBfind;
  table["bmsk"] = table["szext"] = decodeMasks;
  table["fns"] = decodeFns;
}

} // namespace tilec::emu
