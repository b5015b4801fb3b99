//===- DeadCounters.cpp - Numbers that loops carry for nothing ------------===//

#include "DeadCounters.h"

#include "tile/Analysis/LoopValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
/// The values that are used for more than sums that loops carry.
class UsedValues {
public:
  explicit UsedValues(LaunchOp launch);
  bool contains(Value value) const { return used.contains(value); }

private:
  void mark(Value value);
  void markCarried(scf::ForOp loop, unsigned index);

  llvm::DenseSet<Value> used;
  SmallVector<Value> worklist;
};
} // namespace

void UsedValues::mark(Value value) {
  if (used.insert(value).second)
    worklist.push_back(value);
}

void UsedValues::markCarried(scf::ForOp loop, unsigned index) {
  mark(loop.getInitArgs()[index]);
  mark(loop.getYieldedValues()[index]);
  mark(loop.getRegionIterArg(index));
  mark(loop.getResult(index));
}

UsedValues::UsedValues(LaunchOp launch) {
  auto markAll = [&](ValueRange values) {
    llvm::for_each(values, [&](Value value) { mark(value); });
  };
  launch.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([](arith::AddIOp) {})
        .Case([&](scf::ForOp loop) {
          markAll(loop->getOperands().take_front(loop.getNumControlOperands()));
        })
        .Case([&](scf::YieldOp yield) {
          if (!isa<scf::ForOp>(yield->getParentOp()))
            markAll(yield.getResults());
        })
        .Default([&](Operation *) { markAll(op->getOperands()); });
  });
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (std::optional<LoopValue> ofLoop = getLoopValue(value)) {
      if (ofLoop->carried)
        markCarried(ofLoop->loop, *ofLoop->carried);
    } else if (auto add = value.getDefiningOp<arith::AddIOp>()) {
      markAll(add->getOperands());
    }
  }
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Erases the sums of indices that nothing uses.
static void eraseUnusedSums(LaunchOp launch) {
  launch.walk<WalkOrder::PostOrder, ReverseIterator>([](arith::AddIOp add) {
    if (add.getType().isIndex() && add->use_empty())
      add.erase();
  });
}

/// The loop without what it carries at the indices of `dead`.
static void removeCarried(scf::ForOp loop, const llvm::BitVector &dead,
                          RewriterBase &rewriter) {
  SmallVector<Value> inits, yielded;
  for (unsigned i = 0; i < dead.size(); ++i) {
    if (dead[i])
      continue;
    inits.push_back(loop.getInitArgs()[i]);
    yielded.push_back(loop.getYieldedValues()[i]);
  }
  rewriter.setInsertionPoint(loop);
  auto smaller = scf::ForOp::create(
      rewriter, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
      loop.getStep(), inits, /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  smaller->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  // Sums that are left of a dead value are dead too: any value does for them.
  SmallVector<Value> arguments = {smaller.getInductionVar()};
  SmallVector<Value> results;
  for (unsigned i = 0, kept = 0; i < dead.size(); ++i) {
    arguments.push_back(dead[i] ? loop.getInitArgs()[i]
                                : Value(smaller.getRegionIterArg(kept)));
    results.push_back(dead[i] ? loop.getInitArgs()[i]
                              : Value(smaller.getResult(kept)));
    kept += dead[i] ? 0 : 1;
  }
  Operation *yield = loop.getBody()->getTerminator();
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
  if (!smaller.getBody()->empty())
    rewriter.eraseOp(smaller.getBody()->getTerminator());
  rewriter.mergeBlocks(loop.getBody(), smaller.getBody(), arguments);
  rewriter.replaceOp(loop, results);
}

void tile::removeDeadCounters(LaunchOp launch) {
  UsedValues used(launch);
  SmallVector<std::pair<scf::ForOp, llvm::BitVector>> loops;
  launch.walk<WalkOrder::PostOrder>([&](scf::ForOp loop) {
    llvm::BitVector dead(loop.getNumRegionIterArgs());
    for (unsigned i = 0; i < dead.size(); ++i)
      dead[i] = loop.getRegionIterArg(i).getType().isIndex() &&
                !used.contains(loop.getRegionIterArg(i)) &&
                !used.contains(loop.getResult(i));
    if (dead.any())
      loops.push_back({loop, std::move(dead)});
  });
  IRRewriter rewriter(launch.getContext());
  for (auto &[loop, dead] : loops)
    removeCarried(loop, dead, rewriter);
  eraseUnusedSums(launch);
}
