//===- Allocation.h - A buffer of the device --------------------*- C++ -*-===//
//
// A range of global or constant addresses with its bytes: a buffer of the
// device memory or a variable of a module.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MEMORY_ALLOCATION_H
#define TILE_LIB_EMULATOR_MEMORY_ALLOCATION_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilec::emu {

struct Allocation {
  std::string name;
  uint64_t address = 0, sizeBytes = 0;
  uint8_t *data = nullptr;
  std::vector<uint8_t> owned;
  /// One byte per byte, 1 if initialised; empty: all are.
  std::vector<uint8_t> initialized;
  bool live = true;
  bool readOnly = false;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_MEMORY_ALLOCATION_H
