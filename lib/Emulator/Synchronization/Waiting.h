//===- Waiting.h - When a waiting split may go on ---------------*- C++ -*-===//
//
// A split that waits says for what (Frame.h); the scheduler asks here whether
// that has come, and tells when threads have exited.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_SYNCHRONIZATION_WAITING_H
#define TILE_LIB_EMULATOR_SYNCHRONIZATION_WAITING_H

#include "../Machine/Machine.h"

namespace tilec::emu {

/// Whether a split of the warp's top frame can run now.
bool isReady(Warp &warp, Split &split);
/// Wakes threads that wait on an mbarrier with the answer "not yet", as the
/// hardware does after a while; false if that was tried enough.
bool wakePolling(Cluster &cluster);
/// Barriers that only waited for threads which have exited complete.
void threadsExited(Block &block);
/// Lets the threads go on that wait at the cluster's barrier if all that have not
/// exited have arrived there (PTX ISA, barrier.cluster).
void completeClusterBarrier(Cluster &cluster);
/// The mbarrier object at a shared address; null if there is none.
MbarrierState *findMbarrier(Block &block, uint32_t address);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_SYNCHRONIZATION_WAITING_H
