//===- LLVMPipeline.cpp - From structured control flow to LLVM ------------===//
//
// What is left once kernels are functions of a thread is upstream's business.
//
//===----------------------------------------------------------------------===//

#include "tile/Conversion/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void tile::buildConvertToLLVMPipeline(OpPassManager &passManager,
                                      int64_t prefetchBytes,
                                      bool rotatesLoops) {
  // All on single kernels, which run beside one another.
  OpPassManager &kernels =
      passManager.nest<gpu::GPUModuleOp>().nest<LLVM::LLVMFuncOp>();
  kernels.addPass(createPredicateCopies({prefetchBytes}));
  kernels.addPass(createCSEPass());
  if (rotatesLoops)
    kernels.addPass(createRotateLoops());
  kernels.addPass(createFlattenControlFlow());
  ConvertToLLVMPassOptions options;
  options.filterDialects = {"arith", "cf", "nvvm"};
  kernels.addPass(createConvertToLLVMPass(options));
  // LLVM, whose optimisation begins with that, simplifies what the conversion makes.
}

void tile::registerConvertToLLVMInterfaces(DialectRegistry &registry) {
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
}
