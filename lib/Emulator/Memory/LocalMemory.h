//===- LocalMemory.h - The stacks of a warp's lanes -------------*- C++ -*-===//
//
// Local memory of a warp: one stack for each lane, in which calls have their
// frames.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MEMORY_LOCALMEMORY_H
#define TILE_LIB_EMULATOR_MEMORY_LOCALMEMORY_H

#include <cstdint>
#include <vector>

namespace tilec::emu {

struct LocalMemory {
  std::vector<uint8_t> bytes; ///< 32 stacks of `stride` bytes.
  /// One byte for each of these, 1 if initialised; empty if not checked.
  std::vector<uint8_t> initialized;
  uint32_t stride = 0;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_MEMORY_LOCALMEMORY_H
