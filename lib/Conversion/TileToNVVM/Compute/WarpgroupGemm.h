//===- WarpgroupGemm.h - Matrix products of a warpgroup ---------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_WARPGROUPGEMM_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_WARPGROUPGEMM_H

#include "../ThreadEmitter.h"
#include "tile/Hardware/GemmPlan.h"

namespace mlir::tile {

/// Starts a product by `plan`, whose instruction is a warpgroup's, as a group of
/// its own. Gives the accumulators, which are in flight.
FailureOr<SmallVector<Value>>
startWarpgroupProduct(ThreadEmitter &emitter, MatrixProductOpInterface op,
                      const tilec::GemmPlan &plan);

/// Waits until at most `groups` of the products started last are in flight.
void waitForWarpgroupProducts(ThreadEmitter &emitter, int64_t groups);

/// The elements of a fragment of `type` whose `accumulators` have been waited
/// for.
SmallVector<Value> takeAccumulators(ThreadEmitter &emitter,
                                    ArrayRef<Value> accumulators,
                                    RankedTensorType type);

/// All three.
LogicalResult lowerWarpgroupProduct(ThreadEmitter &emitter,
                                    MatrixProductOpInterface op,
                                    const tilec::GemmPlan &plan);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_WARPGROUPGEMM_H
