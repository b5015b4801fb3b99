//===- MaterializeScratch.cpp - Exchanges through named buffers -----------===//
//
// Requires laid_out, establishes materialized.
//
//===----------------------------------------------------------------------===//

#include "tile/Transforms/Passes.h"
#include "tile/Transforms/StageContract.h"

#define DEBUG_TYPE "tile-materialize-scratch"

namespace mlir::tile {
#define GEN_PASS_DEF_MATERIALIZESCRATCH
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

namespace {
struct MaterializeScratch
    : tile::impl::MaterializeScratchBase<MaterializeScratch> {
  void runOnOperation() override {
    auto launches = getLaunches(getOperation(), getArgument());
    if (failed(launches))
      return signalPassFailure();
    for (LaunchOp launch : *launches)
      establishStage(launch, getArgument());
  }
};
} // namespace
