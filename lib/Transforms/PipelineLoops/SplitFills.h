//===- SplitFills.h - Fills as operations of their own ----------*- C++ -*-===//
//
// A fill under a condition or in an inner loop runs ahead only if it is apart
// from what uses it, and one that goes through registers only if its load is
// apart from its store:
//
//     scf.if %c { copy %m to %s; use %s }
//         ->  scf.if %c { copy %m to %s };  scf.if %c { use %s }
//     copy %m to %s  (through registers)
//         ->  %t = load %m;  store %t, %s
//
// Neither changes what the loop computes.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_SPLITFILLS_H
#define TILE_TRANSFORMS_PIPELINELOOPS_SPLITFILLS_H

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tile {

/// Whether `op` and what is in it do nothing but fill buffers and compute where.
bool isOnlyFills(Operation *op);

/// Whether `op` is only fills, some of whose ends are those of groups of copies.
bool isFillByGroups(Operation *op);

/// Puts the fills inside each operation of the body in front of what else the
/// operation does, where that is legal.
void separateFills(scf::ForOp loop, IRRewriter &rewriter);

/// Whether a parallel loop reads a buffer's elements from global memory and stores
/// each at its own place.
bool fillsByElements(ParallelOp parallel);

/// Makes fills that go through registers a load and a store, as far as there are
/// registers for what is loaded an iteration ahead.
void separateLoads(scf::ForOp loop, const tilec::GpuTarget &target,
                   IRRewriter &rewriter);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_SPLITFILLS_H
