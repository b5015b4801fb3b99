//===- MbarrierState.h - An mbarrier object ---------------------*- C++ -*-===//
//
// What an mbarrier counts. The object's 8 bytes in shared memory are only its
// name: the state is here, under the object's address.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_SYNCHRONIZATION_MBARRIERSTATE_H
#define TILE_LIB_EMULATOR_SYNCHRONIZATION_MBARRIERSTATE_H

#include "../Checkers/Shadow.h"
#include "../Checkers/VectorClock.h"
#include "../Decode/Instruction.h"

#include <cstdint>
#include <unordered_map>

namespace tilec::emu {

struct MbarrierState {
  uint32_t id = 0;
  uint32_t expected = 0; ///< Arrivals of a phase.
  int64_t pending = 0;   ///< Arrivals still missing.
  int64_t transactions = 0;
  uint32_t phase = 0;    ///< Counts completed phases.
  uint32_t observed = 0; ///< The last phase that somebody waited for.
  Knowledge gathered, released;
  const Instruction *initializer = nullptr;
  uint32_t initializerLane = 0;
  ShadowAccess initialization; ///< Without checks for races: none.
  /// Its initialiser has executed fence.mbarrier_init: copies may arrive here.
  bool isShown = false;
};

/// The live mbarriers of a block, by shared address.
struct Mbarriers {
  std::unordered_map<uint32_t, MbarrierState> states;
  /// Bounds of the bytes of live mbarriers, low above high if there are none.
  uint32_t low = ~0u, high = 0;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_SYNCHRONIZATION_MBARRIERSTATE_H
