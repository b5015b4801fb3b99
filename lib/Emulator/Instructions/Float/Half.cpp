//===- Half.cpp - f16 and bf16 arithmetic, packed and not -----------------===//
//
// add, sub, mul, fma, min, max, abs, neg on f16, bf16 and their pairs. The
// forms without modifiers are vector code; the others go element by element
// through Numerics.h.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "FloatFamily.h"

namespace tilec::emu {

namespace {

template <uint16_t (*f)(uint16_t, uint16_t)>
uint32_t pair(uint32_t a, uint32_t b) {
  uint32_t low = f(static_cast<uint16_t>(a), static_cast<uint16_t>(b));
  uint32_t high =
      f(static_cast<uint16_t>(a >> 16), static_cast<uint16_t>(b >> 16));
  return low | high << 16;
}

template <uint16_t (*f)(uint16_t, uint16_t)>
Handler fast(bool packed) {
  using H = uint16_t;
  using W = uint32_t;
  return packed ? Handler(mapLanes<pair<f>, W, W, W>)
                : Handler(mapLanes<f, H, H, H>);
}

template <void (*f)(uint32_t *, const uint32_t *, const uint32_t *,
                    const uint32_t *)>
Step fmaPairs(Warp &warp, const Instruction &instruction, uint32_t mask) {
  alignas(64) uint32_t values[32];
  f(values, warp.ptr<uint32_t>(instruction.ref[1]),
    warp.ptr<uint32_t>(instruction.ref[2]),
    warp.ptr<uint32_t>(instruction.ref[3]));
  blend(warp.ptr<uint32_t>(instruction.ref[0]), values, mask);
  return Step::Next;
}

/// The general path: `operation` with a FloatMode, one or two elements a lane.
template <char operation, typename U>
Step general(Warp &warp, const Instruction &instruction, uint32_t mask) {
  const auto &mode = instruction.data<FloatMode>();
  auto type = static_cast<ElementType>(instruction.small[0]);
  const U *a = warp.ptr<U>(instruction.ref[1]);
  const U *b = warp.ptr<U>(instruction.ref[2]);
  const U *c = operation == 'f' ? warp.ptr<U>(instruction.ref[3]) : nullptr;
  U *d = warp.ptr<U>(instruction.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    uint64_t result = 0;
    for (unsigned shift = 0; shift < sizeof(U) * 8; shift += 16) {
      uint64_t x = a[lane] >> shift & 0xffff, y = b[lane] >> shift & 0xffff;
      uint64_t r;
      if constexpr (operation == '+')
        r = addFloat(type, x, y, mode);
      else if constexpr (operation == '-')
        r = subFloat(type, x, y, mode);
      else if constexpr (operation == '*')
        r = mulFloat(type, x, y, mode);
      else
        r = fmaFloat(type, x, y, c[lane] >> shift & 0xffff, mode);
      result |= (r & 0xffff) << shift;
    }
    d[lane] = static_cast<U>(result);
  });
  return Step::Next;
}

template <bool isMax, typename U>
Step minMax(Warp &warp, const Instruction &instruction, uint32_t mask) {
  const auto &mode = instruction.data<MinMaxMode>();
  auto type = static_cast<ElementType>(instruction.small[0]);
  const U *a = warp.ptr<U>(instruction.ref[1]);
  const U *b = warp.ptr<U>(instruction.ref[2]);
  U *d = warp.ptr<U>(instruction.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    uint64_t result = 0;
    for (unsigned shift = 0; shift < sizeof(U) * 8; shift += 16) {
      uint64_t x = a[lane] >> shift & 0xffff, y = b[lane] >> shift & 0xffff;
      uint64_t r =
          isMax ? maxFloat(type, x, y, mode) : minFloat(type, x, y, mode);
      result |= (r & 0xffff) << shift;
    }
    d[lane] = static_cast<U>(result);
  });
  return Step::Next;
}

template <typename U, ElementType type, bool negate>
U signBits(U a) {
  constexpr U signs = sizeof(U) == 4 ? U(0x80008000u) : U(0x8000u);
  return static_cast<U>(negate ? a ^ signs : a & U(~signs));
}

bool isHalf(Type type, bool &packed, ElementType &element) {
  packed = type == Type::F16x2 || type == Type::BF16x2;
  element = elementOf(type);
  return packed || type == Type::F16 || type == Type::BF16;
}

bool bindHalf(Decoder &d, Type type, size_t sources) {
  if (!d.expectOperands(sources + 1, sources + 1))
    return false;
  for (size_t i = 1; i <= sources; ++i)
    d.out.ref[i] = d.source(i, type);
  d.out.ref[0] = d.destination(0, type);
  return true;
}

