//===- TileToNVVM.cpp - From a kernel over tiles to one thread's function -===//
//
// Requires kernels at *outlined*, establishes *threaded*: every `gpu.func`
// kernel becomes an `llvm.func` that each thread of the block runs. This file
// holds the pass, the kernel ABI and the pipeline that finishes the job; the
// body is the ThreadEmitter's.
//
// Kernel ABI: for each memref argument a pointer to global memory, then its
// dynamic sizes, dynamic strides and dynamic offset as i64; scalars as they
// are, `index` as i64, i1 as a byte; in the order of the arguments.
//
// A pointer is `noalias` where the launch shows that its memref is an argument
// or an allocation of its own that no other parameter of the kernel views, and
// the kernel does not write it.
//
//===----------------------------------------------------------------------===//

#include "ThreadEmitter.h"
#include "tile/Analysis/MemoryAccesses.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Conversion/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#define DEBUG_TYPE "convert-tile-to-nvvm"

namespace mlir::tile {
#define GEN_PASS_DEF_CONVERTTILETONVVM
#include "tile/Conversion/Passes.h.inc"

//===----------------------------------------------------------------------===//
// Kernel ABI
//===----------------------------------------------------------------------===//

/// The parameters of a kernel and how its arguments are made of them.
class KernelSignature {
public:
  explicit KernelSignature(ThreadEmitter &emitter, gpu::GPUFuncOp kernel)
      : emitter(emitter), kernel(kernel) {}

  /// Appends the parameters of every argument. Fails on a type no parameter
  /// has.
  LogicalResult build(ArrayRef<bool> isUnaliased);
  LLVM::LLVMFunctionType getType();
  ArrayRef<DictionaryAttr> getAttributes() const { return attributes; }
  /// Binds the kernel's arguments to the parameters of `function`.
  void bind(LLVM::LLVMFuncOp function);

private:
  void add(Type type, DictionaryAttr attrs = {}) {
    types.push_back(type);
    attributes.push_back(attrs ? attrs
                               : DictionaryAttr::get(kernel.getContext()));
  }

  ThreadEmitter &emitter;
  gpu::GPUFuncOp kernel;
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
};

/// The alignment that LLVM is told of a memref argument's pointer. LLVM may
/// join narrow loads into one of this size that reads a little more, so it is
/// never more than what divides the size of the memref too: no load passes the
/// end. Accesses that are wide on purpose carry their own alignment.
static int64_t getPointerAlignment(ThreadEmitter &emitter, BlockArgument arg) {
  auto type = cast<MemRefType>(arg.getType());
  int64_t bytes =
      std::max<int64_t>(1, getMemoryBits(type.getElementType()) / 8);
  if (!type.getLayout().isIdentity())
    return bytes;
  MemRefFacts facts = emitter.facts.getMemRefFacts(arg);
  int64_t alignment = facts.alignmentBytes, sizeBytes = bytes;
  for (int64_t divisor : facts.sizeDivisors)
    sizeBytes = std::gcd(sizeBytes * std::gcd(divisor, alignment), alignment);
  return std::gcd(sizeBytes, alignment);
}

LogicalResult KernelSignature::build(ArrayRef<bool> isUnaliased) {
  MLIRContext *context = kernel.getContext();
  Builder builder(context);
  for (BlockArgument arg : kernel.getArguments()) {
    auto memref = dyn_cast<MemRefType>(arg.getType());
    if (!memref) {
      Type type = emitter.convertMemoryType(arg.getType());
      if (!type)
        return emitter.notImplemented(kernel, "a kernel parameter of type ")
               << arg.getType();
      add(type);
      continue;
    }
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(memref.getStridesAndOffset(strides, offset)) ||
        isSharedMemory(memref) ||
        !emitter.convertMemoryType(memref.getElementType()))
      return emitter.notImplemented(kernel, "a kernel parameter of type ")
             << memref;
    NamedAttrList attrs;
    attrs.set(LLVM::LLVMDialect::getAlignAttrName(),
              builder.getI64IntegerAttr(getPointerAlignment(emitter, arg)));
    if (isUnaliased[arg.getArgNumber()])
      attrs.set(LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    add(LLVM::LLVMPointerType::get(context, 1), attrs.getDictionary(context));
    int64_t scalars = memref.getNumDynamicDims() +
                      llvm::count_if(strides, ShapedType::isDynamic) +
                      ShapedType::isDynamic(offset);
    for (int64_t i = 0; i < scalars; ++i)
      add(builder.getI64Type());
  }
  return success();
}

LLVM::LLVMFunctionType KernelSignature::getType() {
  return LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(kernel.getContext()), types);
}

