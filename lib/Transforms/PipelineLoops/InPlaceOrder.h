//===- InPlaceOrder.h - A body in the order of its schedule -----*- C++ -*-===//
//
// The loop of a schedule in which nothing runs ahead stays as it is but for the
// order of its body: each operation moves to its place, behind what it needs.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_INPLACEORDER_H
#define TILE_TRANSFORMS_PIPELINELOOPS_INPLACEORDER_H

#include "ExpandSchedule.h"

namespace mlir::tile {

/// Puts the body of `loop` into `order`, whose operations have no lead and are
/// all that are not recomputed.
void orderInPlace(scf::ForOp loop, ArrayRef<ScheduledOp> order);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_INPLACEORDER_H
