//===- ScalarInstruction.h - What not every chip has ------------*- C++ -*-===//
//
// Casts and atomics of a few elements, and reductions over a warp, that came with
// later chips. Where a chip lacks one, the lowering puts a sequence of others in its
// place.
//
// Source: PTX ISA 9.0, "cvt", "atom", "red" and "redux.sync", their target notes.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_SCALARINSTRUCTION_H
#define TILE_HARDWARE_SCALARINSTRUCTION_H

#include "tile/Hardware/InstructionTraits.h"

namespace tilec {

/// `cvt` from two f32 to a pair of e4m3 or e5m2, and from those to two f16.
inline constexpr Availability float8Casts = {.firstCapability = 89,
                                             .firstPtxVersion = 81};

/// `atom.add` of bf16.
inline constexpr Availability bfloat16AtomicAdd = {.firstCapability = 90,
                                                   .firstPtxVersion = 78};

/// `red.add` of 2, 4 or 8 neighbours in global memory, f16, bf16 or f32, that have
/// this many bytes at most.
inline constexpr Availability vectorAtomicAdd = {.firstCapability = 90,
                                                 .firstPtxVersion = 81};
inline constexpr int vectorAtomicBytes = 16;

/// `red.add` of two f16 in an aligned word of global memory, each atomically.
inline constexpr Availability halfPairAtomicAdd = {.firstCapability = 60,
                                                   .firstPtxVersion = 62};
/// Two numbers of 16 bits, the least that compare-and-exchange of a word replaces.
inline constexpr int atomicPairBytes = 4;

/// `redux.sync` of 32-bit integers: add, min, max, and, or, xor.
inline constexpr Availability integerWarpReduction = {.firstCapability = 80,
                                                      .firstPtxVersion = 70};

/// `redux.sync` of f32: min and max.
inline constexpr Availability floatWarpReduction = {
    .firstCapability = 100,
    .isArchitectureSpecific = true,
    .firstPtxVersion = 86,
};

} // namespace tilec

#endif // TILE_HARDWARE_SCALARINSTRUCTION_H
