//===- MakeObject.cpp - From the llvm dialect to an object file -----------===//

#include "tile/HostCode/HostCode.h"

#include "LowerHost.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::tile;

/// A code generator for any processor of this machine's kind; null, with the reason,
/// where LLVM was built without one.
static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(std::string &error) {
  static const bool hasNoTarget = llvm::InitializeNativeTarget() ||
                                  llvm::InitializeNativeTargetAsmPrinter();
  if (hasNoTarget) {
    error = "LLVM was built without code generation for this machine";
    return nullptr;
  }
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  // Executables are position-independent by default.
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, /*CPU=*/"", /*Features=*/"",
                                  llvm::TargetOptions(), llvm::Reloc::PIC_));
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O1)
      .run(module, modules);
}

FailureOr<std::string> tile::makeObject(const CompiledProgram &program) {
  ModuleOp host = *program.host;
  FailureOr<OwningOpRef<ModuleOp>> lowered = lowerHost(program);
  if (failed(lowered))
    return failure();
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(error);
  if (!machine)
    return host.emitError("no object can be made: ") << error;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(**lowered, context, "host");
  if (!module)
    return host.emitError("the host code cannot be translated to LLVM IR");
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  module->setPICLevel(llvm::PICLevel::BigPIC);
  optimize(*module, *machine);

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return host.emitError("no object can be made: LLVM writes none for ")
           << machine->getTargetTriple().str();
  passes.run(*module);
  return std::string(bytes.data(), bytes.size());
}
