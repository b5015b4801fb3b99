//===- LoneOrder.h - Copies of one slot before those ahead ------*- C++ -*-===//
//
// Groups of copies complete in the order in which they are issued. A copy into a
// buffer that keeps one slot is used in its own step; behind copies that run ahead
// it would be waited for with all of these. In front of them
//
//     step   copy %lone, iteration i          waited for in this step
//            copy %slot, iteration i + 2      stays in flight
//
// it is not (LoneGroups.h), as far as what it needs may go in front with it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_LONEORDER_H
#define TILE_TRANSFORMS_PIPELINELOOPS_LONEORDER_H

#include "LoopStatements.h"

namespace mlir::tile {

/// The statements in the order of a step of `plan`, with asynchronous copies that do
/// not run ahead in front of those that do, each where `problem` allows it.
SmallVector<int> issueLoneCopiesFirst(const LoopStatements &statements,
                                      const tilec::schedule::Problem &problem,
                                      const tilec::schedule::AheadPlan &plan);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_LONEORDER_H
