//===- OverlapProducts.cpp - One product in flight over a loop -----------===//
//
// Requires and keeps scheduled. A product that accumulates over a loop, by an
// instruction that is waited for later, need not be waited for in the loop: the
// next one goes on from the pending sum. So one is always running while threads
// wait, meet and copy:
//
//     for n = 0 .. N:                     product 0
//       fill use n + k                    for n = 1 .. N:
//       wait for use n                      fill use n - 1 + k  (iteration 0's
//       product n                           wait for use n       in front)
//       release use n                       product n  starts
//                                           product n - 1 is done: release it
//                                         wait; release the last
//
// A slot is free one product later, so what the same threads fill comes behind
// that release, under the product in flight: slots and fills ahead stay as they
// were planned. What a producer of its own fills stays in front: it runs ahead by
// the ring. Which products are waited for where is counted when rings are lowered
// (LowerRings/ProductsInFlight.h).
//
// After tile-pipeline-loops, which decides what is in a ring, and before rings
// become groups of copies or stay for mbarriers: it speaks of uses only.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tile-overlap-products"

namespace mlir::tile {
#define GEN_PASS_DEF_OVERLAPPRODUCTS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
/// How a loop keeps its product in flight.
struct OverlapPlan {
  scf::ForOp loop;
  GemmOp product;
  unsigned argument = 0; ///< of the loop: the sum
  /// Of the slots that the product reads; each number is an iteration argument
  /// that counts by one.
  SmallVector<RingReleaseOp> releases;
  /// What fills these rings in front of the product, in order.
  llvm::SetVector<Operation *> fills;
  bool mayNotRun = false;
};
} // namespace

/// The product of `loop` that adds to what the loop carries, and to nothing
/// else; null if there is none by an instruction that is waited for later.
static GemmOp findAccumulation(scf::ForOp loop, unsigned &argument) {
  for (auto product : loop.getBody()->getOps<GemmOp>()) {
    auto sum = dyn_cast_if_present<BlockArgument>(product.getC());
    InstructionAttr instruction = product.getInstructionAttr();
    if (!sum || sum.getOwner() != loop.getBody() || !instruction ||
        instruction.getMatrix()->completion != tilec::Completion::Group)
      continue;
    argument = sum.getArgNumber() - loop.getNumInductionVars();
    bool isYielded = product.getResult().hasOneUse() &&
                     loop.getYieldedValues()[argument] == product.getResult();
    if (sum.hasOneUse() && isYielded)
      return product;
  }
  return {};
}

/// Whether `number` is an iteration argument of `loop` that counts by one.
static bool countsByOne(scf::ForOp loop, Value number) {
  auto argument = dyn_cast<BlockArgument>(number);
  if (!argument || argument.getOwner() != loop.getBody() ||
      argument == loop.getInductionVar())
    return false;
  auto next = loop.getTiedLoopYieldedValue(argument)
                  ->get()
                  .getDefiningOp<arith::AddIOp>();
  return next && next.getLhs() == argument &&
         isConstantIntValue(next.getRhs(), 1);
}

