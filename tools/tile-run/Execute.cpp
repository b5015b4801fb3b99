//===- Execute.cpp - Running an entry function somewhere -----------------===//

#include "Execute.h"

#include "JobWriter.h"

#include "../ToolkitPath.h"

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

static InterpreterOptions getInterpreterOptions(const RunOptions &options) {
  InterpreterOptions result;
  result.seed = options.arguments.seed;
  if (options.maxSteps)
    result.maxSteps = *options.maxSteps;
  return result;
}

LogicalResult mlir::tile::runReference(func::FuncOp entry,
                                       ArrayRef<RuntimeValue> arguments,
                                       const RunOptions &options,
                                       llvm::raw_ostream *output) {
  InterpreterOptions interpreterOptions = getInterpreterOptions(options);
  interpreterOptions.output = output;
  Interpreter interpreter(entry->getParentOfType<ModuleOp>(),
                          interpreterOptions);
  SmallVector<RuntimeValue> results;
  return interpreter.run(entry, arguments, results);
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

static bool isCompiled(ModuleOp module) {
  return !module.getOps<gpu::BinaryOp>().empty();
}

static void buildPipeline(PassManager &pm, ModuleOp module, StringRef chip) {
  TileCompileOptions options;
  options.chip = chip.str();
  ToolkitSearch toolkits = getToolkitsOfEnvironment();
  options.libdevice = findLibdevice(toolkits).value_or("");
  options.searchToolkits = !toolkits.isDenied;
  buildTileCompilePipeline(pm, options, getReachedStage(module));
}

FailureOr<OwningOpRef<ModuleOp>> mlir::tile::compile(ModuleOp module,
                                                     StringRef chip) {
  OwningOpRef<ModuleOp> copy = module.clone();
  if (isCompiled(*copy))
    return copy;
  PassManager pm(module.getContext());
  buildPipeline(pm, *copy, chip);
  if (failed(pm.run(*copy)))
    return failure();
  return copy;
}

//===----------------------------------------------------------------------===//
// --check-stages
//===----------------------------------------------------------------------===//

namespace {

/// Runs the reference after every pass until one changes a result.
class StageChecker : public PassInstrumentation {
public:
  StageChecker(StringRef entry, ArrayRef<RuntimeValue> arguments,
               ArrayRef<RuntimeValue> expected, const RunOptions &options,
               int precision)
      : entry(entry), arguments(arguments), expected(expected),
        options(options), precision(precision) {}

  void runAfterPass(Pass *pass, Operation *op) override;
  bool hasFailed() const { return isWrong; }

private:
  void compareAll(Pass *pass, ArrayRef<RuntimeValue> results);

  StringRef entry;
  ArrayRef<RuntimeValue> arguments, expected;
  const RunOptions &options;
  int precision;
  bool isWrong = false;
};

} // namespace

void StageChecker::compareAll(Pass *pass, ArrayRef<RuntimeValue> results) {
  for (auto [i, value] : llvm::enumerate(expected)) {
    if (!value.memref)
      continue;
    Comparison comparison =
        compare(readAll(*results[i].memref), readAll(*value.memref), precision,
                options.getTolerance(i));
    if (comparison.isEqual())
      continue;
    isWrong = true;
    llvm::outs() << "after " << pass->getArgument() << ": argument " << i << " "
                 << describe(comparison, value.memref->sizes) << "\n";
  }
}

void StageChecker::runAfterPass(Pass *pass, Operation *op) {
  // Adaptors of nested pipelines have no argument. A pass on functions is
  // judged once, when it has changed the entry.
  auto function = dyn_cast<func::FuncOp>(op);
  if (isWrong || pass->getArgument().empty() ||
      (function && function.getName() != entry))
    return;
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  while (auto outer = module->getParentOfType<ModuleOp>())
    module = outer;
  bool isThreaded = false;
  module.walk([&](Operation *inner) {
    isThreaded |= isa<LLVM::LLVMFuncOp, gpu::BinaryOp>(inner);
  });
  auto entryFunction = module.lookupSymbol<func::FuncOp>(entry);
  if (isThreaded || !entryFunction)
    return;
  SmallVector<RuntimeValue> results = cloneArguments(arguments);
  if (failed(runReference(entryFunction, results, options, nullptr))) {
    isWrong = true;
    llvm::outs() << "after " << pass->getArgument()
                 << ": the reference reports the error above\n";
    return;
  }
  compareAll(pass, results);
  if (!isWrong)
    llvm::outs() << "after " << pass->getArgument() << ": equal\n";
}

LogicalResult mlir::tile::checkStages(ModuleOp module, StringRef entry,
                                      ArrayRef<RuntimeValue> arguments,
                                      ArrayRef<RuntimeValue> expected,
                                      const RunOptions &options) {
  OwningOpRef<ModuleOp> copy = module.clone();
  MLIRContext *context = module.getContext();
  context->disableMultithreading();
  PassManager pm(context);
  buildPipeline(pm, *copy, options.chip);
  auto checker = std::make_unique<StageChecker>(
      entry, arguments, expected, options,
      getNarrowestPrecision(module.lookupSymbol<func::FuncOp>(entry)));
  StageChecker *result = checker.get();
  pm.addInstrumentation(std::move(checker));
  LogicalResult compiled = pm.run(*copy);
  return success(succeeded(compiled) && !result->hasFailed());
}

//===----------------------------------------------------------------------===//
// Execution of PTX
//===----------------------------------------------------------------------===//

/// Runs host code whose launches go to `launcher`.
template <typename Launcher>
static LogicalResult runHost(func::FuncOp function,
                             ArrayRef<RuntimeValue> arguments,
                             Launcher &launcher, const RunOptions &options) {
  InterpreterOptions hostOptions = getInterpreterOptions(options);
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

static LogicalResult saveJobs(func::FuncOp function,
                              ArrayRef<RuntimeValue> arguments,
                              EmulatorLauncher &launcher,
                              int narrowestPrecision,
                              const RunOptions &options) {
  auto getTolerance = [&](const Buffer &buffer) {
    for (auto [i, argument] : llvm::enumerate(arguments))
      if (argument.memref && argument.memref->buffer.get() == &buffer)
        return options.getTolerance(i);
    return options.tolerance;
  };
  SavingLauncher saving{launcher,
                        JobWriter(options.jobDirectory,
                                  function->getParentOfType<ModuleOp>(),
                                  narrowestPrecision, getTolerance)};
  return runHost(function, arguments, saving, options);
}

static LogicalResult runOnEmulator(ModuleOp source, func::FuncOp function,
                                   ArrayRef<RuntimeValue> arguments,
                                   int narrowestPrecision,
                                   const RunOptions &options) {
  EmulatorOptions emulatorOptions;
  emulatorOptions.seed = options.arguments.seed;
  emulatorOptions.maxInstructions = options.maxInstructions;
  emulatorOptions.collectStatistics =
      options.statistics != StatisticsFormat::None;
  emulatorOptions.output = &llvm::outs();
  emulatorOptions.assertions = findAssertions(source);
  EmulatorLauncher launcher(function->getParentOfType<ModuleOp>(),
                            emulatorOptions);
  if (failed(options.jobDirectory.empty()
                 ? runHost(function, arguments, launcher, options)
                 : saveJobs(function, arguments, launcher, narrowestPrecision,
                            options)))
    return failure();
  if (options.statistics == StatisticsFormat::Json)
    llvm::outs() << launcher.getStatisticsJson() << "\n";
  else if (options.statistics == StatisticsFormat::Text)
    llvm::outs() << launcher.getStatisticsText();
  return success();
}

LogicalResult mlir::tile::runCompiled(ModuleOp source, ModuleOp module,
                                      StringRef entry,
                                      ArrayRef<RuntimeValue> arguments,
                                      Executor executor, int narrowestPrecision,
                                      const RunOptions &options) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function)
    return module.emitError("the compiled module has no function '")
           << entry << "'";
  if (executor != Executor::Cuda)
    return runOnEmulator(source, function, arguments, narrowestPrecision,
                         options);
  std::string error;
  std::unique_ptr<CudaLauncher> launcher = CudaLauncher::create(module, error);
  if (!launcher)
    return function.emitError(error);
  return runHost(function, arguments, *launcher, options);
}
