//===- PendingSum.cpp - A sum that stays in flight over a loop -----------===//

#include "PendingSum.h"
#include "ProductLoop.h"

#include "tile/Analysis/NestedAccesses.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/RingNumbers.h"
#include "tile/Dialect/Tile/MemRefRoots.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
/// How a loop keeps its product in flight.
struct OverlapPlan {
  scf::ForOp loop;
  MatrixProductOpInterface product;
  unsigned argument = 0; ///< of the loop: the sum
  /// Of the slots that the product reads; each number is an iteration argument
  /// that counts by one.
  SmallVector<RingReleaseOp> releases;
  /// What fills these rings in front of the product, in order.
  llvm::SetVector<Operation *> fills;
};
} // namespace

MatrixProductOpInterface tile::findAccumulation(scf::ForOp loop) {
  for (auto product : loop.getBody()->getOps<MatrixProductOpInterface>()) {
    auto sum = dyn_cast_if_present<BlockArgument>(product.getC());
    if (!sum || sum.getOwner() != loop.getBody() || !isWaitedForLater(product))
      continue;
    bool isYielded =
        product->getResult(0).hasOneUse() &&
        loop.getTiedLoopYieldedValue(sum)->get() == product->getResult(0);
    if (sum.hasOneUse() && isYielded)
      return product;
  }
  return {};
}

/// Adds the release of what the product reads through `operand`; says what is
/// in the way if there is not one that can stand behind the next product.
static std::optional<StringRef> addRelease(OverlapPlan &plan, Value operand) {
  if (!isa<MemRefType>(operand.getType()))
    return "an operand is in registers";
  RingOp ring = findRing(operand);
  if (!ring && isWrittenIn(plan.loop, operand))
    return "an operand is written in the loop and in no ring; "
           "'tile.stages' gives slots to what copies from global memory fill";
  if (!ring)
    return std::nullopt;
  for (Operation *op = plan.product->getNextNode(); op; op = op->getNextNode())
    if (mayOverwrite(op, operand))
      return "what is behind it writes to the slot that it reads";
  SmallVector<RingReleaseOp> releases = findReleases(plan.loop, ring);
  // What is held over the whole loop is released behind the wait for the sum.
  if (releases.empty() && !isWrittenIn(plan.loop, operand))
    return std::nullopt;
  if (!isOneBehind(plan.loop, plan.product, releases))
    return "a slot that it reads is not released once an iteration, behind it";
  if (!llvm::is_contained(plan.releases, releases.front()))
    plan.releases.push_back(releases.front());
  return std::nullopt;
}

/// Whether one of the fills collected is of the use that `wait` waits for.
static bool waitsForFill(const OverlapPlan &plan, Operation *wait) {
  return llvm::any_of(plan.fills, [&](Operation *fill) {
    return getRingUseKind(fill) == RingUseKind::Acquire &&
           llvm::equal(fill->getOperands(), wait->getOperands());
  });
}

/// Collects what fills the rings in front of the product; says what is in the
/// way of doing that behind it.
static std::optional<StringRef> collectFills(OverlapPlan &plan) {
  auto isOfRings = [&](Value ring) {
    return llvm::any_of(plan.releases, [&](RingReleaseOp release) {
      return release.getRing() == ring;
    });
  };
  for (Operation &op : *plan.loop.getBody()) {
    if (&op == plan.product)
      break;
    WalkResult walk = op.walk([&](Operation *inner) {
      std::optional<RingUseKind> kind = getRingUseKind(inner);
      bool fills =
          (kind == RingUseKind::Acquire || kind == RingUseKind::Commit) &&
          isOfRings(inner->getOperand(0));
      bool usesFill = llvm::any_of(inner->getOperands(), [&](Value operand) {
        return plan.fills.contains(operand.getDefiningOp());
      });
      return fills || usesFill ? WalkResult::interrupt()
                               : WalkResult::advance();
    });
    bool isWait = getRingUseKind(&op) == RingUseKind::Wait;
    bool stays = isWait || isMemoryEffectFree(&op);
    if (isWait && waitsForFill(plan, &op))
      return "it reads a slot in the iteration that fills it";
    if (walk.wasInterrupted())
      plan.fills.insert(&op);
    else if (!plan.fills.empty() && !stays)
      return "an operation stands between what fills its slots and it";
  }
  bool usesFill = llvm::any_of(plan.product->getOperands(), [&](Value operand) {
    return plan.fills.contains(operand.getDefiningOp());
  });
  if (usesFill)
    return "it reads a slot where it is filled";
  return std::nullopt;
}

/// What fills runs ahead if the ring has a slot more than the one that a product
/// in flight keeps.
static std::optional<StringRef> checkSlots(const OverlapPlan &plan) {
  for (RingReleaseOp release : plan.releases)
    if (cast<RingType>(release.getRing().getType()).getSlots() < 2)
      return "its ring has one slot";
  return std::nullopt;
}

