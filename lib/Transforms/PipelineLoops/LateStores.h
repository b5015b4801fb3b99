//===- LateStores.h - Fills through registers -------------------*- C++ -*-===//
//
// A buffer that is filled through registers is loaded, perhaps computed, and
// stored:
//
//     %x = tile.load %m           at the head of a step
//     %y = arith.extf %x          behind the computation of the step
//     tile.store %y, %s           behind the computation of the step
//
// so that the latency of the load is hidden by the computation between.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_LATESTORES_H
#define TILE_TRANSFORMS_PIPELINELOOPS_LATESTORES_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::tile {

/// What a store of loaded values takes along: operations of its block, each of
/// no use to any other.
struct LateStore {
  SmallVector<Operation *> loads;   ///< from global memory
  SmallVector<Operation *> between; ///< computation on what they load
};

/// What `op`, a store to shared memory or a condition of nothing but stores,
/// takes along; nothing where it stores more than what was loaded for it.
std::optional<LateStore> matchLateStore(Operation *op);

/// Whether a fragment is computed element by element from loads of global memory
/// in `block` alone, whatever else uses what is loaded.
bool isComputedFromLoads(Value fragment, Block *block);

/// Whether `op` only computes on what is loaded for a late store.
bool isBetweenLoadAndStore(Operation *op);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_LATESTORES_H
