//===- Warpgroup.h - What four warps must do together -----------*- C++ -*-===//
//
// wgmma.mma_async and setmaxnreg belong to a warpgroup: its four warps must
// execute the same ones, with the same operands, in the same order, though each
// at its own time. A log for each warpgroup holds what some of its warps have
// executed and others not yet.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_SYNCHRONIZATION_WARPGROUP_H
#define TILE_LIB_EMULATOR_SYNCHRONIZATION_WARPGROUP_H

#include "../Machine/Machine.h"

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

  /// How many setmaxnreg each warp executed, and the clocks of the last two.
  std::array<uint32_t, 4> registerChanges{};
  std::array<std::array<uint32_t, 2>, 4> registerClocks{};
};

/// The log of the warp's group; null, after a report, if the block has no four
/// warps for it.
WarpgroupLog *findWarpgroup(Warp &warp, const Instruction &instruction);
/// Notes that `warp` executes `instruction` and reports if its warpgroup does
/// not do so together.
void executeInWarpgroup(Warp &warp, const Instruction &instruction,
                        std::array<uint64_t, 2> operands);
/// A warp has come to its end.
void endInWarpgroup(Warp &warp);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_SYNCHRONIZATION_WARPGROUP_H