/// Whether an operation of `loop` may write to the buffer of `memref`.
static bool isWrittenIn(scf::ForOp loop, Value memref) {
  WalkResult walk = loop.getBody()->walk([&](Operation *op) {
    if (op->getNumRegions() > 0)
      return WalkResult::advance();
    bool writes =
        llvm::any_of(getBlockAccesses(op), [&](const BlockAccess &access) {
          return access.writes && !access.isGlobalOnly &&
                 (!access.memref || mayOverlap(access.memref, memref));
        });
    return writes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

/// The ring whose slots `memref` lies in; null if it lies in none.
static RingOp findRing(Value memref) {
  return getRingOfBuffer(getSharedRoot(memref));
}

/// Adds the release of what the product reads through `operand`; says what is
/// in the way if there is not one that can stand behind the next product.
static std::optional<StringRef> addRelease(OverlapPlan &plan, Value operand) {
  if (!isa<MemRefType>(operand.getType()))
    return "an operand is in registers";
  RingOp ring = getSharedRoot(operand) ? findRing(operand) : RingOp();
  if (!ring && isWrittenIn(plan.loop, operand))
    return "an operand is written in the loop and in no ring; "
           "'tile.stages' gives it slots";
  if (!ring)
    return std::nullopt;
  SmallVector<RingReleaseOp> releases;
  plan.loop.getBody()->walk([&](RingReleaseOp release) {
    if (release.getRing() == ring.getResult())
      releases.push_back(release);
  });
  // What is held over the whole loop is released behind the wait for the sum.
  if (releases.empty() && !isWrittenIn(plan.loop, operand))
    return std::nullopt;
  bool isOne = releases.size() == 1 &&
               releases.front()->getBlock() == plan.loop.getBody() &&
               plan.product->isBeforeInBlock(releases.front()) &&
               countsByOne(plan.loop, releases.front().getNumber());
  if (!isOne)
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

/// What is in the way of keeping a product in flight; nothing if the plan is
/// complete.
static std::optional<StringRef> planOverlap(OverlapPlan &plan) {
  scf::ForOp loop = plan.loop;
  int64_t products = 0;
  loop.getBody()->walk([&](MatrixProductOpInterface) { ++products; });
  if (products > 1)
    return "there is another product in the loop";
  std::optional<APInt> trips = loop.getStaticTripCount();
  plan.mayNotRun = !trips;
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
  return collectFills(plan);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static GemmAsyncOp startProduct(OpBuilder &builder, GemmOp product, Value a,
                                Value b, Value c) {
  return GemmAsyncOp::create(
      builder, product.getLoc(),
      PendingType::get(product.getContext(), product.getType()), a, b, c,
      product.getTransposeAAttr(), product.getTransposeBAttr(),
      product.getUnsignedAAttr(), product.getUnsignedBAttr(),
      product.getPrecisionAttr(), product.getWarpsAttr(),
      product.getInstructionAttr(), product.getWarpGridAttr(),
      product.getLoadAAttr(), product.getLoadBAttr());
}

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
    GemmOp product = plan.product;
    auto pending =
        startProduct(builder, product, mapping.lookupOrDefault(product.getA()),
                     mapping.lookupOrDefault(product.getB()),
                     mapping.lookupOrDefault(product.getC()));
    mapping.map(product.getResult(), pending.getResult());
  }
  SmallVector<Value> yielded;
  for (Value value : loop.getYieldedValues())
    yielded.push_back(mapping.lookupOrDefault(value));
  return yielded;
}

/// The number before `number`.
static Value getBefore(OpBuilder &builder, Location loc, Value number) {
  Value one = arith::ConstantIndexOp::create(builder, loc, -1);
  return arith::AddIOp::create(builder, loc, number, one);
}

/// Where the second iteration of a loop that runs starts; its end if there is
/// none and the sum might leave a narrow type.
static Value getSecond(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  Value step = loop.getStep();
  Value second = builder.createOrFold<arith::AddIOp>(loc, lower, step);
  if (loop.getStaticTripCount() || lower.getType().isIndex() ||
      lower.getType().isInteger(64))
    return second;
  // The distance fits the type as an unsigned number.
  Value distance = arith::SubIOp::create(builder, loc, upper, lower);
  Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        step, distance);
  return arith::SelectOp::create(builder, loc, isThere, second, upper);
}

/// Emits the iterations behind the first, which yielded `inits`; the body of
/// the old loop becomes the new one's.
static scf::ForOp emitRest(OpBuilder &builder, OverlapPlan &plan,
                           ValueRange inits) {
  scf::ForOp loop = plan.loop;
  Location loc = loop.getLoc();
  Value second = getSecond(builder, loop);
  auto rest = scf::ForOp::create(
      builder, loc, second, loop.getUpperBound(), loop.getStep(), inits,
      [](OpBuilder &, Location, Value, ValueRange) {}, loop.getUnsignedCmp());
  rest->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block &body = *rest.getBody();
  body.getOperations().splice(body.end(), loop.getBody()->getOperations());
  for (auto [old, argument] :
       llvm::zip(loop.getBody()->getArguments(), body.getArguments()))
    if (old != plan.product.getC())
      old.replaceAllUsesWith(argument);
  OpBuilder inside(plan.product);
  auto pending =
      startProduct(inside, plan.product, plan.product.getA(),
                   plan.product.getB(), rest.getRegionIterArg(plan.argument));
  plan.product.getResult().replaceAllUsesWith(pending.getResult());
  plan.product.erase();
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
static void applyOverlap(OverlapPlan &plan) {
  scf::ForOp loop = plan.loop;
  SmallVector<unsigned> numbers;
  for (RingReleaseOp release : plan.releases)
    numbers.push_back(cast<BlockArgument>(release.getNumber()).getArgNumber() -
                      loop.getNumInductionVars());
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  scf::IfOp guard;
  if (plan.mayNotRun) {
    auto isLess = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                        : arith::CmpIPredicate::slt;
    Value runs = arith::CmpIOp::create(
        builder, loc, isLess, loop.getLowerBound(), loop.getUpperBound());
    guard = scf::IfOp::create(builder, loc, loop.getResultTypes(), runs,
                              /*withElseRegion=*/true);
    OpBuilder otherwise = guard.getElseBodyBuilder();
    scf::YieldOp::create(otherwise, loc, loop.getInitArgs());
    builder = guard.getThenBodyBuilder();
  }
  SmallVector<Value> first = peelFirst(builder, plan);
  scf::ForOp rest = emitRest(builder, plan, first);
  SmallVector<Value> results = finish(builder, plan, rest, numbers);
  if (guard) {
    scf::YieldOp::create(builder, loc, results);
    results.assign(guard.getResults().begin(), guard.getResults().end());
  }
  loop.replaceAllUsesWith(results);
  loop.erase();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

static void overlapProducts(LaunchOp launch) {
  SmallVector<scf::ForOp> loops;
  launch.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    OverlapPlan plan;
    plan.loop = loop;
    plan.product = findAccumulation(loop, plan.argument);
    if (!plan.product)
      continue;
    if (auto obstacle = planOverlap(plan))
      remark::missed(plan.product.getLoc(),
                     remark::RemarkOpts::name("NotOverlapped")
                         .category(DEBUG_TYPE)
                         .function(launch.getKernel().value_or("")))
          << remark::reason("each product is waited for before the next: {0}",
                            *obstacle);
    else
      applyOverlap(plan);
  }
}

namespace {
struct OverlapProducts final
    : tile::impl::OverlapProductsBase<OverlapProducts> {
  void runOnOperation() override {
    auto overlap = [](LaunchOp launch) {
      overlapProducts(launch);
      return success();
    };
    if (failed(transformLaunches(getOperation(), getArgument(), overlap)))
      signalPassFailure();
  }
};
} // namespace
