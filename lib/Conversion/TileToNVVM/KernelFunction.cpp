//===- KernelFunction.cpp - The function of a kernel ----------------------===//
//
// Two marks split the entry block of the function:
//
//     constants | prologue: what each thread computes once | body
//
//===----------------------------------------------------------------------===//

#include "KernelFunction.h"

#include "KernelABI.h"
#include "NoAlias.h"
#include "ThreadEmitter.h"

#include "tile/Dialect/Tile/Stages.h"

using namespace mlir;
using namespace mlir::tile;

/// Attributes of the kernel that the function keeps, and those it gets.
static void setKernelAttributes(gpu::GPUFuncOp kernel,
                                LLVM::LLVMFuncOp function, int64_t threads) {
  Builder builder(kernel.getContext());
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function->setAttr(
      NVVM::NVVMDialect::getReqntidAttrName(),
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
  for (StringRef name : {NVVM::NVVMDialect::getMinctasmAttrName(),
                         NVVM::NVVMDialect::getMaxnregAttrName()})
    if (Attribute attr = kernel->getAttr(name))
      function->setAttr(name, attr);
  if (auto cluster = kernel.getKnownClusterSize())
    function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                      builder.getDenseI32ArrayAttr(*cluster));
  setReachedStage(function, Stage::Threaded);
}

/// Splits the entry block, emits the body and removes the marks.
static LogicalResult emitBody(ThreadEmitter &emitter,
                              KernelSignature &signature,
                              LLVM::LLVMFuncOp function, int64_t threads) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  Type i1 = builder.getI1Type();
  Operation *endOfConstants = LLVM::PoisonOp::create(builder, loc, i1);
  Operation *endOfPrologue = LLVM::PoisonOp::create(builder, loc, i1);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  emitter.constantBuilder.setInsertionPoint(endOfConstants);

  builder.setInsertionPoint(endOfPrologue);
  auto range =
      LLVM::ConstantRangeAttr::get(builder.getContext(), 32, 0, threads);
  Value thread =
      NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type(), range);
  ThreadScope scope(emitter, emitter.target, thread, threads, endOfPrologue);
  emitter.setScope(scope);
  builder.setInsertionPoint(entry->getTerminator());
  signature.bind(function);
  LogicalResult emitted = emitter.emitBlock(emitter.kernel.getBody().front());
  endOfConstants->erase();
  endOfPrologue->erase();
  return emitted;
}

FailureOr<LLVM::LLVMFuncOp>
tile::emitKernelFunction(gpu::GPUFuncOp kernel, const tilec::GpuTarget &target,
                         const LoweringTable &table) {
  auto blockSize = kernel.getKnownBlockSize();
  if (!blockSize || blockSize->empty() || !kernel.getBody().hasOneBlock())
    return kernel.emitError("a kernel needs known_block_size and one block");
  int64_t threads = blockSize->front();

  ThreadEmitter emitter(kernel, target, table);
  KernelSignature signature(emitter);
  if (failed(signature.build(getUnaliasedArguments(kernel))))
    return failure();
  emitter.builder.setInsertionPoint(kernel);
  auto function = LLVM::LLVMFuncOp::create(
      emitter.builder, kernel.getLoc(), kernel.getName(), signature.getType(),
      LLVM::Linkage::External, /*dsoLocal=*/false, LLVM::CConv::C, {}, {},
      signature.getAttributes());
  setKernelAttributes(kernel, function, threads);
  if (failed(emitBody(emitter, signature, function, threads))) {
    function.erase();
    return failure();
  }
  return function;
}
