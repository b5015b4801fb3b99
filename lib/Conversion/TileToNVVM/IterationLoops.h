//===- IterationLoops.h - Loops over a thread's iterations ------*- C++ -*-===//
//
// A thread runs the iterations of a `tile.parallel` that its registers stand for. Few
// are written out, one behind the other: their places are constants then, and LLVM
// joins what lies together. Many become loops over the digits of the register's number,
// around some that are written out:
//
//     register = [2 : (1), 48 : (256)]         6 loop steps of 2 * 8 iterations
//
//     for s in [0, 6):  coordinate = thread + register part + s * 8 * 256
//
// A digit cannot be counted where an iteration reads its own element of a fragment, which
// lies in a register: that has no number at run time. The same holds for all digits of a
// loop with results.
//
// Where the last step of a loop has iterations in padding, it stands behind the loop,
// so that those of the loop need no condition.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ITERATIONLOOPS_H
#define TILE_LIB_CONVERSION_TILETONVVM_ITERATIONLOOPS_H

#include "ThreadEmitter.h"

namespace mlir::tile {

/// A loop over the upper part of a digit.
struct DigitLoop {
  int dim;        ///< logical dimension that it steps along
  int64_t stride; ///< elements of a step
  int64_t steps;
  bool endsInPadding; ///< whether only its last step has padding
};

/// How a thread runs its iterations.
struct IterationPlan {
  SmallVector<DigitLoop> loops; ///< outermost first; none where all are written
  SmallVector<int64_t> registers; ///< those that a step writes out
};

/// What loops add to the coordinate along one dimension.
struct CountedPart {
  Value value;          ///< i32; null where no loop counts
  int64_t most = 0;     ///< the largest `value`
  int64_t constant = 0; ///< what is added besides
};

IterationPlan planIterations(ParallelOp op,
                             const tilec::FragmentLayout &layout);

/// Emits the loops of `plan`, and `body` with a part for each of `rank` dimensions where
/// a step runs: once without loops.
LogicalResult emitIterationLoops(
    ThreadEmitter &emitter, const IterationPlan &plan, int rank,
    llvm::function_ref<LogicalResult(ArrayRef<CountedPart>)> body);

/// Whether the iteration of register `reg` lies in the shape; null if always.
Value getIsInShape(ThreadEmitter &emitter, const tilec::FragmentLayout &layout,
                   int64_t reg, ArrayRef<CountedPart> parts);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ITERATIONLOOPS_H
