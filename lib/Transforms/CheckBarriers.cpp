//===- CheckBarriers.cpp - Barriers order all conflicting accesses --------===//
//
// Requires and keeps synchronized. What the stage promises needs paths and
// layouts to be seen, so it is not checked by the verifier after every pass but
// by this pass, with an analysis of its own (BarrierCheck.h).
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/BarrierCheck.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Transforms/Passes.h"

#include "llvm/ADT/StringExtras.h"

#define DEBUG_TYPE "tile-check-barriers"

namespace mlir::tile {
#define GEN_PASS_DEF_CHECKBARRIERS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// What to put between two accesses.
static std::string getRemedy(const UncoveredPair &pair) {
  SmallVector<StringRef> steps;
  if (pair.needsWait)
    steps.push_back("'tile.copy_wait'");
  if (pair.needsProductWait)
    steps.push_back("'tile.product_wait'");
  if (pair.needsFence)
    steps.push_back("'tile.proxy_fence'");
  if (pair.scope == ConflictScope::Warp)
    steps.push_back("'tile.barrier {scope = #tile.scope<warp>}'");
  if (pair.scope == ConflictScope::Block)
    steps.push_back("'tile.barrier'");
  return llvm::join(steps, " and then ");
}

static void reportPair(const UncoveredPair &pair) {
  InFlightDiagnostic error =
      pair.later->emitError("touches bytes that ")
      << (pair.needsWait          ? "a copy in flight"
          : pair.needsProductWait ? "a product in flight"
                                  : "another thread")
      << " may be using still, on a path without an order; put "
      << getRemedy(pair) << " on every path between the two";
  error.attachNote(pair.earlier->getLoc())
      << (pair.earlier == pair.later ? "here, in an iteration before"
                                     : "the access before is here");
}

namespace {
struct CheckBarriers final : tile::impl::CheckBarriersBase<CheckBarriers> {
  void runOnOperation() override {
    auto check = [](LaunchOp launch) -> LogicalResult {
      if (!launch.getBody().getOps<SpecializeOp>().empty())
        return emitErrorWithoutRegions(launch)
               << "is taken apart into roles; check its barriers before "
                  "tile-specialize-warps";
      SmallVector<UncoveredPair> pairs = findUncoveredPairs(launch);
      for (const UncoveredPair &pair : pairs)
        reportPair(pair);
      return success(pairs.empty());
    };
    if (failed(transformLaunches(getOperation(), getArgument(), check)))
      signalPassFailure();
  }
};
} // namespace