/// What fills its rings behind the product finds one slot less while that is in flight,
/// which a schedule of the program may not have left.
static std::optional<StringRef> checkFillsBehind(const OverlapPlan &plan) {
  bool finds = true;
  scf::ForOp loop = plan.loop;
  loop.getBody()->walk([&](RingAcquireOp acquire) {
    Operation *fill = loop.getBody()->findAncestorOpInBlock(*acquire);
    if (fill->isBeforeInBlock(plan.product))
      return;
    for (RingReleaseOp release : plan.releases) {
      if (release.getRing() != acquire.getRing())
        continue;
      RingNumber filled = getRingNumber(acquire.getNumber());
      RingNumber read = getRingNumber(release.getNumber());
      int64_t slots = cast<RingType>(acquire.getRing().getType()).getSlots();
      finds &= filled.base == read.base && filled.offset - read.offset < slots;
    }
  });
  if (!finds)
    return "what is filled behind it may need the slot that it reads";
  return std::nullopt;
}

/// What is in the way of keeping a product in flight; nothing if the plan is
/// complete.
static std::optional<StringRef> planOverlap(OverlapPlan &plan) {
  scf::ForOp loop = plan.loop;
  if (countProducts(loop) > 1)
    return "there is another product in the loop";
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (trips && trips->ult(2))
    return "the loop runs once at most";
  for (Value operand : {plan.product.getA(), plan.product.getB()})
    if (auto obstacle = addRelease(plan, operand))
      return obstacle;
  if (auto obstacle = checkSlots(plan))
    return obstacle;
  // A producer of its own fills ahead by the ring.
  if (loop->getParentOfType<LaunchOp>().getRoles())
    return std::nullopt;
  if (auto obstacle = checkFillsBehind(plan))
    return obstacle;
  return collectFills(plan);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Emits the first iteration where `builder` stands; gives what it yields, the
/// sum pending.
static SmallVector<Value> peelFirst(OpBuilder &builder,
                                    const OverlapPlan &plan) {
  scf::ForOp loop = plan.loop;
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), loop.getLowerBound());
  mapping.map(loop.getRegionIterArgs(), loop.getInitArgs());
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (llvm::is_contained(plan.releases, &op))
      continue;
    if (&op != plan.product) {
      builder.clone(op, mapping);
      continue;
    }
    auto pending = startProduct(builder, plan.product, mapping);
    mapping.map(plan.product->getResult(0), pending.getResult());
  }
  SmallVector<Value> yielded;
  for (Value value : loop.getYieldedValues())
    yielded.push_back(mapping.lookupOrDefault(value));
  return yielded;
}

/// Emits the iterations behind the first, which yielded `inits`.
static scf::ForOp emitPending(OpBuilder &builder, OverlapPlan &plan,
                              ValueRange inits) {
  scf::ForOp rest = emitRest(builder, plan.loop, inits);
  OpBuilder inside(plan.product);
  IRMapping operands;
  operands.map(plan.product.getC(), rest.getRegionIterArg(plan.argument));
  auto pending = startProduct(inside, plan.product, operands);
  plan.product->getResult(0).replaceAllUsesWith(pending.getResult());
  plan.product->erase();
  Operation *last = pending;
  for (RingReleaseOp release : plan.releases) {
    release->moveAfter(last);
    OpBuilder before(release);
    release.getNumberMutable().set(
        getBefore(before, release.getLoc(), release.getNumber()));
    last = release;
  }
  for (Operation *fill : plan.fills) {
    fill->moveAfter(last);
    last = fill;
  }
  return rest;
}

/// Emits what stands behind the loop; gives its results, the sum waited for.
static SmallVector<Value> finish(OpBuilder &builder, const OverlapPlan &plan,
                                 scf::ForOp rest,
                                 ArrayRef<unsigned> releasedNumbers) {
  SmallVector<Value> results(rest.getResults());
  auto sum = WaitOp::create(
      builder, rest.getLoc(),
      cast<PendingType>(results[plan.argument].getType()).getFragment(),
      results[plan.argument]);
  for (auto [release, number] : llvm::zip(plan.releases, releasedNumbers))
    RingReleaseOp::create(
        builder, release->getLoc(), release->getOperand(0),
        getBefore(builder, release->getLoc(), rest.getResult(number)));
  results[plan.argument] = sum.getResult();
  return results;
}

// Pattern: for { sum = gemm a, b, sum }
//       -> first iteration; for { pending = gemm_async a, b, pending }; wait
//          without the loop where that would run once
static void applyOverlap(OverlapPlan &plan) {
  SmallVector<unsigned> numbers;
  for (RingReleaseOp release : plan.releases)
    numbers.push_back(cast<BlockArgument>(release.getNumber()).getArgNumber() -
                      plan.loop.getNumInductionVars());
  scf::ForOp rest;
  replaceLoop(plan.loop, [&](OpBuilder &builder) {
    SmallVector<Value> first = peelFirst(builder, plan);
    rest = emitPending(builder, plan, first);
    return finish(builder, plan, rest, numbers);
  });
  // Of two iterations the second needs no loop, in which it would not be known that
  // it is the last and fills no slot.
  IRRewriter rewriter(rest.getContext());
  (void)rest.promoteIfSingleIteration(rewriter);
}

std::optional<StringRef>
tile::keepSumPending(scf::ForOp loop, MatrixProductOpInterface product) {
  OverlapPlan plan;
  plan.loop = loop;
  plan.product = product;
  plan.argument = cast<BlockArgument>(product.getC()).getArgNumber() -
                  loop.getNumInductionVars();
  if (auto obstacle = planOverlap(plan))
    return obstacle;
  applyOverlap(plan);
  return std::nullopt;
}
