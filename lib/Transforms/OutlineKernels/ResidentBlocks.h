//===- ResidentBlocks.h - How many registers a kernel is to have -*- C++ -*-===//
//
// ptxas chooses how many registers a thread has without knowing how much dynamic
// shared memory a block takes: it saves them, at the cost of the order of
// instructions and of spills, for blocks that cannot be resident. Where shared memory
// admits few blocks, and the registers that the kernel is estimated to want no fewer,
// `.minnctapersm` says how many these are.
//
// What takes more registers than a thread can have is spilled in any case, and ptxas
// then tends to spill nearly all of it (32 or 64 registers a thread, twice the bytes).
// `.minnctapersm 1` makes it use all registers first.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_OUTLINEKERNELS_RESIDENTBLOCKS_H
#define TILE_TRANSFORMS_OUTLINEKERNELS_RESIDENTBLOCKS_H

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/GpuTarget.h"

namespace mlir::tile {

/// One where the fragments of a launch take more registers than a thread can have. Else,
/// of launches with products of warps, the blocks that a multiprocessor holds if shared
/// memory is what limits them and leaves at most 24 warps. Nothing for others, and for
/// launches that say their blocks, or a number of registers, themselves.
std::optional<int64_t> getResidentBlocks(LaunchOp launch,
                                         const tilec::GpuTarget &target);

/// Says where the fragments of a launch take more registers than a thread can have.
/// Those of roles are not counted.
void reportRegisters(LaunchOp launch, const tilec::GpuTarget &target);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_OUTLINEKERNELS_RESIDENTBLOCKS_H
