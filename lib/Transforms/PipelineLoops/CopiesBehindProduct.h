//===- CopiesBehindProduct.h - Copies ahead do not hold up products -*- C++ -*-=//
//
// What runs ahead would be issued at the head of a step, where all threads have met
// and every operand of the step's first product is still to be loaded. Behind that
// product, of which `tile-split-first-product` has left one step of K, copies are
// issued while it is under way.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_COPIESBEHINDPRODUCT_H
#define TILE_TRANSFORMS_PIPELINELOOPS_COPIESBEHINDPRODUCT_H

#include "LoopStatements.h"

namespace mlir::tile {

/// `order`, the statements in the order of a step of `schedule`, with asynchronous
/// copies that run ahead directly behind the first product of warps; as it is where
/// `problem` forbids that, or that product has several steps of K.
SmallVector<int> issueBehindProduct(const LoopStatements &statements,
                                    const tilec::schedule::Problem &problem,
                                    const tilec::schedule::Schedule &schedule,
                                    ArrayRef<int> order);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_COPIESBEHINDPRODUCT_H
