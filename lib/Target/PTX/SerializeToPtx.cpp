//===- SerializeToPtx.cpp - From a gpu.module to LLVM IR and PTX ----------===//
//
// Upstream's NVVM serializer does the work; this subclass adds what it lacks:
//
//   - inline assembly is marked convergent before any optimisation (MLIR cannot
//     say so, and LLVM then unrolls and duplicates synchronising instructions);
//   - libdevice is read only when something calls it, and an unresolved
//     function is an error instead of an `.extern` in the PTX;
//   - a signed bit becomes a float by selection, since LLVM's code generator
//     forgets its sign on the way to bf16;
//   - a float that is selected by a comparison stays one where `min` or `max`, which
//     LLVM's code generator makes of it, has another zero;
//   - the results of an instruction are taken apart behind it: from another block,
//     the code generator copies all of them for each one that is used there;
//   - a run of SimplifyCFG that tears a barrier apart is left out (OptimizeModule.h);
//   - addresses of a loop's copies are made each of the last (ChainAddresses.h);
//   - straight-line strength reduction leaves very long functions alone, whose time
//     it would be;
//   - loads are merged without the bytes between them (GenerateCode.h);
//   - functions that share nothing are compiled beside one another;
//   - chip and PTX version are checked first, since LLVM ends the process on a
//     pair it does not know.
//
//===----------------------------------------------------------------------===//

#include "tile/Target/PTX/SerializeToPtx.h"
#include "OptimizeModule.h"
#include "tile/Target/PTX/Passes.h"
#include "tile/Target/PTX/Ptxas.h"

#include "GenerateCode.h"
#include "JoinPtx.h"
#include "KernelParameters.h"
#include "KernelParts.h"
#include "LongFunctions.h"

#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <optional>
#include <vector>

using namespace mlir;
using namespace mlir::tile;

namespace {

class PtxSerializer final : public NVVM::SerializeGPUModuleBase {
public:
  PtxSerializer(gpu::GPUModuleOp module, NVVM::NVVMTargetAttr target,
                const SerializeOptions &options)
      : SerializeGPUModuleBase(*module.getOperation(), target, {}),
        serializeOptions(options) {
    librariesToLink.clear();
  }

  FailureOr<SerializedModule> serialize() {
    do
      badRun.reset();
    while (!run() && badRun && leftOut.insert(*badRun).second);
    if (texts.ptx.empty())
      return failure();
    return std::move(texts);
  }

private:
  std::optional<SmallVector<std::unique_ptr<llvm::Module>>>
  loadBitcodeFiles(llvm::Module &module) override;
  void handleModulePreLink(llvm::Module &module) override;
  LogicalResult optimizeModule(llvm::Module &module, int level) override;
  FailureOr<SmallVector<char, 0>> moduleToObject(llvm::Module &module) override;
  LogicalResult checkResolved(llvm::Module &module);

  const SerializeOptions &serializeOptions;
  SerializedModule texts;
  SimplifyRuns leftOut;
  /// The run of SimplifyCFG that has to be left out, too.
  std::optional<int> badRun;
};

} // namespace

void PtxSerializer::handleModulePreLink(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (call->isInlineAsm())
          call->addFnAttr(llvm::Attribute::Convergent);
}

/// The first call of a function of libdevice in a module; the module if none is left.
static Operation *findLibdeviceCall(Operation &module) {
  Operation *found = &module;
  module.walk([&](LLVM::CallOp call) {
    if (!call.getCallee().value_or("").starts_with("__nv_"))
      return WalkResult::advance();
    found = call;
    return WalkResult::interrupt();
  });
  return found;
}

std::optional<SmallVector<std::unique_ptr<llvm::Module>>>
PtxSerializer::loadBitcodeFiles(llvm::Module &module) {
  SmallVector<std::unique_ptr<llvm::Module>> libraries;
  bool callsLibdevice = llvm::any_of(module, [](llvm::Function &function) {
    return function.isDeclaration() && function.getName().starts_with("__nv_");
  });
  if (!callsLibdevice)
    return libraries;
  std::string path = serializeOptions.libdevicePath;
  if (path.empty() && serializeOptions.searchToolkits)
    path = findLibdevice({}).value_or("");
  if (path.empty() || !llvm::sys::fs::exists(path)) {
    findLibdeviceCall(getOperation())
            ->emitError("a math function needs libdevice.10.bc, which ")
        << (path.empty() ? std::string("no CUDA toolkit was found to provide")
                         : "does not exist at '" + path + "'")
        << "; pass its path as libdevice, or set CUDA_HOME for the tools; some "
           "functions have an approximation without it, by fastmath<afn>";
    return std::nullopt;
  }
  std::unique_ptr<llvm::Module> library =
      loadBitcodeFile(module.getContext(), path);
  if (!library) {
    getOperation().emitError("cannot read '") << path << "'";
    return std::nullopt;
  }
  libraries.push_back(std::move(library));
  return libraries;
}

