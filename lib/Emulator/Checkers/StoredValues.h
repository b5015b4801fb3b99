//===- StoredValues.h - Stores of what memory holds -------------*- C++ -*-===//
//
// Two stores without an order are a race, whatever they store. Some compilers
// keep copies of a value in several warps and store them all, to one address:
// it does not matter which store is the last, and compute-sanitizer's racecheck
// is silent as well. LaunchOptions::allowEqualStores lets them do so, and the
// report of a race says where it would. A store hands its values to the checks
// of its addresses; a conflict that they find can be judged by them. Only
// stores of one block are: two blocks that write one address are a mistake more
// often than not.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_CHECKERS_STOREDVALUES_H
#define TILE_LIB_EMULATOR_CHECKERS_STOREDVALUES_H

#include "../Machine/Machine.h"

namespace tilec::emu {

/// The values of a store that is about to be performed.
struct PendingStore {
  const uint8_t *registers[8]; ///< Of each element: 32 lanes.
  uint32_t registerBytes, elementBytes, elements;
  const uint64_t *addresses; ///< Of 32 lanes.
};

/// Whether a conflict, on shared memory of block `rank` or on global memory
/// with rank -1, is between two stores of one block of which the later one
/// writes what memory holds.
bool storesWhatIsThere(Warp &warp, const Conflict &conflict, int rank);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_CHECKERS_STOREDVALUES_H
