//===- CopiesByThreads.h - Bulk copies that threads make --------*- C++ -*-===//
//
// Layouts choose bulk copies before loops are pipelined. Where a ring cannot
// have one, the threads of the launch copy, with a remark that says why.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_COPIESBYTHREADS_H
#define TILE_TRANSFORMS_PIPELINELOOPS_COPIESBYTHREADS_H

#include "LoopPlan.h"

#include "tile/Analysis/IndexFacts.h"

namespace mlir::tile {

/// A copy that threads make after all, and why.
struct DroppedBulkCopy {
  TensorCopyOpInterface copy;
  std::string reason;
};

/// Lets threads make `copy`, as wide as both sides let each of them, without
/// registers if it can be.
void copyByThreads(TensorCopyOpInterface copy, IndexFacts &facts);

/// Whether of what `writers` write to `buffer` only some is counted at mbarriers.
bool mixesBulkCopies(ArrayRef<Operation *> writers, AllocOp buffer);

/// Lets threads make the bulk copies to slots of `plan` that are filled in other
/// ways, too: mbarriers would count the bulk copies alone. Returns them.
SmallVector<DroppedBulkCopy> unmixFills(const LoopPlan &plan);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_COPIESBYTHREADS_H
