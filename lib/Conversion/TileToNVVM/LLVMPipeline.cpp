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
  OpPassManager &kernels = passManager.nest<gpu::GPUModuleOp>();
  OpPassManager &structured = kernels.nest<LLVM::LLVMFuncOp>();
  structured.addPass(createPredicateCopies({prefetchBytes}));
  structured.addPass(createCSEPass());
  if (rotatesLoops)
    structured.addPass(createRotateLoops());
  structured.addPass(createFlattenControlFlow());
  ConvertToLLVMPassOptions options;
  options.filterDialects = {"arith", "cf", "nvvm"};
  kernels.addPass(createConvertToLLVMPass(options));
  kernels.addPass(createReconcileUnrealizedCastsPass());
  OpPassManager &lowered = kernels.nest<LLVM::LLVMFuncOp>();
  lowered.addPass(createCanonicalizerPass());
  lowered.addPass(createCSEPass());
}

void tile::registerConvertToLLVMInterfaces(DialectRegistry &registry) {
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
}
