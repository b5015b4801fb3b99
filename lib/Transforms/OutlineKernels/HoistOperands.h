//===- HoistOperands.h - Operands that a loop does not change ---*- C++ -*-===//
//
// What attention multiplies with every tile of keys is the same in each iteration, and
// `ldmatrix` brings it anew each time. Where a thread has the registers, it is loaded
// once:
//
//     scf.for ..                            tile.copy_wait
//       tile.copy_wait                      tile.barrier
//       tile.barrier                        %a = tile.load %as
//       tile.gemm %as, %slot         ->     scf.for ..
//                                             tile.copy_wait
//                                             tile.barrier
//                                             tile.gemm %a, %slot
//
// What the first iteration waits for is waited for in front of the loop, behind the
// copies that run ahead of it: a load further in front would wait for its own copy
// before these are issued.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_OUTLINEKERNELS_HOISTOPERANDS_H
#define TILE_TRANSFORMS_OUTLINEKERNELS_HOISTOPERANDS_H

#include "tile/Analysis/IndexFacts.h"
#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/GpuTarget.h"

namespace mlir::tile {

/// Loads operand A of products of warps in front of loops that do not write it, if it
/// lies in shared memory behind the waits and the barrier with which an iteration
/// begins, comes by `ldmatrix`, and a multiprocessor holds as many blocks with it in
/// registers as without. Says so, and where the registers are missing. Not in launches
/// with roles.
void hoistOperands(LaunchOp launch, const tilec::GpuTarget &target,
                   IndexFacts &facts);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_OUTLINEKERNELS_HOISTOPERANDS_H
