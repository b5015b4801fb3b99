//===- MaterializeScratch.cpp - Exchanges through named buffers -----------===//
//
// Requires laid_out, establishes materialized: everything whose lowering would
// need shared memory, or one thread acting for the block, is written out with
// buffers, stores, loads and `tile.once`. From here on no block-level operation
// needs a barrier inside itself.
//
// Comes before the schedule, because these buffers count against shared memory
// and their reuse in the next iteration constrains it. Scans may
// leave reductions; otherwise the parts are independent. Each has its file.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Dialect/Tile/ScheduleHints.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-materialize-scratch"

namespace mlir::tile {
#define GEN_PASS_DEF_MATERIALIZESCRATCH
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct MaterializeScratch
    : tile::impl::MaterializeScratchBase<MaterializeScratch> {
  void runOnOperation() override {
    ScheduleHintKeeper hints;
    IRRewriter rewriter(&getContext(), &hints);
    auto materialize = [&](LaunchOp launch) {
      return success(succeeded(materializeScans(launch, rewriter)) &&
                     succeeded(materializeReductions(launch, rewriter)) &&
                     succeeded(materializeExtracts(launch, rewriter)) &&
                     succeeded(materializeReplicatedLoops(launch, rewriter)) &&
                     succeeded(materializePrints(launch, rewriter)) &&
                     succeeded(loadPlacesAsUsed(launch, rewriter)) &&
                     succeeded(materializeReshapes(launch, rewriter)) &&
                     succeeded(materializeSlices(launch, rewriter)) &&
                     succeeded(materializeExchanges(launch, rewriter)) &&
                     succeeded(materializeRowStores(launch, rewriter)) &&
                     succeeded(materializeBlockEffects(launch, rewriter)));
    };
    if (failed(transformLaunches(getOperation(), getArgument(), materialize)))
      signalPassFailure();
  }
};
} // namespace
