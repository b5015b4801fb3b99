//===- LookAhead.h - Iterations some steps ahead ----------------*- C++ -*-===//
//
// Copies that run ahead belong to iterations that may not exist: with `lower`,
// `upper` and `step` of the loop, iteration `from` has one n steps after it if
//
//     from + n * step < upper
//
// over the integers. In the type of the loop the sum may wrap, and then an
// iteration that does not exist would look like one. Where the known ranges
// exclude that, the sum is compared as it stands. Elsewhere distances are
// compared, which always fit the type as unsigned numbers:
//
//     at the start      lower < upper  and  upper - lower > n * step
//     in the loop       from < limit
//     before it         limit = upper - lower > n * step ? upper - n * step
//                                                        : lower
//
// so that the loop itself has one comparison either way.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_LOOKAHEAD_H
#define TILE_TRANSFORMS_PIPELINELOOPS_LOOKAHEAD_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tile {

/// An iteration and whether the loop has it; its number means something only
/// then.
struct Iteration {
  Value number, exists;
};

/// The iteration `steps` after the first. `builder` stands before the loop.
Iteration getIterationFromStart(scf::ForOp loop, int64_t steps,
                                OpBuilder &builder);

/// The first number of an iteration that has none `steps` after it, or null
/// where sums do not wrap. `builder` stands before the loop.
Value getLimit(scf::ForOp loop, int64_t steps, OpBuilder &builder);

/// The iteration `steps` after the one that runs, with the `limit` for so many
/// steps. `builder` stands in the loop.
Iteration getIterationAhead(scf::ForOp loop, int64_t steps, Value limit,
                            OpBuilder &builder);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_LOOKAHEAD_H
