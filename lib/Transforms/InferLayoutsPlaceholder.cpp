//===- InferLayoutsPlaceholder.cpp - Until layouts are inferred -----------===//
//
// Stands in for `tile-infer-layouts` while InferLayouts.cpp does not exist: it
// refuses every launch. Files at stage laid_out are taken on from there.
//
//===----------------------------------------------------------------------===//

#include "tile/Transforms/Passes.h"
#include "tile/Transforms/StageContract.h"

namespace mlir::tile {
#define GEN_PASS_DEF_INFERLAYOUTS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

namespace {
struct InferLayouts : tile::impl::InferLayoutsBase<InferLayouts> {
  void runOnOperation() override {
    auto launches = getLaunches(getOperation(), getArgument());
    if (failed(launches))
      return signalPassFailure();
    for (LaunchOp launch : *launches) {
      launch.emitError("not implemented yet: layout inference");
      signalPassFailure();
    }
  }
};
} // namespace
