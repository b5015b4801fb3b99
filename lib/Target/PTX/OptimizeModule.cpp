//===- OptimizeModule.cpp - LLVM's optimisation, for threads --------------===//

#include "OptimizeModule.h"
#include "ChainAddresses.h"
#include "IdlePasses.h"
#include "LongFunctions.h"

#include "llvm/ADT/GenericCycleImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::tile;

static constexpr llvm::StringLiteral simplifyName = "SimplifyCFGPass";

static bool isConvergent(const llvm::BasicBlock &block) {
  return llvm::any_of(block, [](const llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && call->isConvergent();
  });
}

static bool isIrreducible(const llvm::Cycle &cycle) {
  return (!cycle.isReducible() &&
          llvm::any_of(cycle.blocks(),
                       [](const llvm::BasicBlock *block) {
                         return isConvergent(*block);
                       })) ||
         llvm::any_of(cycle.children(), [](const llvm::Cycle *inner) {
           return isIrreducible(*inner);
         });
}

/// Whether a cycle of `function` with a convergent operation has several entries.
static bool hasIrreducibleCycle(const llvm::Function &function) {
  llvm::CycleInfo cycles;
  cycles.compute(const_cast<llvm::Function &>(function));
  return llvm::any_of(cycles.toplevel_cycles(), [](const llvm::Cycle *cycle) {
    return isIrreducible(*cycle);
  });
}

namespace {
/// Counts the runs of SimplifyCFG and looks at what they leave; spares kernels, and long
/// ones more, what they need not have.
class RunGuard {
public:
  RunGuard(const llvm::Module &module, llvm::TargetMachine &machine,
           const SimplifyRuns &leftOut,
           llvm::PassInstrumentationCallbacks &callbacks)
      : leftOut(leftOut), idle(machine), longFunctions(module) {
    callbacks.registerShouldRunOptionalPassCallback(
        [this](llvm::StringRef pass, const llvm::Any &ir) {
          return pass == simplifyName ? !this->leftOut.count(count++)
                                      : longFunctions.shouldRunPass(pass, ir) &&
                                            idle.shouldRunPass(pass, ir);
        });
    callbacks.registerAfterPassCallback(
        [this](llvm::StringRef pass, const llvm::Any &ir,
               const llvm::PreservedAnalyses &preserved) {
          const auto *function = llvm::any_cast<const llvm::Function *>(&ir);
          if (pass == simplifyName && function && !found &&
              !preserved.areAllPreserved() && hasIrreducibleCycle(**function))
            found = count - 1;
        });
  }

  std::optional<int> getFound() const { return found; }

private:
  const SimplifyRuns &leftOut;
  IdlePassFilter idle;
  LongFunctionFilter longFunctions;
  int count = 0;
  std::optional<int> found;
};
} // namespace

static llvm::OptimizationLevel getLevel(int level) {
  switch (level) {
  case 0:
    return llvm::OptimizationLevel::O0;
  case 1:
    return llvm::OptimizationLevel::O1;
  case 2:
    return llvm::OptimizationLevel::O2;
  default:
    return llvm::OptimizationLevel::O3;
  }
}

std::optional<int> tile::optimizeModule(llvm::Module &module,
                                        llvm::TargetMachine &machine, int level,
                                        const SimplifyRuns &leftOut) {
  llvm::PassInstrumentationCallbacks callbacks;
  RunGuard guard(module, machine, leftOut, callbacks);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = true;
  tuning.LoopInterleaving = true;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  // Not through the builder, which would note the names of all passes that there are.
  auto instrument = [&] {
    return llvm::PassInstrumentationAnalysis(&callbacks);
  };
  loops.registerPass(instrument);
  functions.registerPass(instrument);
  components.registerPass(instrument);
  modules.registerPass(instrument);
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes,
                                             llvm::OptimizationLevel level,
                                             llvm::ThinOrFullLTOPhase) {
    if (level != llvm::OptimizationLevel::O0)
      passes.addPass(
          llvm::createModuleToFunctionPassAdaptor(ChainAddressesPass()));
  });
  builder.buildPerModuleDefaultPipeline(getLevel(level)).run(module, modules);
  return guard.getFound();
}
