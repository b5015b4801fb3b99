//===- Warpgroup.h - What four warps must do together -----------*- C++ -*-===//
//
// wgmma.mma_async and setmaxnreg belong to a warpgroup: its four warps must
// execute the same ones, with the same operands, in the same order, though each
// at its own time. A log for each warpgroup holds what some of its warps have
// executed and others not yet.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_SYNCHRONIZATION_WARPGROUP_H
#define TILE_LIB_EMULATOR_SYNCHRONIZATION_WARPGROUP_H

#include "../Machine/Machine.h"

namespace tilec::emu {

/// The log of the warp's group; null, after a report, if the block has no four
/// warps for it.
WarpgroupLog *findWarpgroup(Warp &warp, const Instruction &instruction);
/// Notes that `warp` executes `instruction` and reports if its warpgroup does
/// not do so together.
void executeInWarpgroup(Warp &warp, const Instruction &instruction,
                        std::array<uint64_t, 2> operands);
/// A warp has come to its end.
void endInWarpgroup(Warp &warp);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_SYNCHRONIZATION_WARPGROUP_H
