//===- tile-test-opt.cpp - The optimizer driver with test passes ----------===//

#include "TestPasses.h"

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
  mlir::registerAllPasses();
  mlir::tile::registerTilePipelines();
  mlir::tile::test::registerTestIndexFactsPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "tile test driver\n", registry));
}
