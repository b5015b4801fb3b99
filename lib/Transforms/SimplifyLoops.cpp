//===- SimplifyLoops.cpp - Removes loops that do not go round -------------===//
//
// Requires and keeps any stage.
//
// The language counts the iterations of an `scf.for` over the integers, in the
// signedness of the loop. Upstream's pattern of the same purpose counts in the
// loop's type, as signed numbers where the step is concerned: an unsigned step
// of 200 in i8 is negative, 127 - (-100) wraps, and the loop is taken to have
// no iteration. The pipeline canonicalises without that pattern and runs this
// pass instead.
//
//===----------------------------------------------------------------------===//

#include "FoldViews.h"
#include "SaturatingCasts.h"

#include "tile/Dialect/Tile/ScheduleHints.h"
#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringExtras.h"

#define DEBUG_TYPE "tile-simplify-loops"

namespace mlir::tile {
#define GEN_PASS_DEF_SIMPLIFYLOOPS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// How often the loop runs, if its bounds say; nothing where they do not, or
/// the step is not positive.
static std::optional<APInt> getIterationCount(scf::ForOp loop) {
  if (loop.getLowerBound() == loop.getUpperBound())
    return APInt(1, 0);
  APInt lower, upper, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return std::nullopt;
  // One bit for the difference, one for its sign.
  unsigned wide = lower.getBitWidth() + 2;
  auto widen = [&](const APInt &value) {
    return loop.getUnsignedCmp() ? value.zext(wide) : value.sext(wide);
  };
  APInt distance = widen(upper) - widen(lower), by = widen(step);
  if (!by.isStrictlyPositive())
    return std::nullopt;
  if (!distance.isStrictlyPositive())
    return APInt(wide, 0);
  return llvm::APIntOps::RoundingUDiv(distance, by, APInt::Rounding::UP);
}

/// A constant step of a loop in a launch is positive: no other loop ends.
static LogicalResult verifyStep(scf::ForOp loop) {
  APInt step;
  if (!loop->getParentOfType<LaunchOp>() ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return success();
  if (loop.getUnsignedCmp() ? !step.isZero() : step.isStrictlyPositive())
    return success();
  return emitError(loop.getLoc())
         << "the step of the loop is "
         << llvm::toString(step, /*Radix=*/10, !loop.getUnsignedCmp())
         << "; it must be positive: to count down, compute the number from one "
            "that counts up";
}

static LogicalResult verifySteps(Operation *root) {
  bool hasFailed = false;
  root->walk([&](scf::ForOp loop) { hasFailed |= failed(verifyStep(loop)); });
  return failure(hasFailed);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Without the loop nothing is left to say when its operations run.
static void removeSchedule(scf::ForOp loop) {
  for (Operation &op : loop.getBody()->without_terminator())
    removeScheduleHint(&op);
}

namespace {

// Pattern: scf.for -> its inits               [if it never runs]
//          scf.for -> its body                [if it runs once]
//          scf.for -> what it yields          [if it runs, does nothing else and
//                                              yields values from outside]
struct SimplifyLoop final : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp loop,
                                PatternRewriter &rewriter) const override {
    std::optional<APInt> count = getIterationCount(loop);
    if (!count)
      return rewriter.notifyMatchFailure(loop, "iterations are not known");
    if (count->isZero()) {
      rewriter.replaceOp(loop, loop.getInitArgs());
      return success();
    }
    Operation *yield = loop.getBody()->getTerminator();
    if (count->isOne()) {
      removeSchedule(loop);
      SmallVector<Value> arguments = {loop.getLowerBound()};
      llvm::append_range(arguments, loop.getInitArgs());
      rewriter.inlineBlockBefore(loop.getBody(), loop, arguments);
      rewriter.replaceOp(loop, SmallVector<Value>(yield->getOperands()));
      rewriter.eraseOp(yield);
      return success();
    }
    if (!llvm::hasSingleElement(*loop.getBody()) ||
        !llvm::all_of(yield->getOperands(), [&](Value value) {
          return loop.isDefinedOutsideOfLoop(value);
        }))
      return rewriter.notifyMatchFailure(loop, "it goes round");
    rewriter.replaceOp(loop, SmallVector<Value>(yield->getOperands()));
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct SimplifyLoopsPass final
    : tile::impl::SimplifyLoopsBase<SimplifyLoopsPass> {
  void runOnOperation() override {
    if (failed(verifySteps(getOperation())))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<SimplifyLoop>(&getContext());
    replaceSizesOfViews(getOperation());
    HiddenSaturatingCasts hidden(getOperation());
    ScheduleHintKeeper hints;
    GreedyRewriteConfig config;
    config.setListener(&hints);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