void KernelSignature::bind(LLVM::LLVMFuncOp function) {
  unsigned next = 0;
  for (BlockArgument arg : kernel.getArguments()) {
    auto memref = dyn_cast<MemRefType>(arg.getType());
    if (!memref) {
      emitter.bind(
          arg, emitter.fromMemory(function.getArgument(next++), arg.getType()));
      continue;
    }
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)memref.getStridesAndOffset(strides, offset);
    GlobalView view;
    view.base = view.pointer = function.getArgument(next++);
    for (int64_t size : memref.getShape())
      view.sizes.push_back(ShapedType::isDynamic(size)
                               ? function.getArgument(next++)
                               : emitter.i64(size));
    for (int64_t stride : strides)
      view.strides.push_back(ShapedType::isDynamic(stride)
                                 ? function.getArgument(next++)
                                 : emitter.i64(stride));
    int64_t bytes = emitter.getMemoryBytes(memref.getElementType());
    if (ShapedType::isDynamic(offset))
      view.pointer = emitter.advance(
          view.pointer, emitter.multiply(function.getArgument(next++), bytes));
    else
      view.pointer = emitter.advance(view.pointer, offset * bytes);
    emitter.bind(arg, std::move(view));
  }
}

//===----------------------------------------------------------------------===//
// Aliasing
//===----------------------------------------------------------------------===//

/// The argument or allocation that a host memref is a view of; null if unknown.
static Value getHostRoot(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (isa<memref::AllocOp>(op))
      return memref;
    if (!isa<memref::SubViewOp, memref::CastOp, memref::ReinterpretCastOp,
             memref::ExpandShapeOp, memref::CollapseShapeOp, AssumeOp>(op))
      return {};
    memref = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(memref);
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!function ||
      function.getArgAttr(argument.getArgNumber(), "tile.may_alias"))
    return {};
  return memref;
}

/// Takes out the arguments that the kernel writes: a barrier makes the writes
/// of other threads visible, but LLVM takes memory behind a `noalias` pointer
/// to be out of a barrier's reach and would move accesses across it.
static void removeWritten(gpu::GPUFuncOp kernel,
                          MutableArrayRef<bool> unaliased) {
  kernel.getBody().walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      Value memref = effect.getValue();
      if (!isa<MemoryEffects::Write>(effect.getEffect()) || !memref ||
          !isa<MemRefType>(memref.getType()))
        continue;
      for (Value root : getMemRefRoots(memref)) {
        auto argument = dyn_cast<BlockArgument>(root);
        if (argument && argument.getOwner() == &kernel.getBody().front())
          unaliased[argument.getArgNumber()] = false;
      }
    }
  });
}

/// For each argument of the kernel, whether every launch of it passes a memref
/// that no other argument overlaps, and the kernel only reads it.
static SmallVector<bool>
getUnaliasedArguments(gpu::GPUFuncOp kernel,
                      ArrayRef<gpu::LaunchFuncOp> launches) {
  unsigned count = kernel.getNumArguments();
  SmallVector<bool> unaliased(count, !launches.empty());
  for (gpu::LaunchFuncOp launch : launches) {
    if (launch.getNumKernelOperands() != count)
      return SmallVector<bool>(count, false);
    llvm::DenseMap<Value, unsigned> uses;
    bool isKnown = true;
    for (Value operand : launch.getKernelOperands())
      if (isa<MemRefType>(operand.getType())) {
        Value root = getHostRoot(operand);
        isKnown &= root != nullptr;
        ++uses[root];
      }
    for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands()))
      if (isa<MemRefType>(operand.getType()))
        unaliased[index] =
            unaliased[index] && isKnown && uses[getHostRoot(operand)] == 1;
  }
  removeWritten(kernel, unaliased);
  return unaliased;
}

//===----------------------------------------------------------------------===//
// The function of a kernel
//===----------------------------------------------------------------------===//

