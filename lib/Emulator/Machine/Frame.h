//===- Frame.h - Splits and frames ------------------------------*- C++ -*-===//
//
// The lanes of a warp that are at one instruction are a split; the splits of
// one function's activation are in its frame. Nothing blocks the host: a split
// that waits says for what, and the scheduler asks again later (Waiting.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MACHINE_FRAME_H
#define TILE_LIB_EMULATOR_MACHINE_FRAME_H

#include "../Decode/Program.h"
#include "../Memory/AlignedBytes.h"

#include <cstdint>
#include <vector>

namespace tilec::emu {

enum class Wait : uint8_t {
  None,
  Converge,       ///< For lanes `required` at this instruction.
  Members,        ///< For lanes `required`, with this member mask, here.
  WarpSync,       ///< bar.warp.sync of the lanes `required`.
  Barrier,        ///< For barrier `object` to leave generation `value`.
  Mbarrier,       ///< For the mbarrier at `object` to complete phase `value`.
  ClusterBarrier, ///< For the cluster barrier to leave generation `value`.
  Warpgroup,      ///< For the warpgroup to commit group `value` of wgmma.
  Registers,      ///< For `value` registers of the block's pool (setmaxnreg).
};

struct Split {
  uint32_t pc = 0, mask = 0;
  Wait wait = Wait::None;
  bool woken = false; ///< To answer "not yet" to a waiting instruction.
  uint8_t polls = 0;  ///< How often since the last progress.
  uint32_t required = 0;
  uint64_t object = 0, value = 0;
};

struct Frame {
  const ProgramFunction *function = nullptr;
  AlignedBytes registers;
  std::vector<Split> splits;
  uint32_t localBase = 0;
  uint32_t liveMask = 0; ///< Lanes that entered and have not returned.
  uint32_t callerSplit = 0;
  const Instruction *call = nullptr;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_MACHINE_FRAME_H
