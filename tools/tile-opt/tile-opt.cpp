//===- tile-opt.cpp - The optimizer driver --------------------------------===//
//
// An ordinary MLIR opt tool with the tile dialect and everything upstream.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileDialect.h"
#include "tile/Transforms/Passes.h"
#ifdef TILE_HAS_PIPELINE
#include "tile/Pipeline/Pipeline.h"
#endif

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mlir::tile::TileDialect>();
  mlir::registerAllPasses();
#ifdef TILE_HAS_PIPELINE
  mlir::tile::registerTilePipelines();
#else
  mlir::tile::registerTileTransformsPasses();
#endif
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "tile optimizer driver\n", registry));
}
