//===- Random.h - Repeatable random numbers ---------------------*- C++ -*-===//
//
// Launches with a seed choose orders at random; the same seed chooses the same.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MACHINE_RANDOM_H
#define TILE_LIB_EMULATOR_MACHINE_RANDOM_H

#include <cstdint>

namespace tilec::emu {

/// Xorshift needs a state that is not zero.
inline uint64_t seedRandom(uint64_t seed) {
  seed += 0x9e3779b97f4a7c15ull;
  seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9ull;
  seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebull;
  return (seed ^ (seed >> 31)) | 1;
}

/// Xorshift (Marsaglia, 2003): advances the state and returns it.
inline uint64_t nextRandom(uint64_t &state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_MACHINE_RANDOM_H
