//===- Handlers.h - Building blocks of instruction handlers -----*- C++ -*-===//
//
// A handler executes one instruction for the lanes of a mask. Most are loops
// over 32 lanes made by `mapLanes` from a function on scalars; with all lanes
// active the loop writes the destination directly and becomes vector code,
// otherwise it goes through a buffer. Destinations may equal sources, never
// overlap them otherwise.
//
// In handlers `i` is the instruction, and `d`, `a`, `b`, `c` are its
// destination and sources, as the PTX ISA names them. In the functions that
// decode (Decoder.h) `d` is the decoder and `m` the modifiers.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_INSTRUCTIONS_HANDLERS_H
#define TILE_LIB_EMULATOR_INSTRUCTIONS_HANDLERS_H

#include "../Machine/Machine.h"

#include <tuple>
#include <utility>

namespace tilec::emu {

/// Keeps the lanes outside `mask` as they were.
template <typename T>
inline void blend(T *target, const T *values, uint32_t mask) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    target[lane] = mask >> lane & 1 ? values[lane] : target[lane];
}

template <auto function, typename D, typename... S, size_t... I>
inline void mapInto(D *target, const std::tuple<const S *...> &sources,
                    std::index_sequence<I...>) {
#pragma clang loop vectorize(assume_safety)
  for (uint32_t lane = 0; lane < 32; ++lane)
    target[lane] = function(std::get<I>(sources)[lane]...);
}

/// ref[0] = function(ref[1], ref[2], ..), lane by lane.
template <auto function, typename D, typename... S>
Step mapLanes(Warp &warp, const Instruction &instruction, uint32_t mask) {
  auto bind = [&]<size_t... I>(std::index_sequence<I...> indices) {
    std::tuple<const S *...> sources{
        warp.ptr<const S>(instruction.ref[1 + I])...};
    D *target = warp.ptr<D>(instruction.ref[0]);
    if (mask == fullMask) {
      mapInto<function, D, S...>(target, sources, indices);
    } else {
      alignas(64) D values[32];
      mapInto<function, D, S...>(values, sources, indices);
      blend(target, values, mask);
    }
  };
  bind(std::index_sequence_for<S...>());
  return Step::Next;
}

/// A predicate from a comparison of lanes: bit `lane` is function(..).
template <auto function, typename... S, size_t... I>
inline uint32_t gatherPredicate(const std::tuple<const S *...> &sources,
                                std::index_sequence<I...>) {
  uint32_t bits = 0;
#pragma clang loop vectorize(assume_safety)
  for (uint32_t lane = 0; lane < 32; ++lane)
    bits |= function(std::get<I>(sources)[lane]...) ? 1u << lane : 0u;
  return bits;
}

/// Calls `body(lane)` for the lanes of a mask.
template <typename F>
inline void forLanes(uint32_t mask, F &&body) {
  for (; mask; mask &= mask - 1)
    body(static_cast<uint32_t>(__builtin_ctz(mask)));
}

/// Copies the low bytes of wide lanes into narrow ones.
Handler narrowHandler(unsigned wideBytes, unsigned narrowBytes);
/// ref[0] (64 bits) = immediate + where the frame's variables begin.
Step frameAddressHandler(Warp &, const Instruction &, uint32_t mask);
/// `ret`, and the end of a function.
Step returnHandler(Warp &, const Instruction &, uint32_t mask);

/// 128-bit lanes.
struct Bits128 {
  uint64_t low, high;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_INSTRUCTIONS_HANDLERS_H
