//===- Canonicalize.cpp - Canonicalisation that keeps every value ---------===//
//
// Requires and keeps any stage. Upstream's pass cannot be told what not to fold; of its
// patterns those are left out that
//
//   - make one rounding of two (an integer that goes to f8 goes there through f32);
//   - count iterations with wrapping (tile-simplify-loops counts them);
//   - take one dimension of a view for another (FoldViews.h has them right).
//
// What stands in place of an operation that has a schedule has its schedule.
//
//===----------------------------------------------------------------------===//

#include "FoldReshapes.h"
#include "FoldRows.h"
#include "FoldViews.h"
#include "SaturatingCasts.h"

#include "tile/Dialect/Tile/ScheduleHints.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::tile {
#define GEN_PASS_DEF_CANONICALIZE
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// The patterns that are left out, whose names are those of classes, as either compiler
/// spells an anonymous namespace.
static SmallVector<std::string> getInexactPatterns() {
  SmallVector<std::string> names;
  for (StringRef name : getWrongViewPatterns())
    names.push_back(name.str());
  for (StringRef scope : {"(anonymous namespace)::", "{anonymous}::"})
    for (StringRef name : {"TruncFSIToFPToSIToFP", "TruncFUIToFPToUIToFP",
                           "SimplifyTrivialLoops"})
      names.push_back((scope + name).str());
  return names;
}

namespace {
struct CanonicalizePass final : tile::impl::CanonicalizeBase<CanonicalizePass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(all);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(all, context);
    populateFoldReshapePatterns(all);
    populateFoldRowsPatterns(all);
    populateFoldViewPatterns(all);
    patterns = FrozenRewritePatternSet(std::move(all), getInexactPatterns());
    return success();
  }

  void runOnOperation() override {
    replaceSizesOfViews(getOperation());
    HiddenSaturatingCasts hidden(getOperation());
    ScheduleHintKeeper hints;
    GreedyRewriteConfig config;
    config.setListener(&hints);
    // What needs more rounds than the driver's limit is canonical enough.
    (void)applyPatternsGreedily(getOperation(), patterns, config);
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
