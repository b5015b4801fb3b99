//===- WgmmaGroup.h - Groups of wgmma of a warpgroup ------------*- C++ -*-===//
//
// Four warps execute a wgmma, each at its own time. When is it complete, and
// for whom? The PTX ISA has wgmma.mma_async "perform matrix
// multiply-and-accumulate operation across warpgroup" and wgmma.commit_group
// "creates a new wgmma-group per warpgroup"; a thread waits in wgmma.wait_group
// until the groups "are complete". So a group is one for the four warps, and
// complete is complete for all of them (WgmmaCompletion::Warpgroup):
//   - the wait of one warp ends when all four have committed the group,
//   - who is ordered behind the wait of any lane of the four warps is ordered
//     behind all reads of shared memory by the group's products.
// Kernels rely on it where one thread of a warp, or of the warpgroup, releases
// a slot behind its wait. The strict reading (WgmmaCompletion::Warp) has every
// warp wait for its own part alone: such a thread then speaks for itself.
//
// Accumulators are registers of their own warp: nothing here is about them.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_ASYNC_WGMMAGROUP_H
#define TILE_LIB_EMULATOR_ASYNC_WGMMAGROUP_H

#include "../Machine/Machine.h"

namespace tilec::emu {

/// Lets the reads of `row` complete with group `group` of the warpgroup of
/// `warp`, which has a log (Warpgroup.h).
void bindToWarpgroup(Warp &warp, uint32_t row, uint64_t group);
/// Whether all warps of the warpgroup that have not ended have committed
/// `group`.
bool hasWarpgroupCommitted(const Warp &warp, uint64_t group);
/// The lanes of `warp` have waited for `group` and those before.
void learnCompletion(Warp &warp, uint64_t group);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_ASYNC_WGMMAGROUP_H
