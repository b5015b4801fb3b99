//===- SerializeKernels.cpp - gpu.module to gpu.binary --------------------===//
//
// Requires threaded kernels in the llvm and nvvm dialects; what it leaves is
// host code and, for each `gpu.module`, a `gpu.binary` with PTX.
//
// Our own pass rather than upstream's gpu-module-to-binary, which has no place
// to mark inline assembly convergent and validates neither chip nor PTX
// version.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Target/PTX/Passes.h"
#include "tile/Target/PTX/SerializeToPtx.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

#define DEBUG_TYPE "tile-serialize-kernels"

namespace mlir::tile {
#define GEN_PASS_DEF_SERIALIZEKERNELS
#include "tile/Target/PTX/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// Checks that the kernels of `module` are functions of one thread.
static LogicalResult verifyThreaded(gpu::GPUModuleOp module) {
  for (gpu::GPUFuncOp kernel : module.getOps<gpu::GPUFuncOp>()) {
    InFlightDiagnostic error = kernel.emitError(
        DEBUG_TYPE " needs a kernel at stage 'threaded', this one is at "
                   "'outlined'");
    error.attachNote() << "the pass to run on it next is convert-tile-to-nvvm";
    return error;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Replaces a kernel module by a binary of the same name that holds its PTX.
static LogicalResult serializeModule(gpu::GPUModuleOp module,
                                     const tilec::GpuTarget &target,
                                     const SerializeOptions &options) {
  FailureOr<SerializedModule> texts = serializeToPtx(module, target, options);
  if (failed(texts))
    return failure();
  OpBuilder builder(module);
  auto targetAttr = NVVM::NVVMTargetAttr::get(
      module.getContext(), options.optLevel, "nvptx64-nvidia-cuda", target.name,
      tilec::getPtxFeature(target.defaultPtxVersion));
  auto object = gpu::ObjectAttr::get(
      module.getContext(), targetAttr, gpu::CompilationTarget::Assembly,
      builder.getStringAttr(texts->ptx), /*properties=*/DictionaryAttr(),
      /*kernels=*/gpu::KernelTableAttr());
  gpu::BinaryOp::create(builder, module.getLoc(), module.getName(),
                        /*offloadingHandler=*/nullptr,
                        ArrayRef<Attribute>{object});
  module.erase();
  return success();
}

LogicalResult tile::serializeKernels(ModuleOp module,
                                     const tilec::GpuTarget &target,
                                     const SerializeOptions &options) {
  for (gpu::GPUModuleOp kernels :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
    if (failed(verifyThreaded(kernels)) ||
        failed(serializeModule(kernels, target, options)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct SerializeKernels final
    : tile::impl::SerializeKernelsBase<SerializeKernels> {
  using SerializeKernelsBase::SerializeKernelsBase;

  void runOnOperation() override {
    if (getOperation().getOps<gpu::GPUModuleOp>().empty())
      return;
    FailureOr<const tilec::GpuTarget *> target =
        getModuleTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    SerializeOptions options;
    options.optLevel = optLevel;
    options.libdevicePath = libdevice;
    options.searchToolkits = searchToolkits;
    if (failed(serializeKernels(getOperation(), **target, options)))
      signalPassFailure();
  }
};

} // namespace
