//===- TileToNVVM.cpp - From a kernel over tiles to one thread's function -===//
//
// Requires kernels at *outlined*, establishes *threaded*: every `gpu.func`
// kernel becomes an `llvm.func` that each thread of the block runs.
//
//     RingCounters     numbers of uses of rings, in one register each
//     KernelFunction   the function: parameters (KernelABI, NoAlias), prologue
//     ThreadEmitter    the body, operation by operation (LoweringTable)
//     Access/          what moves data, Compute/ what computes
//     LLVMPipeline     upstream's passes that finish the job
//
//===----------------------------------------------------------------------===//

#include "KernelFunction.h"
#include "RingCounters.h"

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Conversion/Passes.h"
#include "tile/Dialect/Tile/StageContract.h"

#define DEBUG_TYPE "convert-tile-to-nvvm"

namespace mlir::tile {
#define GEN_PASS_DEF_CONVERTTILETONVVM
#include "tile/Conversion/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// What was inlined outside of kernels, in host functions and helpers, forgets
/// its call sites: upstream's pass that gives call sites their debug scopes
/// takes every operation that has one to stand in an llvm.func.
static void forgetCallSitesOfHost(Operation *root) {
  root->walk([](Operation *op) {
    Location location = op->getLoc();
    if (op->getParentOfType<LLVM::LLVMFuncOp>())
      return;
    while (auto callSite = dyn_cast<CallSiteLoc>(location))
      location = callSite.getCallee();
    op->setLoc(location);
  });
}

namespace {
struct ConvertTileToNVVMPass final
    : tile::impl::ConvertTileToNVVMBase<ConvertTileToNVVMPass> {
  void runOnOperation() override {
    SmallVector<gpu::GPUFuncOp> kernels;
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      if (kernel.isKernel())
        kernels.push_back(kernel);
    });
    LoweringTable table;
    for (gpu::GPUFuncOp kernel : kernels) {
      FailureOr<const tilec::GpuTarget *> target = getModuleTarget(kernel);
      if (failed(target) || failed(verifyRequiredStage(kernel, getArgument())))
        return signalPassFailure();
      narrowRingCounters(kernel);
      if (failed(emitKernelFunction(kernel, **target, table)))
        return signalPassFailure();
      kernel.erase();
    }
    forgetCallSitesOfHost(getOperation());
  }
};
} // namespace
