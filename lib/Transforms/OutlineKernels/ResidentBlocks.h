//===- ResidentBlocks.h - How many registers a kernel is to have -*- C++ -*-===//
//
// ptxas chooses how many registers a thread has without knowing how much dynamic
// shared memory a block takes: it saves them, at the cost of the order of
// instructions and of spills, for blocks that cannot be resident. Where shared memory
// admits few blocks, and the registers that the kernel is estimated to want no fewer,
// `.minnctapersm` says how many these are.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_OUTLINEKERNELS_RESIDENTBLOCKS_H
#define TILE_TRANSFORMS_OUTLINEKERNELS_RESIDENTBLOCKS_H

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/GpuTarget.h"

namespace mlir::tile {

/// The blocks of a launch that a multiprocessor holds if shared memory is what limits
/// them and leaves at most 24 warps; nothing for launches that say their blocks, or a
/// number of registers, themselves, and for those without products of warps, whose
/// registers are not estimated.
std::optional<int64_t> getResidentBlocks(LaunchOp launch,
                                         const tilec::GpuTarget &target);

/// Says where the fragments of a launch take more registers than a thread can have.
/// Those of roles are not counted.
void reportRegisters(LaunchOp launch, const tilec::GpuTarget &target);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_OUTLINEKERNELS_RESIDENTBLOCKS_H
