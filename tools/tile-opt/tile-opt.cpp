//===- tile-opt.cpp - The optimizer driver --------------------------------===//
//
// An ordinary MLIR opt tool with the tile dialect, its passes and everything
// upstream; with --emit a compiler from a file to PTX (EmitMain.h).
//
//===----------------------------------------------------------------------===//

#include "EmitMain.h"
#include "Output.h"

#include "../HeapPages.h"

#include "tile/Conversion/Passes.h"
#include "tile/Dialect/Tile/TileDialect.h"
#include "tile/Pipeline/Pipeline.h"
#include "tile/Target/PTX/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

static void printVersion(llvm::raw_ostream &os) {
  os << "tile-opt " << TILE_VERSION << " (LLVM " << LLVM_VERSION_STRING
     << ")\n";
}

/// What MLIR's driver does, but a file that cannot be written is an error that
/// names it.
static int runOptimizer(int argc, char **argv,
                        mlir::DialectRegistry &registry) {
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "tile optimizer driver\n", registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (output == "-" || config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM initialize(argc, argv);
  std::string message;
  auto file = mlir::openInputFile(input, &message);
  if (!file)
    return mlir::tile::fail(message);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(mlir::MlirOptMain(os, std::move(file), registry, config)))
    return 1;
  return mlir::tile::writeOutput(output, text);
}

int main(int argc, char **argv) {
  mlir::tile::useLargeHeapPages();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mlir::tile::TileDialect>();
  mlir::tile::registerConvertToLLVMInterfaces(registry);
  mlir::tile::registerPtxTranslation(registry);
  llvm::cl::SetVersionPrinter(printVersion);
  if (auto word = tilec::getCompletedWord(argc, argv)) {
    mlir::registerAllPasses();
    mlir::tile::registerTilePipelines();
    return tilec::printCompletions(mlir::tile::getCompletions(registry), *word);
  }
  if (mlir::tile::isEmitCommand(argc, argv))
    return mlir::tile::runEmitCommand(argc, argv, registry);

  if (std::string error = mlir::tile::checkOwnOptions(argc, argv);
      !error.empty()) {
    llvm::errs() << "error: " << error << "\n";
    return 1;
  }
  mlir::tile::printOwnHelp(argc, argv);
  mlir::registerAllPasses();
  mlir::tile::registerTilePipelines();
  return runOptimizer(argc, argv, registry);
}
