//===- Execute.cpp - Running an entry function somewhere -----------------===//

#include "Execute.h"

#include "JobWriter.h"
#include "Progress.h"

#include "../ToolkitPath.h"

#include "tile/Dialect/Tile/Locations.h"
#include "tile/Pipeline/Pipeline.h"
#include "tile/Reference/Interpreter.h"
#include "tile/Runtime/CudaLauncher.h"
#include "tile/Runtime/EmulatorLauncher.h"
#include "tile/Target/PTX/Ptxas.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

/// A note at the place of the source, and its name for reports.
static std::string noteDecision(Location location) {
  location.getContext()->getDiagEngine().emit(location,
                                              DiagnosticSeverity::Note)
      << "whether this holds is within what a correct implementation may "
         "differ by; what follows from it is not checkable";
  return formatLocation(location);
}

InterpreterOptions mlir::tile::getReferenceOptions(const RunOptions &options) {
  InterpreterOptions result;
  result.seed = options.arguments.seed;
  result.multiprocessors = options.multiprocessors;
  if (options.maxSteps)
    result.maxSteps = *options.maxSteps;
  return result;
}

LogicalResult
mlir::tile::runReference(func::FuncOp entry, ArrayRef<RuntimeValue> arguments,
                         const InterpreterOptions &options,
                         std::vector<std::string> *openDecisions) {
  Interpreter interpreter(entry->getParentOfType<ModuleOp>(), options);
  SmallVector<RuntimeValue> results;
  if (failed(interpreter.run(entry, arguments, results)))
    return failure();
  if (openDecisions)
    for (Location location : interpreter.getOpenDecisions())
      openDecisions->push_back(noteDecision(location));
  return success();
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

static bool isCompiled(ModuleOp module) {
  return !module.getOps<gpu::BinaryOp>().empty();
}

void mlir::tile::buildPipeline(PassManager &pm, ModuleOp module,
                               const RunOptions &options) {
  TileCompileOptions compile;
  compile.chip = options.chip;
  compile.checkAssumptions = options.checkAssumptions;
  ToolkitSearch toolkits = getToolkitsOfEnvironment();
  compile.libdevice = findLibdevice(toolkits).value_or("");
  compile.searchToolkits = !toolkits.isDenied;
  buildTileCompilePipeline(pm, compile, getReachedStage(module));
}

namespace {

/// Keeps a copy of the module as the last pass before threads leaves it.
class KeepOutlined : public PassInstrumentation {
public:
  explicit KeepOutlined(OwningOpRef<ModuleOp> &outlined) : outlined(outlined) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    auto module = dyn_cast<ModuleOp>(op);
    if (module && getReachedStage(module) == Stage::Outlined)
      outlined = module.clone();
  }

private:
  OwningOpRef<ModuleOp> &outlined;
};

} // namespace

FailureOr<CompiledModule> mlir::tile::compile(ModuleOp module,
                                              const RunOptions &options) {
  CompiledModule result;
  bool keepsOutlined = !options.jobDirectory.empty();
  result.module = module.clone();
  if (!isCompiled(module)) {
    if (keepsOutlined && getReachedStage(module) == Stage::Outlined)
      result.outlined = module.clone();
    PassManager pm(module.getContext());
    buildPipeline(pm, *result.module, options);
    if (keepsOutlined)
      pm.addInstrumentation(std::make_unique<KeepOutlined>(result.outlined));
    if (failed(pm.run(*result.module)))
      return failure();
  }
  TargetAttr target = TileDialect::TargetAttrHelper(module.getContext())
                          .getAttr(*result.module);
  result.chip = target ? target.getChip().str() : options.chip;
  return result;
}

//===----------------------------------------------------------------------===//
// Execution of PTX
//===----------------------------------------------------------------------===//

/// Runs host code whose launches go to `launcher`.
template <typename Launcher>
static LogicalResult runHost(func::FuncOp function,
                             ArrayRef<RuntimeValue> arguments,
                             Launcher &launcher, const RunOptions &options) {
  InterpreterOptions hostOptions = getReferenceOptions(options);
  hostOptions.launch = [&](const LaunchRequest &request) {
    return launcher.launch(request);
  };
  Interpreter host(function->getParentOfType<ModuleOp>(), hostOptions);
  SmallVector<RuntimeValue> results;
  return host.run(function, arguments, results);
}

namespace {

/// A launcher whose launches are kept as jobs.
struct SavingLauncher {
  EmulatorLauncher &launcher;
  JobWriter writer;

  LogicalResult launch(const LaunchRequest &request) {
    if (failed(writer.begin(request)) || failed(launcher.launch(request)))
      return failure();
    return writer.end(request);
  }
};

} // namespace

static LogicalResult saveJobs(func::FuncOp function, ModuleOp outlined,
                              ArrayRef<RuntimeValue> arguments,
                              EmulatorLauncher &launcher,
                              const RunOptions &options) {
  auto getRule = [&](const Buffer &buffer) {
    for (auto [i, argument] : llvm::enumerate(arguments))
      if (argument.memref && argument.memref->buffer.get() == &buffer)
        return options.getRule(i);
    return tilec::ComparisonRule{options.tolerance, options.maxUnchecked};
  };
  SavingLauncher saving{launcher,
                        JobWriter(options.jobDirectory,
                                  function->getParentOfType<ModuleOp>(),
                                  outlined, getRule)};
  return runHost(function, arguments, saving, options);
}

static LogicalResult
runOnEmulator(ModuleOp source, const CompiledModule &compiled,
              func::FuncOp function, ArrayRef<RuntimeValue> arguments,
              RunProgress &progress, const RunOptions &options,
              RunReport &report) {
  EmulatorOptions emulatorOptions;
  emulatorOptions.seed = options.arguments.seed;
  emulatorOptions.maxInstructions = options.maxInstructions;
  emulatorOptions.collectStatistics =
      options.statistics != StatisticsFormat::None;
  emulatorOptions.timing = options.timing;
  emulatorOptions.progress = &progress;
  emulatorOptions.output = &options.getTextOutput();
  emulatorOptions.assertions = findAssertions(source);
  EmulatorLauncher launcher(function->getParentOfType<ModuleOp>(),
                            emulatorOptions);
  if (failed(options.jobDirectory.empty()
                 ? runHost(function, arguments, launcher, options)
                 : saveJobs(function, compiled.outlined.get(), arguments,
                            launcher, options)))
    return failure();
  report.times = launcher.getTimes();
  if (options.statistics == StatisticsFormat::None)
    return success();
  if (options.writesJson)
    report.statisticsJson = launcher.getStatisticsJson();
  else
    llvm::outs() << launcher.getStatisticsText();
  return success();
}

LogicalResult
mlir::tile::runCompiled(ModuleOp source, const CompiledModule &compiled,
                        StringRef entry, ArrayRef<RuntimeValue> arguments,
                        Executor executor, const RunOptions &options,
                        RunReport &report) {
  ModuleOp module = *compiled.module;
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function)
    return module.emitError("the compiled module has no function '")
           << entry << "'";
  Progress progress(
      "running '" + entry.str() +
      (executor == Executor::Emulator ? "' on the emulator" : "' on the GPU"));
  if (executor != Executor::Cuda)
    return runOnEmulator(source, compiled, function, arguments, progress.blocks,
                         options, report);
  std::string error;
  std::unique_ptr<CudaLauncher> launcher =
      CudaLauncher::create(module, error, options.timing);
  if (!launcher)
    return function.emitError(error);
  LogicalResult result = runHost(function, arguments, *launcher, options);
  report.times = launcher->getTimes();
  return result;
}
