//===- ModuleTarget.cpp - The chip a module is compiled for ---------------===//

#include "tile/Analysis/ModuleTarget.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::tile;

FailureOr<const tilec::GpuTarget *> mlir::tile::getModuleTarget(Operation *op) {
  // The outermost module: kernels sit in a gpu.module inside it.
  Operation *module = op;
  while (module->getParentOp())
    module = module->getParentOp();
  auto helper = TileDialect::TargetAttrHelper(op->getContext());
  TargetAttr target = helper.getAttr(module);
  if (!target)
    return op->emitError("the module names no chip; run tile-set-target with "
                         "chip=<name> first, known: ")
           << tilec::getKnownTargetNames();
  const tilec::GpuTarget *row = tilec::findTarget(target.getChip().str());
  if (!row)
    return op->emitError("unknown chip '")
           << target.getChip() << "'; known: " << tilec::getKnownTargetNames();
  return row;
}