static SmallVector<gpu::LaunchFuncOp> getLaunches(gpu::GPUFuncOp kernel) {
  SmallVector<gpu::LaunchFuncOp> launches;
  kernel->getParentOfType<ModuleOp>().walk([&](gpu::LaunchFuncOp launch) {
    if (launch.getKernelName() == kernel.getName())
      launches.push_back(launch);
  });
  return launches;
}

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
  function->setAttr("tile.stage",
                    StageAttr::get(kernel.getContext(), Stage::Threaded));
}

FailureOr<LLVM::LLVMFuncOp> ThreadEmitter::emitKernel() {
  auto blockSize = kernel.getKnownBlockSize();
  if (!blockSize || blockSize->empty() || !kernel.getBody().hasOneBlock())
    return kernel.emitError("a kernel needs known_block_size and one block");
  int64_t threads = blockSize->front();

  KernelSignature signature(*this, kernel);
  if (failed(
          signature.build(getUnaliasedArguments(kernel, getLaunches(kernel)))))
    return failure();
  builder.setInsertionPoint(kernel);
  function = LLVM::LLVMFuncOp::create(
      builder, kernel.getLoc(), kernel.getName(), signature.getType(),
      LLVM::Linkage::External, /*dsoLocal=*/false, LLVM::CConv::C, {}, {},
      signature.getAttributes());
  setKernelAttributes(kernel, function, threads);

  // Two marks split the entry block: constants, what threads compute once,
  // body.
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  Type i1 = builder.getI1Type();
  Operation *endOfConstants = LLVM::PoisonOp::create(builder, loc, i1);
  Operation *endOfPrologue = LLVM::PoisonOp::create(builder, loc, i1);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  constantBuilder.setInsertionPoint(endOfConstants);
  prologue.setInsertionPoint(endOfPrologue);
  builder.setInsertionPoint(entry->getTerminator());

  emitThreadIds(threads);
  signature.bind(function);
  LogicalResult emitted = emitBlock(kernel.getBody().front());
  endOfConstants->erase();
  endOfPrologue->erase();
  if (failed(emitted)) {
    function.erase();
    return failure();
  }
  return function;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Checks that a kernel is at the stage that the pass requires.
static LogicalResult verifyStage(gpu::GPUFuncOp kernel) {
  auto stage = kernel->getAttrOfType<StageAttr>("tile.stage");
  if (stage && stage.getValue() == Stage::Outlined)
    return success();
  return kernel.emitError(DEBUG_TYPE " needs a kernel at stage 'outlined', "
                                     "this one is at '")
         << (stage ? stringifyStage(stage.getValue()) : StringRef("source"))
         << "'";
}

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
    : impl::ConvertTileToNVVMBase<ConvertTileToNVVMPass> {
  void runOnOperation() override {
    SmallVector<gpu::GPUFuncOp> kernels;
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      if (kernel.isKernel())
        kernels.push_back(kernel);
    });
    for (gpu::GPUFuncOp kernel : kernels) {
      FailureOr<const tilec::GpuTarget *> target = getModuleTarget(kernel);
      if (failed(target) || failed(verifyStage(kernel)) ||
          failed(ThreadEmitter(kernel, **target).emitKernel()))
        return signalPassFailure();
      kernel.erase();
    }
    forgetCallSitesOfHost(getOperation());
  }
};
} // namespace

void buildConvertToLLVMPipeline(OpPassManager &passManager) {
  OpPassManager &kernels = passManager.nest<gpu::GPUModuleOp>();
  OpPassManager &structured = kernels.nest<LLVM::LLVMFuncOp>();
  structured.addPass(createCSEPass());
  structured.addPass(createSCFToControlFlowPass());
  ConvertToLLVMPassOptions options;
  options.filterDialects = {"arith", "cf", "nvvm"};
  kernels.addPass(createConvertToLLVMPass(options));
  kernels.addPass(createReconcileUnrealizedCastsPass());
  OpPassManager &lowered = kernels.nest<LLVM::LLVMFuncOp>();
  lowered.addPass(createCanonicalizerPass());
  lowered.addPass(createCSEPass());
}

void registerConvertToLLVMInterfaces(DialectRegistry &registry) {
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
}

} // namespace mlir::tile
