//===- AddressWindows.h - State spaces in generic addresses -----*- C++ -*-===//
//
// Each state space but the global one has a window of 4 GiB in the generic
// address space; a generic address is the window's base plus an address of the
// space. Global addresses are generic as they are.
//
//   0x1'0000'0000   shared, of this block or (from bit 24 up) another's
//   0x2'0000'0000   local
//   0x3'0000'0000   constant
//   0x4'0000'0000   kernel parameters
//   0x100'0000'0000 and above: global
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MEMORY_ADDRESSWINDOWS_H
#define TILE_LIB_EMULATOR_MEMORY_ADDRESSWINDOWS_H

#include <cstdint>

namespace tilec::emu {

inline constexpr uint64_t sharedWindow = 0x1'0000'0000ull;
inline constexpr uint64_t localWindow = 0x2'0000'0000ull;
inline constexpr uint64_t constWindow = 0x3'0000'0000ull;
inline constexpr uint64_t paramWindow = 0x4'0000'0000ull;
inline constexpr uint64_t globalBegin = 0x100'0000'0000ull;
/// Shared addresses with a rank in bits 24 and up (less one) are those of
/// another block of the cluster.
inline constexpr uint32_t sharedRankShift = 24;

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_MEMORY_ADDRESSWINDOWS_H