Handler generalHandler(char operation, bool packed) {
  switch (operation) {
  case '+':
    return packed ? general<'+', uint32_t> : general<'+', uint16_t>;
  case '-':
    return packed ? general<'-', uint32_t> : general<'-', uint16_t>;
  case '*':
    return packed ? general<'*', uint32_t> : general<'*', uint16_t>;
  default:
    return packed ? general<'f', uint32_t> : general<'f', uint16_t>;
  }
}

Handler fastHandler(char operation, ElementType element, bool packed) {
  bool half = element == ElementType::F16;
  using H = uint16_t;
  switch (operation) {
  case '+':
    return half ? fast<f16Add>(packed) : fast<bf16Add>(packed);
  case '-':
    return half ? fast<f16Sub>(packed) : fast<bf16Sub>(packed);
  case '*':
    return half ? fast<f16Mul>(packed) : fast<bf16Mul>(packed);
  default:
    if (packed)
      return half ? fmaPairs<f16x2FmaLanes> : fmaPairs<bf16x2FmaLanes>;
    return half ? Handler(mapLanes<f16Fma, H, H, H, H>)
                : Handler(mapLanes<bf16Fma, H, H, H, H>);
  }
}

} // namespace

bool decodeHalfArithmetic(Decoder &d, char operation, Type type,
                          const FloatModifiers &m) {
  bool packed;
  ElementType element;
  if (!isHalf(type, packed, element))
    return false;
  if (m.mode.rounding != Rounding::NearestEven)
    return false;
  if (element == ElementType::BF16 &&
      (m.mode.flushToZero || m.mode.saturation != Saturation::None))
    return false;
  if (m.mode.relu && operation != 'f')
    return false;
  bool plain = !m.mode.flushToZero && !m.mode.relu &&
               m.mode.saturation == Saturation::None;
  Handler handler = plain ? fastHandler(operation, element, packed)
                          : generalHandler(operation, packed);
  d.out.small[0] = static_cast<uint16_t>(element);
  *d.makeData<FloatMode>() = m.mode;
  return bindHalf(d, type, operation == 'f' ? 3 : 2) &&
         d.emit(handler, InstructionClass::Float);
}

bool decodeHalfMinMax(Decoder &d, bool isMax, Type type,
                      const MinMaxMode &mode) {
  bool packed;
  ElementType element;
  if (!isHalf(type, packed, element))
    return false;
  d.out.small[0] = static_cast<uint16_t>(element);
  *d.makeData<MinMaxMode>() = mode;
  Handler handler =
      isMax    ? packed ? minMax<true, uint32_t> : minMax<true, uint16_t>
      : packed ? minMax<false, uint32_t>
               : minMax<false, uint16_t>;
  return bindHalf(d, type, 2) && d.emit(handler, InstructionClass::Float);
}

/// abs and neg of f16 with .ftz: a subnormal keeps its sign bit only.
template <typename T, bool negate>
static T flushedSign(T a) {
  T result = 0;
  for (unsigned shift = 0; shift < sizeof(T) * 8; shift += 16) {
    uint32_t half = static_cast<uint32_t>(a) >> shift & 0xffff;
    if ((half & 0x7c00) == 0)
      half &= 0x8000;
    half = negate ? half ^ 0x8000 : half & 0x7fff;
    result = static_cast<T>(result | half << shift);
  }
  return result;
}

bool decodeHalfSign(Decoder &d, bool negate, Type type, bool flush) {
  bool packed;
  ElementType element;
  if (!isHalf(type, packed, element))
    return false;
  constexpr ElementType f16 = ElementType::F16;
  if (flush) {
    if (element != f16)
      return d.fail("only f16 has .ftz");
    Handler flushing =
        packed ? negate ? Handler(mapLanes<flushedSign<uint32_t, true>,
                                           uint32_t, uint32_t>)
                        : Handler(mapLanes<flushedSign<uint32_t, false>,
                                           uint32_t, uint32_t>)
        : negate
            ? Handler(mapLanes<flushedSign<uint16_t, true>, uint16_t, uint16_t>)
            : Handler(
                  mapLanes<flushedSign<uint16_t, false>, uint16_t, uint16_t>);
    return bindHalf(d, type, 1) && d.emit(flushing, InstructionClass::Float);
  }
  Handler handler =
      packed ? negate ? Handler(mapLanes<signBits<uint32_t, f16, true>,
                                         uint32_t, uint32_t>)
                      : Handler(mapLanes<signBits<uint32_t, f16, false>,
                                         uint32_t, uint32_t>)
      : negate
          ? Handler(mapLanes<signBits<uint16_t, f16, true>, uint16_t, uint16_t>)
          : Handler(
                mapLanes<signBits<uint16_t, f16, false>, uint16_t, uint16_t>);
  return bindHalf(d, type, 1) && d.emit(handler, InstructionClass::Float);
}

void registerHalf(OpcodeTable &) {}

} // namespace tilec::emu
