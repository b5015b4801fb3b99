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

#include "mlir/IR/Operation.h"

#include <functional>

namespace mlir::tile {

class ThreadEmitter;

class LoweringTable {
public:
  using Lowering = std::function<LogicalResult(ThreadEmitter &, Operation *)>;

  /// The table of all families.
  LoweringTable();

  template <typename OpT>
  void add(LogicalResult (*lower)(ThreadEmitter &, OpT)) {
    lowerings[TypeID::get<OpT>()] = [lower](ThreadEmitter &emitter,
                                            Operation *op) {
      return lower(emitter, cast<OpT>(op));
    };
  }
  /// The same lowering for several operations.
  template <typename... OpTs>
  void addAll(const Lowering &lower) {
    ((lowerings[TypeID::get<OpTs>()] = lower), ...);
  }
  /// The lowering of a dialect's operations that have none of their own.
  template <typename... DialectTs>
  void addDialects(LogicalResult (*lower)(ThreadEmitter &, Operation *)) {
    ((lowerings[TypeID::get<DialectTs>()] = lower), ...);
  }

  /// Null where the operation has none.
  const Lowering *find(Operation *op) const;

private:
  llvm::DenseMap<TypeID, Lowering> lowerings;
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
void registerScalarAccessLowerings(LoweringTable &table);
void registerScanLowerings(LoweringTable &table);
void registerShapeLowerings(LoweringTable &table);
void registerSharedViewLowerings(LoweringTable &table);
void registerViewLowerings(LoweringTable &table);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_LOWERINGTABLE_H
