//===- tile-run.cpp - Executes a tile program ----------------------------===//
//
// Builds the arguments, runs the entry function on an executor and, with
// --check, the reference semantics of the same source, and compares every
// memref argument.
//
//===----------------------------------------------------------------------===//

#include "Execute.h"
#include "Options.h"
#include "Progress.h"

#include "../ChipOption.h"

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Pipeline/Register.h"
#include "tile/Runtime/CudaLauncher.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

int fail(const Twine &message) {
  llvm::outs().flush();
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

/// The function named, or the only public one with a body.
func::FuncOp findEntry(ModuleOp module, StringRef name, std::string &error) {
  SmallVector<func::FuncOp> candidates;
  std::string names;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    if (function.getName() == name)
      return function;
    names += (names.empty() ? "" : ", ") + function.getName().str();
    if (function.isPublic())
      candidates.push_back(function);
  }
  if (name.empty() && candidates.size() == 1)
    return candidates.front();
  if (!name.empty())
    error = "there is no function '" + name.str() +
            "' with a body; the file "
            "has " +
            (names.empty() ? "none" : names);
  else
    error = "which function to run is missing; give it by --entry=NAME. The "
            "file has " +
            (names.empty() ? "none" : names);
  return nullptr;
}

/// One run of the tool after its options and file have been read.
class Session {
public:
  Session(const RunOptions &options, ModuleOp module, func::FuncOp entry)
      : options(options), module(module), entry(entry),
        precision(getNarrowestPrecision(entry)) {}

  int run();

private:
  bool chooseExecutor(Executor &executor);
  bool checkOutputOptions();
  int execute(Executor executor);
  bool compareWithReference();
  bool compareWithFiles();
  bool writeFiles();
  void summarize();

  const RunOptions &options;
  ModuleOp module;
  func::FuncOp entry;
  int precision;
  SmallVector<RuntimeValue> initial, results, expected;
};

} // namespace

/// `auto` is a GPU where the driver has one. Without one `cuda` is an error
/// before anything is compiled.
bool Session::chooseExecutor(Executor &executor) {
  executor = options.executor;
  if (executor == Executor::Reference &&
      options.statistics != StatisticsFormat::None)
    return fail("--stats: only the emulator counts; use --on=emulator") == 0;
  if (!options.jobDirectory.empty() && executor != Executor::Emulator)
    return fail("--save-jobs: what a job expects comes from the emulator; use "
                "--on=emulator") == 0;
  if (executor != Executor::Auto && executor != Executor::Cuda)
    return true;
  std::string error;
  bool hasDevice = CudaLauncher::create(module, error) != nullptr;
  if (executor == Executor::Auto)
    executor = hasDevice ? Executor::Cuda : Executor::Emulator;
  else if (!hasDevice)
    return fail("--on=cuda: " + error + "; use --on=emulator") == 0;
  if (executor == Executor::Cuda &&
      options.statistics != StatisticsFormat::None)
    return fail("--stats: only the emulator counts; use --on=emulator") == 0;
  return true;
}

bool Session::checkOutputOptions() {
  for (const auto *files : {&options.outputs, &options.expectations})
    for (auto &[number, path] : *files)
      if (number >= entry.getNumArguments() ||
          !isa<MemRefType>(entry.getArgumentTypes()[number])) {
        fail("--" + Twine(files == &options.outputs ? "out" : "expect") + "=" +
             Twine(number) + ":" + path + ": argument " + Twine(number) +
             " is no memref of\n" + describeSignature(entry));
        return false;
      }
  for (auto &[number, tolerance] : options.toleranceOf)
    if (number >= entry.getNumArguments() ||
        !isa<MemRefType>(entry.getArgumentTypes()[number])) {
      fail((tolerance.rtol ? "--rtol=" : "--atol=") + Twine(number) +
           ":..: argument " + Twine(number) + " is no memref of\n" +
           describeSignature(entry));
      return false;
    }
  return true;
}

int Session::execute(Executor executor) {
  results = cloneArguments(initial);
  Progress progress("running '" + entry.getName().str() +
                    (executor == Executor::Reference  ? "' by the reference"
                     : executor == Executor::Emulator ? "' on the emulator"
                                                      : "' on the GPU"));
  if (executor == Executor::Reference)
    return failed(runReference(entry, results, options, &llvm::outs()));
  FailureOr<OwningOpRef<ModuleOp>> compiled = compile(module, options.chip);
  if (failed(compiled))
    return 1;
  return failed(runCompiled(module, **compiled, entry.getName(), results,
                            executor, precision, options));
}

