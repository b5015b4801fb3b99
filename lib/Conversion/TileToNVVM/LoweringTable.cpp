//===- LoweringTable.cpp - From an operation to its lowering --------------===//

#include "LoweringTable.h"

using namespace mlir;
using namespace mlir::tile;

LoweringTable::LoweringTable() {
  registerAtomicLowerings(*this);
  registerBlockLowerings(*this);
  registerCastLowerings(*this);
  registerControlFlowLowerings(*this);
  registerConvertLayoutLowerings(*this);
  registerCopyLowerings(*this);
  registerDivisionLowerings(*this);
  registerElementLowerings(*this);
  registerElementwiseLowerings(*this);
  registerGemmLowerings(*this);
  registerIm2ColLowerings(*this);
  registerMathLowerings(*this);
  registerMemoryLowerings(*this);
  registerParallelLowerings(*this);
  registerPrintLowerings(*this);
  registerReduceLowerings(*this);
  registerRoleLowerings(*this);
  registerRingLowerings(*this);
  registerScalarAccessLowerings(*this);
  registerScanLowerings(*this);
  registerShapeLowerings(*this);
  registerSharedViewLowerings(*this);
  registerTurnLowerings(*this);
  registerViewLowerings(*this);
}

const LoweringTable::Lowering *LoweringTable::find(Operation *op) const {
  const Lowering *own = OperationTable::find(op);
  return own || !op->getDialect()
             ? own
             : OperationTable::find(op->getDialect()->getTypeID());
}
