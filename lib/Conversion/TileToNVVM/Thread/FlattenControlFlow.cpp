//===- FlattenControlFlow.cpp - Loops and conditions become branches ------===//
//
// The patterns are upstream's, but for loops of kernels that have many. Its pass applies
// them from the first operation of a kernel on, so that every split of a block moves the
// rest of the kernel, one operation after the other: a kernel of 256 loops moves its
// operations a thousand times. From the last operation on each moves once.
//
//===----------------------------------------------------------------------===//

#include "tile/Conversion/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
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
/// A loop asks behind each iteration whether there is another, and in front whether there is
/// a first one:
///
///     scf.for %i = %b to %e {     ->     cond_br %b < %e, ^body(%b), ^exit
///       ...                            ^body(%i):
///     }                                  ...
///                                        cond_br %i + step < %e, ^body(%i + step), ^exit
///
/// LLVM makes that of a question in front of each iteration, one loop after the other, and
/// corrects each time what it knows of the order of all blocks behind.
struct InvertFor : OpRewritePattern<scf::ForOp> {
  InvertFor(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(scf::ForOp loop,
                                PatternRewriter &rewriter) const override;
};
} // namespace

LogicalResult InvertFor::matchAndRewrite(scf::ForOp loop,
                                         PatternRewriter &rewriter) const {
  Location loc = loop.getLoc();
  Block *front = loop->getBlock(), *body = loop.getBody();
  Block *exit = rewriter.splitBlock(front, loop->getIterator());
  for (Type type : loop.getResultTypes())
    exit->addArgument(type, loc);
  auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                         : arith::CmpIPredicate::slt;
  auto enterIfBelow = [&](Value number, ValueRange values) {
    Value isBelow = arith::CmpIOp::create(rewriter, loc, predicate, number,
                                          loop.getUpperBound());
    SmallVector<Value> entered = {number};
    llvm::append_range(entered, values);
    return cf::CondBranchOp::create(rewriter, loc, isBelow, body, entered, exit,
                                    values);
  };
  rewriter.setInsertionPointToEnd(front);
  enterIfBelow(loop.getLowerBound(), loop.getInitArgs());
  Operation *yield = body->getTerminator();
  rewriter.setInsertionPoint(yield);
  Value next = arith::AddIOp::create(rewriter, loc, loop.getInductionVar(),
                                     loop.getStep());
  // What LLVM is told of a loop stands at its last branch.
  enterIfBelow(next, yield->getOperands())
      ->setDiscardableAttrs(llvm::to_vector(loop->getDiscardableAttrs()));
  rewriter.eraseOp(yield);
  rewriter.inlineRegionBefore(loop.getRegion(), exit);
  rewriter.replaceOp(loop, exit->getArguments());
  return success();
}

/// Of a kernel that has no more loops LLVM inverts them itself, and makes an instruction
/// less here and there; of more it takes the square of their number
/// (docs/decisions/0024-tools-hold-llvm.md).
static constexpr int64_t mostLoops = 100;

namespace {
struct FlattenControlFlow
    : tile::impl::FlattenControlFlowBase<FlattenControlFlow> {
  void runOnOperation() override {
    // The patterns expect regions as they were written: what is around comes first.
    SmallVector<Operation *> structured;
    getOperation().walk<WalkOrder::PreOrder, ReverseIterator>(
        [&](Operation *op) {
          if (isa<scf::SCFDialect>(op->getDialect()) && op->getNumRegions() > 0)
            structured.push_back(op);
        });
    if (structured.empty())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    if (llvm::count_if(structured, llvm::IsaPred<scf::ForOp>) > mostLoops)
      patterns.add<InvertFor>(&getContext());
    FrozenRewritePatternSet frozen(std::move(patterns));
    PatternApplicator applicator(frozen);
    applicator.applyDefaultCostModel();
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
