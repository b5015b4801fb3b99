//===- SyncLocations.h - Knowledge published at locations -------*- C++ -*-===//
//
// Flags and semaphores: memory locations that strong accesses synchronise at. A
// release adds what it knows to the location, an acquire takes what is within
// its scope (Ordering.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_CHECKERS_SYNCLOCATIONS_H
#define TILE_LIB_EMULATOR_CHECKERS_SYNCLOCATIONS_H

#include "Shadow.h"
#include "VectorClock.h"

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace tilec::emu {

struct SyncLocations {
  struct Entry {
    Knowledge knowledge;
    Scope scope = Scope::Cta;
    uint64_t block = 0;
    uint32_t cluster = 0;
  };
  std::mutex mutex;
  std::unordered_map<uint64_t, std::vector<Entry>> entries;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_CHECKERS_SYNCLOCATIONS_H