bool Session::compareWithReference() {
  bool isEqual = true;
  for (auto [i, value] : llvm::enumerate(expected)) {
    if (!value.memref)
      continue;
    Comparison comparison =
        compare(readAll(*results[i].memref), readAll(*value.memref), precision,
                options.getTolerance(i));
    llvm::outs() << "argument " << i << ": " << entry.getArgumentTypes()[i]
                 << " " << describe(comparison, value.memref->sizes) << "\n";
    isEqual &= comparison.isEqual();
  }
  return isEqual;
}

bool Session::compareWithFiles() {
  bool isEqual = true;
  for (auto &[number, path] : options.expectations) {
    const MemRef &memref = *results[number].memref;
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
    Comparison comparison = compare(readAll(memref), *contents, precision,
                                    options.getTolerance(number));
    llvm::outs() << "argument " << number << " and " << path << ": "
                 << describe(comparison, memref.sizes) << "\n";
    isEqual &= comparison.isEqual();
  }
  return isEqual;
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

/// Without a comparison a line still says what came out.
void Session::summarize() {
  for (auto [i, value] : llvm::enumerate(results)) {
    if (!value.memref)
      continue;
    Array array = readAll(*value.memref);
    llvm::outs() << "argument " << i << ": " << entry.getArgumentTypes()[i]
                 << " " << array.count << " elements";
    double sum = 0, least = 0, most = 0;
    int64_t defined = 0, nans = 0;
    for (int64_t k = 0; k < array.count; ++k) {
      if (array.isPoison(k))
        continue;
      double x = array.type.bits == 1 ? array.isTrue(k) : array.getDouble(k);
      if (std::isnan(x)) {
        ++nans;
        continue;
      }
      least = defined ? std::min(least, x) : x;
      most = defined ? std::max(most, x) : x;
      sum += x;
      ++defined;
    }
    if (defined)
      llvm::outs() << llvm::format(", from %g to %g, mean %g", least, most,
                                   sum / static_cast<double>(defined));
    if (nans != 0)
      llvm::outs() << ", " << nans << " NaN";
    if (defined + nans != array.count)
      llvm::outs() << ", " << array.count - defined - nans << " undefined";
    llvm::outs() << "\n";
  }
}

int Session::run() {
  Executor executor;
  std::string error;
  if (!chooseExecutor(executor) || !checkOutputOptions())
    return 1;
  auto built = buildArguments(entry, options.arguments, error);
  if (!built)
    return fail(error);
  initial = *built;
  // The reference first: a program that it refuses has no result to compare.
  bool wantsReference = options.check || options.checkStages;
  if (error = checkCopies(initial, wantsReference ? 2 : 1); !error.empty())
    return fail(error);
  if (wantsReference) {
    expected = cloneArguments(initial);
    Progress progress("running '" + entry.getName().str() +
                      "' by the reference");
    if (failed(runReference(entry, expected, options,
                            executor == Executor::Reference ? &llvm::outs()
                                                            : nullptr)))
      return 1;
  }
  if (options.checkStages &&
      failed(checkStages(module, entry.getName(), initial, expected, options)))
    return 1;
  if (int status = execute(executor))
    return status;
  bool isEqual = true;
  if (options.check)
    isEqual = compareWithReference();
  else
    summarize();
  isEqual &= compareWithFiles();
  return writeFiles() && isEqual ? 0 : 1;
}

/// What no check of a size foresaw; nothing may be allocated here.
static void endWithoutMemory(void *, const char *, bool) {
  std::fputs("error: memory does not suffice for the program\n", stderr);
  std::_Exit(1);
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialize(argc, argv);
  llvm::install_bad_alloc_error_handler(endWithoutMemory);
  std::string error;
  std::optional<RunOptions> options = parseOptions(argc, argv, error);
  if (!options)
    return fail(error);
  if (options->showHelp) {
    llvm::outs() << helpText;
    return 0;
  }
  if (error = checkChipName(options->chip); !error.empty())
    return fail(error);
  if (options->listOperations) {
    for (StringRef name : getInterpretedOperations())
      llvm::outs() << name << "\n";
    return 0;
  }

  DialectRegistry registry;
  registerTileDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);

  auto file = llvm::MemoryBuffer::getFileOrSTDIN(options->inputFile);
  if (!file)
    return fail("cannot read '" + options->inputFile +
                "': " + file.getError().message());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*file), {});
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;
  func::FuncOp entry = findEntry(*module, options->entry, error);
  if (!entry)
    return fail(error);
  // The reference compiles nothing and needs no chip, but a wrong one is wrong.
  bool compiles =
      options->executor != Executor::Reference || options->checkStages;
  if (failed(verifyChip(*module, options->chip)))
    return 1;
  if (compiles)
    options->chip = *chooseChip(*module, options->chip);
  return Session(*options, *module, entry).run();
}
