//===- BarrierState.h - Barriers of blocks, clusters ------------*- C++ -*-===//
//
// A barrier counts the threads that have arrived; whoever waits remembers the
// generation it waits for and goes on when that has passed.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_SYNCHRONIZATION_BARRIERSTATE_H
#define TILE_LIB_EMULATOR_SYNCHRONIZATION_BARRIERSTATE_H

#include "../Checkers/VectorClock.h"
#include "../Decode/Instruction.h"

#include <cstdint>
#include <vector>

namespace tilec::emu {

struct Warp;

/// A named barrier of a block, or the barrier of a cluster.
struct BarrierState {
  uint32_t arrived = 0;  ///< Threads, or lanes for the cluster barrier.
  uint32_t expected = 0; ///< 0: all threads.
  uint32_t generation = 0;
  uint32_t users = 0; ///< Arrivals in this generation.
  Knowledge gathered, released;
  /// Who waits, and where a reduction's result goes.
  struct Participant {
    Warp *warp;
    const Instruction *instruction;
    uint32_t mask;
    uint8_t *registers;
  };
  std::vector<Participant> waiting;
  uint32_t trueCount = 0, falseCount = 0;
  const Instruction *first = nullptr; ///< Of this generation, and who ..
  Warp *firstWarp = nullptr;          ///< .. executed it.
  uint32_t firstLane = 0;
  std::vector<uint32_t> arrivedLanes; ///< In this generation, per warp.
  /// Of a cluster's barrier: the generation behind that in which a warp arrived
  /// last; 0 if it has not.
  std::vector<uint32_t> arrivedBefore;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_SYNCHRONIZATION_BARRIERSTATE_H
