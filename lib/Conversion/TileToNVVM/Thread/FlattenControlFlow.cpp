//===- FlattenControlFlow.cpp - Loops and conditions become branches ------===//
//
// The patterns are upstream's. Its pass applies them from the first operation of a
// kernel on, so that every split of a block moves the rest of the kernel, one operation
// after the other: a kernel of 256 loops moves its operations a thousand times. From the
// last operation on each moves once.
//
//===----------------------------------------------------------------------===//

#include "tile/Conversion/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/PatternApplicator.h"

namespace mlir::tile {
#define GEN_PASS_DEF_FLATTENCONTROLFLOW
#include "tile/Conversion/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

namespace {
struct FlattenControlFlow
    : tile::impl::FlattenControlFlowBase<FlattenControlFlow> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    PatternApplicator applicator(frozen);
    applicator.applyDefaultCostModel();
    // The patterns expect regions as they were written: what is around comes first.
    SmallVector<Operation *> structured;
    getOperation().walk<WalkOrder::PreOrder, ReverseIterator>(
        [&](Operation *op) {
          if (isa<scf::SCFDialect>(op->getDialect()) && op->getNumRegions() > 0)
            structured.push_back(op);
        });
    if (structured.empty())
      return markAllAnalysesPreserved();
    // Nobody listens to the rewriter: a block is split at once.
    PatternRewriter rewriter(&getContext());
    for (Operation *op : structured) {
      rewriter.setInsertionPoint(op);
      if (succeeded(applicator.matchAndRewrite(op, rewriter)))
        continue;
      op->emitOpError("does not become branches");
      return signalPassFailure();
    }
  }
};
} // namespace
