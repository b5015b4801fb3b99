//===- Session.cpp - One run of tile-run ---------------------------------===//

#include "Session.h"

#include "Execute.h"
#include "Progress.h"

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Runtime/ArrayComparison.h"
#include "tile/Runtime/CudaLauncher.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

int mlir::tile::fail(const Twine &message) {
  llvm::outs().flush();
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

//===----------------------------------------------------------------------===//
// Before the run
//===----------------------------------------------------------------------===//

static const char *getName(Executor executor) {
  switch (executor) {
  case Executor::Reference:
    return "reference";
  case Executor::Emulator:
    return "emulator";
  default:
    return "cuda";
  }
}

/// `auto` is a GPU where the driver has one. Without one `cuda` is an error
/// before anything is compiled.
bool Session::chooseExecutor() {
  executor = options.executor;
  bool hasStatistics = options.statistics != StatisticsFormat::None;
  if (executor == Executor::Reference && hasStatistics)
    return fail("--stats: only the emulator counts; use --on=emulator") == 0;
  if (executor == Executor::Reference && options.timing.count > 0)
    return fail("--time: the reference has no launches to time; use "
                "--on=emulator or --on=cuda") == 0;
  if (!options.jobDirectory.empty() && executor != Executor::Emulator)
    return fail("--save-jobs: what a job expects comes from the emulator; use "
                "--on=emulator") == 0;
  std::string error;
  std::unique_ptr<CudaLauncher> device;
  if (executor == Executor::Auto || executor == Executor::Cuda)
    device = CudaLauncher::create(module, error);
  countMultiprocessors(device.get());
  if (executor == Executor::Auto)
    executor = device ? Executor::Cuda : Executor::Emulator;
  else if (executor == Executor::Cuda && !device)
    return fail("--on=cuda: " + error + "; use --on=emulator") == 0;
  if (executor == Executor::Cuda && hasStatistics)
    return fail("--stats: only the emulator counts; use --on=emulator") == 0;
  return true;
}

/// As the host program is told: by the option, the device, the chip.
void Session::countMultiprocessors(const CudaLauncher *device) {
  if (options.multiprocessors != 0)
    return;
  if (device) {
    options.multiprocessors = device->getMultiprocessors();
    return;
  }
  TargetAttr own =
      TileDialect::TargetAttrHelper(module.getContext()).getAttr(module);
  const tilec::GpuTarget *chip =
      tilec::findTarget(own ? own.getChip() : StringRef(options.chip));
  options.multiprocessors =
      (chip ? *chip : tilec::getKnownTargets().front()).multiprocessorCount;
}

bool Session::checkFileOptions() {
  auto isMemRef = [&](unsigned number) {
    return number < entry.getNumArguments() &&
           isa<MemRefType>(entry.getArgumentTypes()[number]);
  };
  for (const auto *files : {&options.outputs, &options.expectations})
    for (auto &[number, path] : *files)
      if (!isMemRef(number))
        return fail("--" + Twine(files == &options.outputs ? "out" : "expect") +
                    "=" + Twine(number) + ":" + path + ": argument " +
                    Twine(number) + " is no memref of\n" +
                    describeSignature(entry)) == 0;
  for (auto &[number, tolerance] : options.toleranceOf)
    if (!isMemRef(number))
      return fail((tolerance.rtol ? "--rtol=" : "--atol=") + Twine(number) +
                  ":..: argument " + Twine(number) + " is no memref of\n" +
                  describeSignature(entry)) == 0;
  for (auto &[number, path] : options.outputs)
    if (std::string error = tilec::checkWritable(path); !error.empty())
      return fail(error) == 0;
  return true;
}

bool Session::readExpectations() {
  for (auto &[number, path] : options.expectations) {
    const MemRef &memref = *initial[number].memref;
    tilec::NpyArray file;
    std::string error;
    if (!tilec::readNpy(path, file, error))
      return fail(error) == 0;
    std::optional<Array> contents = fromNpy(file, memref.element, error);
    if (!contents)
      return fail("'" + path + "' " + error + " for " +
                  describeArgument(entry, number)) == 0;
    if (ArrayRef<int64_t>(file.shape) != ArrayRef<int64_t>(memref.sizes))
      return fail("'" + path + "' has another shape than " +
                  describeArgument(entry, number)) == 0;
    expectations[number] = std::move(*contents);
  }
  return true;
}

bool Session::prepare() {
  if (!chooseExecutor() || !checkFileOptions())
    return false;
  std::string error;
  auto built = buildArguments(entry, options.arguments, error);
  if (!built)
    return fail(error) == 0;
  initial = *built;
  // The initial contents, those of the run and those of the reference.
  bool needsReference =
      options.check || options.checkStages || !options.expectations.empty();
  error = checkCopies(initial, needsReference ? 2 : 1);
  if (!error.empty())
    return fail(error) == 0;
  return readExpectations();
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

/// Whether some comparison is decided by bounds: only the reference has them.
bool Session::needsBounds() const {
  for (auto [i, value] : llvm::enumerate(initial))
    if (value.memref && !options.getRule(i).tolerance.isGiven() &&
        (options.check || options.checkStages || expectations.count(i)))
      return true;
  return false;
}

bool Session::runReferenceOf(SmallVector<RuntimeValue> &arguments,
                             llvm::raw_ostream *output) {
  Progress progress("running '" + entry.getName().str() + "' by the reference");
  InterpreterOptions run = getReferenceOptions(options);
  run.tracksBounds = needsBounds();
  if (executor == Executor::Cuda)
    run.accumulation = Accumulation::TensorCores;
  run.output = output;
  run.progress = &progress.blocks;
  // Told once, where the reference runs twice.
  bool isTold = !report.openDecisions.empty();
  return succeeded(runReference(entry, arguments, run,
                                isTold ? nullptr : &report.openDecisions));
}

bool Session::execute() {
  results = cloneArguments(initial);
  if (executor == Executor::Reference)
    return runReferenceOf(results, &options.getTextOutput());
  FailureOr<CompiledModule> compiled = compile(module, options);
  if (failed(compiled))
    return false;
  report.chip = compiled->chip;
  return succeeded(runCompiled(module, *compiled, entry.getName(), results,
                               executor, options, report));
}

/// The reference first: a program that it refuses has no result to compare.
bool Session::runAll() {
  bool isReference = executor == Executor::Reference;
  bool wantsReference =
      options.check || options.checkStages || (!isReference && needsBounds());
  if (wantsReference) {
    expected = cloneArguments(initial);
    if (!runReferenceOf(expected, nullptr))
      return false;
  }
  if (options.checkStages &&
      failed(checkStages(module, entry.getName(), initial, expected, options,
                         report)))
    return false;
  return execute();
}

//===----------------------------------------------------------------------===//
// After the run
//===----------------------------------------------------------------------===//

void Session::compareAll() {
  for (auto [i, value] : llvm::enumerate(results)) {
    if (!value.memref)
      continue;
    ArgumentReport argument;
    argument.number = i;
    llvm::raw_string_ostream(argument.type) << entry.getArgumentTypes()[i];
    argument.shape.assign(value.memref->sizes.begin(),
                          value.memref->sizes.end());
    Array actual = readAll(*value.memref);
    argument.summary = summarize(actual);
    tilec::ComparisonRule rule = options.getRule(i);
    if (options.check)
      argument.check = compare(actual, readAll(*expected[i].memref), rule);
    if (auto it = expectations.find(i); it != expectations.end()) {
      // The file is what is expected, as closely as the reference says.
      const SmallVector<RuntimeValue> &bounded =
          expected.empty() ? results : expected;
      Array reference = readAll(*bounded[i].memref);
      it->second.bounds = reference.bounds;
      argument.files.push_back({options.expectations.at(i),
                                compare(actual, it->second, rule, &reference)});
    }
    report.arguments.push_back(std::move(argument));
  }
}

bool Session::writeFiles() {
  for (auto &[number, path] : options.outputs) {
    const MemRef &memref = *results[number].memref;
    std::string error;
    if (!tilec::writeNpy(path, toNpy(readAll(memref), memref.sizes), error))
      return fail(error) == 0;
  }
  return true;
}

int Session::run() {
  report.entry = entry.getName().str();
  if (!prepare())
    return 1;
  report.executor = getName(executor);
  if (runAll()) {
    compareAll();
    report.hasFailed = !writeFiles();
    if (!options.writesJson)
      printText(report, options, llvm::outs());
  }
  if (options.writesJson)
    printJson(report, options, llvm::outs());
  return report.hasFailed || !report.isEqual() ? 1 : 0;
}
