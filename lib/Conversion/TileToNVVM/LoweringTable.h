//===- LoweringTable.h - From an operation to its lowering ------*- C++ -*-===//
//
// Each family of operations registers its lowerings in a file of its own; a
// lowering is `LogicalResult lower(ThreadEmitter &, Op)`. It emits what one
// thread does for the operation and binds what stands for the results, or fails
// with an error at the operation.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_LOWERINGTABLE_H
#define TILE_LIB_CONVERSION_TILETONVVM_LOWERINGTABLE_H

#include "tile/Analysis/OperationTable.h"

namespace mlir::tile {

class ThreadEmitter;

class LoweringTable : public OperationTable<LogicalResult(ThreadEmitter &)> {
public:
  using Lowering = Rule;

  /// The table of all families.
  LoweringTable();

  /// The lowering of a dialect's operations that have none of their own.
  template <typename DialectT>
  void addDialect(const Lowering &lower) {
    addAll<DialectT>(lower);
  }

  /// Null where neither the operation nor its dialect has one.
  const Lowering *find(Operation *op) const;
};

// One function a family.
void registerAtomicLowerings(LoweringTable &table);
void registerBlockLowerings(LoweringTable &table);
void registerCastLowerings(LoweringTable &table);
void registerControlFlowLowerings(LoweringTable &table);
void registerConvertLayoutLowerings(LoweringTable &table);
void registerCopyLowerings(LoweringTable &table);
void registerDivisionLowerings(LoweringTable &table);
void registerElementLowerings(LoweringTable &table);
void registerElementwiseLowerings(LoweringTable &table);
void registerGemmLowerings(LoweringTable &table);
void registerIm2ColLowerings(LoweringTable &table);
void registerMathLowerings(LoweringTable &table);
void registerMemoryLowerings(LoweringTable &table);
void registerParallelLowerings(LoweringTable &table);
void registerPrintLowerings(LoweringTable &table);
void registerReduceLowerings(LoweringTable &table);
void registerRoleLowerings(LoweringTable &table);
void registerRingLowerings(LoweringTable &table);
void registerScalarAccessLowerings(LoweringTable &table);
void registerScanLowerings(LoweringTable &table);
void registerShapeLowerings(LoweringTable &table);
void registerSharedViewLowerings(LoweringTable &table);
void registerTurnLowerings(LoweringTable &table);
void registerViewLowerings(LoweringTable &table);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_LOWERINGTABLE_H
