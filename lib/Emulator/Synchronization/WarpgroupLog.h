//===- WarpgroupLog.h - What warps of a warpgroup executed ------*- C++ -*-===//
//
// What some of the four warps of a warpgroup have executed and others not yet
// (Warpgroup.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_SYNCHRONIZATION_WARPGROUPLOG_H
#define TILE_LIB_EMULATOR_SYNCHRONIZATION_WARPGROUPLOG_H

#include "../Decode/Instruction.h"

#include <array>
#include <cstdint>
#include <deque>

namespace tilec::emu {

struct WarpgroupLog {
  struct Entry {
    const Instruction *instruction;
    std::array<uint64_t, 2> operands;
    uint32_t warp; ///< In the block, that executed it first.
    uint32_t seen; ///< Warps of the four that did.
  };
  std::deque<Entry> entries;
  uint64_t first = 0; ///< The number of entries[0].
  std::array<uint64_t, 4> executed{};
  uint32_t ended = 0; ///< Warps of the four that have.
  /// Names its groups of wgmma among what completes (WgmmaGroup.h); 0: none.
  uint32_t completionId = 0;

  /// How many setmaxnreg each warp executed, and the clocks of the last two.
  std::array<uint32_t, 4> registerChanges{};
  std::array<std::array<uint32_t, 2>, 4> registerClocks{};
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_SYNCHRONIZATION_WARPGROUPLOG_H
