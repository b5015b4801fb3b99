//===- WgmmaState.h - Products in flight of one warp ------------*- C++ -*-===//
//
// The accumulators that wgmma of a warp will write, the groups that deliver
// them, and the last accesses of the registers involved (Wgmma.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_ASYNC_WGMMASTATE_H
#define TILE_LIB_EMULATOR_ASYNC_WGMMASTATE_H

#include "../Decode/Instruction.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tilec::emu {

struct WgmmaState {
  struct Values {
    alignas(64) uint32_t lanes[32];
  };
  struct Pending {
    std::vector<Ref> registers;
    std::vector<Values> values;
    uint64_t group = 0; ///< The last group that adds to it.
    uint32_t frame = 0; ///< Whose registers they are.
  };
  std::map<std::pair<uint32_t, Ref>, Pending> pending; ///< By frame, register.
  uint64_t openGroup = 1; ///< Number of the group being filled.
  uint64_t retired = 0;   ///< The last group that was waited for.
  uint32_t openRow = 0;
  std::vector<std::pair<uint64_t, uint32_t>> rows; ///< Group and row.

  /// The last accesses of a register.
  struct Register {
    const Instruction *touched = nullptr; ///< Other than wgmma.
    uint32_t touchedLane = 0;
    uint64_t touchedFences = 0; ///< How many fences came before.
    const Instruction *wgmma = nullptr;
    uint64_t group = 0;
    uint64_t wgmmaFences = 0;
    uint32_t shape = 0;
    bool accumulates = false;
  };
  std::vector<Register> registers; ///< By id.
  uint64_t fences = 0;             ///< wgmma.fence executed.
  uint64_t fencesAtWait = 0;       ///< Before the last wgmma.wait_group.
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_ASYNC_WGMMASTATE_H
