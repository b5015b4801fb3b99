//===- IntegerFamily.h - What the integer families share ------------------===//
//
// Sums and products are done on unsigned types, which wrap. Integer.cpp owns
// the opcodes but those of products (IntegerMultiply.cpp); the forms with a
// carry are IntegerCarry.cpp's.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_INSTRUCTIONS_INTEGER_INTEGERFAMILY_H
#define TILE_LIB_EMULATOR_INSTRUCTIONS_INTEGER_INTEGERFAMILY_H

#include "../../Decode/Families.h"
#include "../Handlers.h"

#include <limits>
#include <type_traits>

namespace tilec::emu {

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

/// Whether a modifier is a floating-point type.
bool isFloatInstruction(Decoder &decoder);
bool decodeCarry(Decoder &decoder);    ///< add.cc, sub.cc, addc, subc.
bool decodeMadCarry(Decoder &decoder); ///< mad.cc, madc.

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_INSTRUCTIONS_INTEGER_INTEGERFAMILY_H