LogicalResult PtxSerializer::checkResolved(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty() && function.getName() != "vprintf")
      return getOperation().emitError("function '")
             << function.getName() << "' is called but not defined";
  return success();
}

/// Pattern: sitofp i1 %b to T -> select %b, T -1.0, T 0.0
/// After optimisation, which makes such casts from wider ones.
static void replaceCastsOfSignedBits(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *cast = llvm::dyn_cast<llvm::SIToFPInst>(&instruction);
      if (!cast || !cast->getSrcTy()->isIntOrIntVectorTy(1))
        continue;
      llvm::Type *type = cast->getDestTy();
      llvm::Value *chosen = llvm::IRBuilder<>(cast).CreateSelect(
          cast->getOperand(0), llvm::ConstantFP::get(type, -1.0),
          llvm::ConstantFP::get(type, 0.0));
      cast->replaceAllUsesWith(chosen);
      cast->eraseFromParent();
    }
}

/// Whether `max`, or `min`, of the arms of `select` differs from what its comparison
/// selects: where both are zeros, `max` is the positive one, whichever is compared first.
static bool mayBeOtherZero(const llvm::SelectInst &select, bool isMax) {
  const auto *compare = llvm::cast<llvm::FCmpInst>(select.getCondition());
  if (select.hasNoSignedZeros())
    return false;
  bool isTrueIfEqual = compare->getPredicate() & llvm::CmpInst::FCMP_OEQ;
  const llvm::Value *ifEqual =
      isTrueIfEqual ? select.getTrueValue() : select.getFalseValue();
  for (const llvm::Value *arm :
       {select.getTrueValue(), select.getFalseValue()}) {
    const llvm::APFloat *constant = nullptr;
    if (!llvm::PatternMatch::match(arm,
                                   llvm::PatternMatch::m_APFloat(constant)))
      continue;
    bool isRightZero = arm == ifEqual && constant->isNegative() != isMax;
    if (!constant->isZero() || isRightZero)
      return false;
  }
  return true;
}

/// Pattern: select (fcmp ...), %x, %y -> the same of their bits
/// where the code generator would make a `min` or `max` of it that has another zero.
/// After optimisation, which would make a selection of floats of it again.
static void keepSelectionsOfZeros(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
      if (!select || !llvm::isa<llvm::FCmpInst>(select->getCondition()))
        continue;
      llvm::Value *left = nullptr, *right = nullptr;
      llvm::SelectPatternFlavor flavor =
          llvm::matchSelectPattern(select, left, right).Flavor;
      bool isMax = flavor == llvm::SPF_FMAXNUM;
      if ((!isMax && flavor != llvm::SPF_FMINNUM) ||
          !mayBeOtherZero(*select, isMax))
        continue;
      llvm::Type *type = select->getType();
      llvm::Type *bits = type->getWithNewType(llvm::IntegerType::get(
          module.getContext(), type->getScalarSizeInBits()));
      llvm::IRBuilder<> builder(select);
      llvm::Value *chosen = builder.CreateSelect(
          select->getCondition(),
          builder.CreateBitCast(select->getTrueValue(), bits),
          builder.CreateBitCast(select->getFalseValue(), bits));
      select->replaceAllUsesWith(builder.CreateBitCast(chosen, type));
      select->eraseFromParent();
    }
}

/// Moves what takes apart the results of a call behind it, from where optimisation sank
/// it to. Costs no register: all results live until the last one is taken.
static void takeResultsApart(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || !call->getType()->isStructTy())
        continue;
      for (llvm::User *user : call->users())
        if (auto *result = llvm::dyn_cast<llvm::ExtractValueInst>(user))
          result->moveAfter(call);
    }
}

LogicalResult PtxSerializer::optimizeModule(llvm::Module &module, int level) {
  FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
  if (failed(machine))
    return getOperation().emitError("LLVM has no NVPTX code generator");
  (*machine)->setOptLevel(static_cast<llvm::CodeGenOptLevel>(level));
  badRun = tile::optimizeModule(module, **machine, level, leftOut);
  return failure(badRun.has_value());
}

