//===- Block.h - A running block --------------------------------*- C++ -*-===//
//
// A block's warps, its shared memory with the shadow that checks it, and the
// objects that its threads synchronise by.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MACHINE_BLOCK_H
#define TILE_LIB_EMULATOR_MACHINE_BLOCK_H

#include "../Checkers/Shadow.h"
#include "../Synchronization/BarrierState.h"
#include "../Synchronization/MbarrierState.h"
#include "../Synchronization/RegisterPool.h"
#include "../Synchronization/WarpgroupLog.h"
#include "Warp.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tilec::emu {

struct Block {
  Cluster *cluster = nullptr;
  Dim3 id{0, 0, 0};
  uint32_t rank = 0;
  uint64_t linear = 0;
  std::vector<std::unique_ptr<Warp>> warps;
  AlignedBytes sharedStorage;
  uint8_t *shared = nullptr;
  uint32_t sharedBytes = 0;
  SharedShadow shadow;
  std::array<BarrierState, 16> barriers;
  Mbarriers mbarriers;
  uint32_t liveThreads = 0;
  uint32_t exitedThreads = 0;
  /// What the warps of each warpgroup did together (Warpgroup.h).
  std::vector<std::unique_ptr<WarpgroupLog>> warpgroups;
  RegisterPool registers;
  /// The last access of each warp of another block, and what the block's
  /// threads knew when they exited: see BlockEnd.cpp.
  struct RemoteAccess {
    const Instruction *instruction = nullptr;
    uint32_t clock = 0, lane = 0;
  };
  std::vector<RemoteAccess> remote;
  Knowledge atExit;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_MACHINE_BLOCK_H
