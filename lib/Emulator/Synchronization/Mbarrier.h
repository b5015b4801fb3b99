//===- Mbarrier.h - mbarrier objects ----------------------------*- C++ -*-===//
//
// What asynchronous copies need from mbarrier objects; the instructions on them
// are in Mbarrier.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_SYNCHRONIZATION_MBARRIER_H
#define TILE_LIB_EMULATOR_SYNCHRONIZATION_MBARRIER_H

#include "../Machine/Machine.h"
#include "Waiting.h"

namespace tilec::emu {

/// The initialised mbarrier at `offset` of `block`, or null after a report.
MbarrierState *requireMbarrier(Warp &warp, const Instruction &instruction,
                               uint32_t lane, Block *block, uint32_t offset,
                               uint64_t address);
/// Arrivals of an asynchronous operation: no thread's knowledge goes with them.
void arriveAsynchronously(Warp &warp, const Instruction &instruction,
                          Block &block, uint32_t offset, uint32_t count);
/// complete_tx: `bytes` of data have arrived.
void completeTransaction(Warp &warp, const Instruction &instruction,
                         Block &block, uint32_t offset, uint32_t bytes);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_SYNCHRONIZATION_MBARRIER_H
