//===- Mbarrier.h - mbarrier objects ----------------------------*- C++ -*-===//
//
// What happens to mbarrier objects, by their instructions and by asynchronous
// copies. The instructions themselves are in MbarrierInstructions.cpp.
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
/// Reports where a bulk copy is to arrive at an mbarrier whose initialisation the
/// asynchronous proxy may not see.
void checkShown(Warp &warp, const Instruction &instruction, uint32_t lane,
                const Block &block, uint32_t offset,
                const MbarrierState &state);
/// fence.mbarrier_init: what `lanes` of a warp have initialised is shown.
void showMbarriers(Warp &warp, uint32_t lanes);
/// Arrivals of an asynchronous operation: no thread's knowledge goes with them.
void arriveAsynchronously(Warp &warp, const Instruction &instruction,
                          Block &block, uint32_t offset, uint32_t count);
/// complete_tx: `bytes` of data have arrived.
void completeTransaction(Warp &warp, const Instruction &instruction,
                         Block &block, uint32_t offset, uint32_t bytes);

/// "the mbarrier at shared byte .."
std::string nameMbarrier(uint32_t offset);
/// Takes `count` arrivals off what the phase misses; reports too many.
void countArrivals(Warp &warp, const Instruction &instruction, uint32_t lane,
                   MbarrierState &state, uint32_t offset, uint32_t count);
/// Completes the phase if nothing is missing.
void completePhaseIfDone(Cluster &cluster, MbarrierState &state);
/// The count of bytes must stay within what the object holds.
void checkTransactions(Warp &warp, const Instruction &instruction,
                       uint32_t lane, const MbarrierState &state,
                       uint32_t offset);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_SYNCHRONIZATION_MBARRIER_H
