//===- tile-run.cpp - Executes a tile program ----------------------------===//
//
// Builds the arguments, runs the entry function on an executor and, with
// --check, the reference semantics of the same source, and compares every
// memref argument.
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "../ChipOption.h"
#include "../Completion.h"
#include "../HeapPages.h"

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Pipeline/Register.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

/// The function named, or the only public one with a body.
static func::FuncOp findEntry(ModuleOp module, StringRef name,
                              std::string &error) {
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

/// Functions that `entry` does not reach take no part in the run: they would cost
/// the time to compile them.
static LogicalResult dropUnreachable(ModuleOp module, func::FuncOp entry) {
  for (auto function : module.getOps<func::FuncOp>())
    function.setPrivate();
  entry.setPublic();
  PassManager passes(module.getContext());
  passes.addPass(createSymbolDCEPass());
  return passes.run(module);
}

/// What could not be written to standard output is an error, as on a full disk.
static int finish(int status) {
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return status;
  std::string reason = llvm::outs().error().message();
  llvm::outs().clear_error();
  return fail("cannot write standard output: " + reason);
}

/// What no check of a size foresaw; nothing may be allocated here.
static void endWithoutMemory(void *, const char *, bool) {
  std::fputs("error: memory does not suffice for the program\n", stderr);
  std::_Exit(1);
}

int main(int argc, char **argv) {
  useLargeHeapPages();
  llvm::InitLLVM initialize(argc, argv);
  llvm::install_bad_alloc_error_handler(endWithoutMemory);
  if (auto word = tilec::getCompletedWord(argc, argv)) {
    auto completions = tilec::readHelp(helpText);
    tilec::addValues(completions, "chip", getChipNames());
    return tilec::printCompletions(std::move(completions), *word);
  }
  std::string error;
  std::optional<RunOptions> options = parseOptions(argc, argv, error);
  if (!options)
    return fail(error);
  if (options->showHelp) {
    llvm::outs() << helpText;
    return finish(0);
  }
  if (options->showVersion) {
    llvm::outs() << "tile-run " << TILE_VERSION << "\n";
    return finish(0);
  }
  if (error = checkChipName(options->chip); !error.empty())
    return fail(error);
  if (options->listOperations) {
    for (StringRef name : getInterpretedOperations())
      llvm::outs() << name << "\n";
    return finish(0);
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
  if (failed(verifyChip(*module, options->chip)) ||
      failed(dropUnreachable(*module, entry)))
    return 1;
  if (compiles)
    options->chip = *chooseChip(*module, options->chip);
  return finish(Session(*options, *module, entry).run());
}
