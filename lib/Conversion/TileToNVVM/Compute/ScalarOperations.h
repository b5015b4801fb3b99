//===- ScalarOperations.h - Operations that need care -----------*- C++ -*-===//
//
// What `emitScalarOperation` (Elementwise.cpp) sends elsewhere: each emits `op`
// on scalars of a thread, whatever the operands of `op` itself are.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_SCALAROPERATIONS_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_SCALAROPERATIONS_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// An integer division or remainder (Division.cpp).
Value emitDivision(ThreadEmitter &emitter, Operation *op, Value dividend,
                   Value divisor);

/// A function of `math`, or `arith.remf` (Math.cpp).
FailureOr<Value> emitMath(ThreadEmitter &emitter, Operation *op,
                          ValueRange operands);

/// A conversion of `arith` (Cast.cpp).
FailureOr<Value> emitCast(ThreadEmitter &emitter, Operation *op, Value operand);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_SCALAROPERATIONS_H
