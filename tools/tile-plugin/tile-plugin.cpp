//===- tile-plugin.cpp - The dialect and passes for a stock mlir-opt ------===//
//
// Loaded by the distribution's own tool:
//
//   mlir-opt-22 --load-dialect-plugin=TilePlugin.so
//               --load-pass-plugin=TilePlugin.so
//               --pass-pipeline='builtin.module(tile-compile{chip=sm_80})'
//
// The host program and this library share one libMLIR, so that both mean the
// same registries.
//
//===----------------------------------------------------------------------===//

#include "tile/Pipeline/Pipeline.h"
#include "tile/Pipeline/Register.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/Compiler.h"

extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Tile", TILE_VERSION,
          [](mlir::DialectRegistry *registry) {
            mlir::tile::registerTileDialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Tile", TILE_VERSION,
          [] { mlir::tile::registerTilePipelines(); }};
}
