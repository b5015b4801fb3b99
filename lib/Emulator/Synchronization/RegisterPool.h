//===- RegisterPool.h - Registers that setmaxnreg moves ---------*- C++ -*-===//
//
// The registers of a block that setmaxnreg moves between its warps, in
// registers per thread summed over warps (RegisterCount.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_SYNCHRONIZATION_REGISTERPOOL_H
#define TILE_LIB_EMULATOR_SYNCHRONIZATION_REGISTERPOOL_H

#include <cstdint>
#include <vector>

namespace tilec::emu {

struct RegisterPool {
  uint32_t total = 0; ///< At launch; an upper bound if that is not known.
  /// Of a thread of each warp; 0: as launched, which is not known.
  std::vector<uint32_t> perWarp;
  /// The least that those of unknown count have.
  static constexpr uint32_t leastPerWarp = 24;

  uint32_t used() const {
    uint32_t sum = 0;
    for (uint32_t count : perWarp)
      sum += count ? count : leastPerWarp;
    return sum;
  }
  uint32_t available() const { return used() < total ? total - used() : 0; }
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_SYNCHRONIZATION_REGISTERPOOL_H
