//===- AlignedBytes.h - Bytes on a cache line -------------------*- C++ -*-===//
//
// Register files and shared memory: bytes that begin on a line of 64, so that
// the loops over lanes load and store whole vectors.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MEMORY_ALIGNEDBYTES_H
#define TILE_LIB_EMULATOR_MEMORY_ALIGNEDBYTES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilec::emu {

struct AlignedBytes {
  /// Never shrinks; what was there stays, if it did not have to grow.
  void resize(size_t bytes) {
    if (storage.size() < bytes / 64 + 2)
      storage.resize(bytes / 64 + 2);
  }
  uint8_t *data() {
    auto address = reinterpret_cast<uintptr_t>(storage.data());
    return reinterpret_cast<uint8_t *>((address + 63) & ~uintptr_t(63));
  }
  struct Line {
    uint64_t words[8];
  };
  std::vector<Line> storage;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_MEMORY_ALIGNEDBYTES_H
