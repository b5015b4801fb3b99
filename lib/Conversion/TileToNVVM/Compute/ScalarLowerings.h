//===- ScalarLowerings.h - Operations register by register ------*- C++ -*-===//
//
// An operation on fragments is the same operation on each register; one on
// scalars is itself. A family says how its operations are emitted once, on
// scalars of a thread, by one row an operation in the table of lowerings:
//
//     addScalar<arith::DivUIOp>(table, emitUnsignedQuotient);
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_SCALARLOWERINGS_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_SCALARLOWERINGS_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// Emits `op` once, on `operands`, which are scalars of a thread, or pairs of them,
/// whatever the operands of `op` itself are.
using ScalarLowering = std::function<FailureOr<Value>(
    ThreadEmitter &, Operation *op, ValueRange operands)>;

/// Emits `op`, of one result, for each register of it and binds the result.
LogicalResult lowerElementwise(ThreadEmitter &emitter, Operation *op,
                               const ScalarLowering &lower);

/// As `lowerElementwise`; neighbouring registers of f16 and bf16 are emitted in pairs,
/// vectors of two, for which there are instructions that round each as alone.
LogicalResult lowerInPairs(ThreadEmitter &emitter, Operation *op,
                           const ScalarLowering &lower);

/// A row of the table: `lower` emits each of the operations, in pairs where that is
/// possible.
template <typename... OpTs>
void addPaired(LoweringTable &table, ScalarLowering lower) {
  table.addAll<OpTs...>(
      [lower = std::move(lower)](ThreadEmitter &emitter, Operation *op) {
        return lowerInPairs(emitter, op, lower);
      });
}

/// A row of the table: `lower` emits each of the operations.
template <typename... OpTs>
void addScalar(LoweringTable &table, ScalarLowering lower) {
  table.addAll<OpTs...>(
      [lower = std::move(lower)](ThreadEmitter &emitter, Operation *op) {
        return lowerElementwise(emitter, op, lower);
      });
}

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_SCALARLOWERINGS_H