FailureOr<SmallVector<char, 0>>
PtxSerializer::moduleToObject(llvm::Module &module) {
  if (failed(checkResolved(module)))
    return failure();
  replaceCastsOfSignedBits(module);
  keepSelectionsOfZeros(module);
  takeResultsApart(module);
  if (serializeOptions.printsLlvmIr)
    llvm::raw_string_ostream(texts.llvmIr) << module;
  FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
  if (failed(machine))
    return getOperation().emitError("LLVM has no NVPTX code generator");
  LongFunctionGate gate(module);
  if (gate.isEnabled())
    module.getContext().setOptPassGate(gate);
  std::optional<std::string> ptx = generateCode(module, **machine);
  if (!ptx)
    return getOperation().emitError("LLVM has no assembly for this target");
  texts.ptx = std::move(*ptx);
  return SmallVector<char, 0>();
}

/// Makes a serializer for each module. The base class complains of a toolkit without
/// libdevice when it is made, whether or not anything calls libdevice.
static SmallVector<std::unique_ptr<PtxSerializer>>
createSerializers(ArrayRef<gpu::GPUModuleOp> modules,
                  NVVM::NVVMTargetAttr target,
                  const SerializeOptions &options) {
  ScopedDiagnosticHandler ignore(target.getContext(),
                                 [](Diagnostic &) { return success(); });
  SmallVector<std::unique_ptr<PtxSerializer>> serializers;
  for (gpu::GPUModuleOp module : modules)
    serializers.push_back(
        std::make_unique<PtxSerializer>(module, target, options));
  return serializers;
}

/// Compiles the parts of `module`, each in an LLVM context of its own, on the context's
/// threads. The text depends on the parts only. Nothing where there are no two parts,
/// where their texts cannot be joined, and where anything is to be said: it is then the
/// whole module that says it, in its order and once.
static std::optional<SerializedModule>
serializeInParts(gpu::GPUModuleOp module, NVVM::NVVMTargetAttr target,
                 const SerializeOptions &options) {
  SmallVector<KernelPart> parts = splitKernels(module);
  if (options.printsLlvmIr || parts.empty())
    return std::nullopt;
  SmallVector<OwningOpRef<gpu::GPUModuleOp>> shells;
  SmallVector<gpu::GPUModuleOp> modules;
  for (size_t i = 0; i < parts.size(); ++i)
    modules.push_back(*shells.emplace_back(createShell(module)));
  SmallVector<std::unique_ptr<PtxSerializer>> serializers =
      createSerializers(modules, target, options);

  // What the threads of `parallelFor` say comes from this one, when all are done.
  bool isSilent = true;
  auto handle = [&isSilent, thread = llvm::get_threadid()](Diagnostic &) {
    if (llvm::get_threadid() != thread)
      return failure();
    isSilent = false;
    return success();
  };
  ScopedDiagnosticHandler listen(module.getContext(), handle);
  std::vector<std::string> texts(parts.size());
  parallelFor(module.getContext(), 0, parts.size(), [&](size_t i) {
    fillShell(modules[i], parts[i]);
    if (auto serialized = serializers[i]->serialize(); succeeded(serialized))
      texts[i] = std::move(serialized->ptx);
    serializers[i] = nullptr; // what is compiled needs no memory
    shells[i] = nullptr;
  });
  if (!isSilent)
    return std::nullopt;
  if (std::optional<std::string> ptx = joinPtx(texts))
    return SerializedModule{"", std::move(*ptx), parts.size()};
  return std::nullopt;
}

FailureOr<SerializedModule>
tile::serializeToPtx(gpu::GPUModuleOp module, const tilec::GpuTarget &target,
                     const SerializeOptions &options) {
  int version =
      options.ptxVersion == 0 ? target.defaultPtxVersion : options.ptxVersion;
  if (!target.acceptsPtxVersion(version)) {
    InFlightDiagnostic error = module.emitError("PTX ISA version ")
                               << tilec::formatPtxVersion(version)
                               << " does not know " << target.name
                               << "; versions that do:";
    for (int accepted : target.getAcceptedPtxVersions())
      error << " " << tilec::formatPtxVersion(accepted);
    return error;
  }
  if (options.optLevel < 0 || options.optLevel > 3)
    return module.emitError("optimisation level ")
           << options.optLevel << " is not one of 0, 1, 2, 3";
  FailureOr<int> chosen = choosePtxVersion(module, target, options.ptxVersion);
  if (failed(chosen))
    return failure();
  NVVM::SerializeGPUModuleBase::init();
  auto attr = NVVM::NVVMTargetAttr::get(module.getContext(), options.optLevel,
                                        "nvptx64-nvidia-cuda", target.name,
                                        tilec::getPtxFeature(*chosen));
  if (auto joined = serializeInParts(module, attr, options))
    return std::move(*joined);
  return createSerializers(module, attr, options).front()->serialize();
}

void tile::registerPtxTranslation(DialectRegistry &registry) {
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}
