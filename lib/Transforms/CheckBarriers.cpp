//===- CheckBarriers.cpp - Barriers order all conflicting accesses --------===//
//
// Requires and keeps synchronized. What the stage promises needs paths and
// layouts to be seen, so it is not checked by the verifier after every pass but
// by this pass, with an analysis of its own (BarrierCheck.h).
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/BarrierCheck.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-check-barriers"

namespace mlir::tile {
#define GEN_PASS_DEF_CHECKBARRIERS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// What to put between two accesses.
static std::string getRemedy(const UncoveredPair &pair) {
  std::string remedy;
  if (pair.needsWait)
    remedy = "'tile.copy_wait'";
  if (pair.scope == ConflictScope::Thread)
    return remedy;
  if (pair.needsWait)
    remedy += " and then ";
  return remedy + (pair.scope == ConflictScope::Warp
                       ? "'tile.barrier {scope = #tile.scope<warp>}'"
                       : "'tile.barrier'");
}

static void reportPair(const UncoveredPair &pair) {
  InFlightDiagnostic error =
      pair.later->emitError("touches bytes that ")
      << (pair.needsWait ? "a copy in flight" : "another thread")
      << " may be using still, on a path without an order; put "
      << getRemedy(pair) << " on every path between the two";
  error.attachNote(pair.earlier->getLoc())
      << (pair.earlier == pair.later ? "here, in an iteration before"
                                     : "the access before is here");
}

namespace {
struct CheckBarriers final : tile::impl::CheckBarriersBase<CheckBarriers> {
  void runOnOperation() override {
    auto check = [](LaunchOp launch) {
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
