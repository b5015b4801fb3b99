//===- tile-opt.cpp - The optimizer driver --------------------------------===//
//
// An ordinary MLIR opt tool with the tile dialect, its passes and everything
// upstream; with --emit a compiler from a file to PTX (EmitMain.h).
//
//===----------------------------------------------------------------------===//

#include "EmitMain.h"

#include "tile/Conversion/Passes.h"
#include "tile/Dialect/Tile/TileDialect.h"
#include "tile/Pipeline/Pipeline.h"
#include "tile/Target/PTX/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mlir::tile::TileDialect>();
  mlir::tile::registerConvertToLLVMInterfaces(registry);
  mlir::tile::registerPtxTranslation(registry);
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
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "tile optimizer driver\n", registry));
}
