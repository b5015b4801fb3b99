//===- KernelFunction.cpp - The function of a kernel ----------------------===//
//
// Two marks split the entry block of the function:
//
//     constants | prologue: what each thread computes once | body
//
//===----------------------------------------------------------------------===//

#include "KernelFunction.h"

#include "Access/CommonWords.h"
#include "KernelABI.h"
#include "NoAlias.h"
#include "ThreadEmitter.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/Stages.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

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

//===----------------------------------------------------------------------===//
// Programmatic dependent launch
//===----------------------------------------------------------------------===//

static bool mayStartEarly(gpu::GPUFuncOp kernel) {
  return TileDialect::ProgrammaticDependentLaunchAttrHelper(kernel.getContext())
      .isAttrPresent(kernel);
}

/// Whether `op` is for the block alone: it computes, or makes or touches shared
/// memory and nothing else.
static bool isSetup(Operation &op) {
  SmallVector<BlockAccess> accesses = getBlockAccesses(&op);
  return isMemoryEffectFree(&op) ||
         hasSingleEffect<MemoryEffects::Allocate>(&op) ||
         (!accesses.empty() &&
          llvm::all_of(accesses, [](const BlockAccess &access) {
            return access.isShared();
          }));
}

/// The end of what a kernel that starts early does before the launches in front
/// of it have ended: it makes its rings, for instance.
static Block::iterator findEndOfSetup(Block &body) {
  return llvm::find_if_not(body.without_terminator(), isSetup);
}

/// Waits for the launches in front, then lets the next one start, which waits for
/// the end of this one in its turn. Not by LLVM's intrinsics: these touch no
/// memory, so that a load may be moved above the wait.
static void emitDependencies(ThreadEmitter &emitter) {
  for (StringRef text :
       {"griddepcontrol.wait;", "griddepcontrol.launch_dependents;"})
    emitter.emitAssembly(text, "~{memory}", Type(), {});
}

static LogicalResult emitOperations(ThreadEmitter &emitter) {
  Block &body = emitter.kernel.getBody().front();
  if (!mayStartEarly(emitter.kernel))
    return emitter.emitBlock(body);
  Block::iterator access = findEndOfSetup(body);
  if (failed(emitter.emitOperations(llvm::make_range(body.begin(), access))))
    return failure();
  emitDependencies(emitter);
  return emitter.emitOperations(
      llvm::make_range(access, body.getTerminator()->getIterator()));
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static bool hasProduct(gpu::GPUFuncOp kernel) {
  return kernel
      .walk([](MatrixProductOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
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
  // Loops of products have no register for it.
  if (!hasProduct(emitter.kernel))
    scope.setNumbersThreads();
  emitter.setScope(scope);
  builder.setInsertionPoint(entry->getTerminator());
  signature.bind(function);
  LogicalResult emitted = emitOperations(emitter);
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
  // The launch in front may write, while this one runs, what this one only reads.
  SmallVector<bool> unaliased(kernel.getNumArguments(), false);
  if (!mayStartEarly(kernel))
    unaliased = getUnaliasedArguments(kernel);
  if (failed(signature.build(unaliased)))
    return failure();
  emitter.isUnaliased = std::move(unaliased);
  emitter.hasSingleStores = storesSingleElements(emitter);
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
