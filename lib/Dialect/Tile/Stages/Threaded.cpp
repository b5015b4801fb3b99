//===- Threaded.cpp - Stage `threaded` ------------------------------------===//
//
// A kernel is per-thread code in an `llvm.func`: no tile operation is left, and
// the attributes that ptxas needs to know the block are there. Established by
// convert-tile-to-nvvm.
//
//===----------------------------------------------------------------------===//

#include "StagePredicates.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::tile;

LogicalResult tile::verifyThreaded(const StagedCode &code) {
  auto kernel = dyn_cast<LLVM::LLVMFuncOp>(code.owner);
  if (!kernel)
    return emitStageError(code.owner, Stage::Threaded)
           << "it is not an 'llvm.func'";
  for (StringRef name : {NVVM::NVVMDialect::getKernelFuncAttrName(),
                         NVVM::NVVMDialect::getReqntidAttrName()})
    if (!kernel->hasAttr(name))
      return emitStageError(kernel, Stage::Threaded)
             << "it has no '" << name << "'";
  return code.forEach([](Operation *op) -> LogicalResult {
    if (isa_and_nonnull<TileDialect>(op->getDialect()))
      return emitStageError(op, Stage::Threaded)
             << "no tile operation is left in a kernel";
    return success();
  });
}
