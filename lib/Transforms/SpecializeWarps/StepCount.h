//===- StepCount.h - How often a loop goes round ----------------*- C++ -*-===//

#ifndef TILE_TRANSFORMS_SPECIALIZEWARPS_STEPCOUNT_H
#define TILE_TRANSFORMS_SPECIALIZEWARPS_STEPCOUNT_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tile {

/// How often `loop` goes round from `lower` to `upper` in steps of `step`, as an
/// index: values for its bounds and step, of its type. The distance between bounds
/// fits their type as an unsigned number, also where nothing else does.
Value emitStepCount(OpBuilder &builder, scf::ForOp loop, Value lower,
                    Value upper, Value step);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_SPECIALIZEWARPS_STEPCOUNT_H
