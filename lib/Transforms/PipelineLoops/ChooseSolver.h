//===- ChooseSolver.h - Which solver's schedule a loop gets -----*- C++ -*-===//
//
// The ahead solver runs what it is told to ahead and knows no cycles. The modulo
// solver moves anything, as its latencies ask and registers and shared memory
// allow (docs/Scheduling.md). Both are judged by the same prediction, and the
// modulo schedule is taken where it is clearly the faster one:
//
//     x = load A            iteration   ahead       modulo
//     i = toInteger(2 * x)  two later               x
//     y = load B[i]         one later   x           i, y
//     use y                 this one    i, y, use   use
//
// What cannot be moved in code is left out here: loops that hold a buffer for
// what stands behind them, operations that make memrefs or tokens, inner loops
// with rings of their own.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_CHOOSESOLVER_H
#define TILE_TRANSFORMS_PIPELINELOOPS_CHOOSESOLVER_H

#include "LoopPlan.h"

namespace mlir::tile {

/// Puts the modulo schedule of at most `stages` stages in the place of `plan`,
/// whose schedule is `ahead`, where it is predicted to be faster, and says in
/// `plan.choice` what was compared.
void chooseSolver(scf::ForOp loop, int64_t stages,
                  const tilec::GpuTarget &target, const ArenaProblem &arena,
                  const LoopStatements &statements,
                  const tilec::schedule::Schedule &ahead, LoopPlan &plan);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_CHOOSESOLVER_H
