//===- ModuleTarget.cpp - The chip a module is compiled for ---------------===//

#include "tile/Analysis/ModuleTarget.h"

#include "tile/Hardware/MatrixInstruction.h"

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
    return op->emitError(tilec::describeUnknownTarget(target.getChip().str()));
  return row;
}

bool mlir::tile::copiesInBulk(const tilec::GpuTarget &target) {
  using enum tilec::ElementKind;
  return target.hasBulkTensorCopy &&
         !tilec::findMatrixInstructions(target, F16, F16, F32,
                                        /*ptxVersion=*/0,
                                        tilec::Participants::Warpgroup)
              .empty();
}

LogicalResult mlir::tile::verifyChip(ModuleOp module, StringRef chip) {
  TargetAttr target =
      TileDialect::TargetAttrHelper(module.getContext()).getAttr(module);
  if (chip.empty() || !target || target.getChip() == chip)
    return success();
  return mlir::emitError(module.getLoc(), "the module is already meant for '")
         << target.getChip() << "', not for '" << chip
         << "'; leave the chip out, or compile from a source that names "
            "none";
}
