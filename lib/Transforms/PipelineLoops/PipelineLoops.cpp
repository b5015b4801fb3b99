//===- PipelineLoops.cpp - Overlaps copies with computation ---------------===//
//
// Requires materialized, establishes scheduled: no loop carries a schedule
// hint; asynchronous copies that run ahead, their groups and waits are
// explicit.
//
// A loop with `tile.stages = N` gets the two-stage schedule of RingPlan.h. With
// slot s of each ring filled by the copy of iterations s, s + N, ...:
//
//     for s in 0 .. N-2:  if it exists: copy iteration s -> slot s;  commit
//     for i:  wait until N-2 groups are in flight;  barrier
//             if it exists: copy iteration i+N-1 -> slot (i+N-1) mod N;  commit
//             compute from slot i mod N
//     wait for all;  barrier
//
// The barrier publishes slot i and keeps the copy of iteration i+N-1 behind the
// last reader of its slot, iteration i-1. Groups are committed whether or not a
// copy was issued, so that counts are exact for every trip count. The slot
// numbers are carried by the loop and wrap by a select, which costs no
// division.
//
// Comes after layouts, because only asynchronous copies can run ahead, and
// before placement, which sees the rings' real sizes.
//
//===----------------------------------------------------------------------===//

#include "LookAhead.h"
#include "RingPlan.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-pipeline-loops"

namespace mlir::tile {
#define GEN_PASS_DEF_PIPELINELOOPS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis: planRings in RingPlan.h
//===----------------------------------------------------------------------===//

namespace {
/// A loop and the number of stages it asked for.
struct HintedLoop {
  scf::ForOp loop;
  int64_t stages = 0;
};
} // namespace

static SmallVector<HintedLoop> findHintedLoops(LaunchOp launch) {
  TileDialect::StagesAttrHelper stages(launch.getContext());
  SmallVector<HintedLoop> loops;
  launch.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (IntegerAttr count = stages.getAttr(loop))
      loops.push_back({loop, count.getInt()});
  });
  return loops;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static void removeHints(LaunchOp launch) {
  TileDialect::StagesAttrHelper stages(launch.getContext());
  TileDialect::PipelineStageAttrHelper stage(launch.getContext());
  TileDialect::PipelineOrderAttrHelper order(launch.getContext());
  launch.walk([&](Operation *op) {
    op->removeAttr(stages.getName());
    op->removeAttr(stage.getName());
    op->removeAttr(order.getName());
  });
}

namespace {
/// Carries out one plan.
class RingRewriter {
public:
  RingRewriter(RingPlan &plan, IRRewriter &rewriter)
      : plan(plan), rewriter(rewriter), loc(plan.loop.getLoc()) {}

  void apply();

private:
  void makeRings();
  void emitPrologue();
  scf::ForOp carrySlots();
  void rewriteBody(scf::ForOp loop, Value limit);
  void emitCopiesOf(Iteration iteration, Value slot);
  Value getSlot(Value ring, MemRefType slotType, Value slot, Location at);
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  void waitFor(std::optional<int64_t> pending) {
    CopyWaitOp::create(rewriter, loc,
                       pending ? rewriter.getI64IntegerAttr(*pending)
                               : IntegerAttr());
    BarrierOp::create(rewriter, loc);
  }

  RingPlan &plan;
  IRRewriter &rewriter;
  Location loc;
  SmallVector<Value> rings; ///< one per copy
};
} // namespace

/// Records which dimensions of a copy's source need no check in any iteration
/// of the loop: what is known of the induction variable is lost once it is
/// shifted.
static void assertKnownBounds(CopyOp copy) {
  IndexFacts facts(copy->getParentOfType<LaunchOp>());
  Side source = copy.getSourceSide();
  if (source.isWhole())
    return;
  SmallVector<bool> inBounds;
  for (int64_t dim = 0; dim < source.getRank(); ++dim)
    inBounds.push_back(
        isKnownInBounds(facts, source, copy.getTileShape(), dim));
  if (llvm::is_contained(inBounds, true))
    copy.setSourceInBounds(inBounds);
}

/// Puts a ring of slots before the loop for each buffer.
void RingRewriter::makeRings() {
  for (const RingCopy &ring : plan.copies) {
    AllocOp buffer = ring.buffer;
    MemRefType type = buffer.getType();
    SmallVector<int64_t> shape = {plan.slots};
    llvm::append_range(shape, type.getShape());
    auto layout =
        buffer.getLayout()->getLayout(getMemoryBits(type.getElementType()));
    auto alloc = AllocOp::create(
        rewriter, buffer.getLoc(),
        MemRefType::get(shape, type.getElementType(),
                        MemRefLayoutAttrInterface(), type.getMemorySpace()),
        SharedAttr::get(buffer.getContext(),
                        layout->replicateOutermost(plan.slots)),
        buffer.getAlignmentAttr(), rewriter.getI64IntegerAttr(plan.slots));
    rings.push_back(alloc.getResult());
  }
}

/// The view of one slot.
Value RingRewriter::getSlot(Value ring, MemRefType slotType, Value slot,
                            Location at) {
  int64_t rank = slotType.getRank();
  SmallVector<OpFoldResult> offsets(rank + 1, rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes(rank + 1, rewriter.getIndexAttr(1));
  SmallVector<OpFoldResult> strides(rank + 1, rewriter.getIndexAttr(1));
  offsets[0] = slot;
  for (int64_t dim = 0; dim < rank; ++dim)
    sizes[dim + 1] = rewriter.getIndexAttr(slotType.getDimSize(dim));
  auto type = memref::SubViewOp::inferRankReducedResultType(
      slotType.getShape(), cast<MemRefType>(ring.getType()), offsets, sizes,
      strides);
  return memref::SubViewOp::create(rewriter, at, cast<MemRefType>(type), ring,
                                   offsets, sizes, strides);
}

/// Issues the copies of an iteration, if the loop has it, and closes their
/// group.
void RingRewriter::emitCopiesOf(Iteration iteration, Value slot) {
  auto guarded = scf::IfOp::create(rewriter, loc, iteration.exists,
                                   /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(guarded.thenBlock()->getTerminator());
    IRMapping mapping;
    mapping.map(plan.loop.getInductionVar(), iteration.number);
    for (Operation *op : plan.ahead)
      rewriter.clone(*op, mapping);
    for (auto [ring, copy] : llvm::zip(rings, plan.copies)) {
      MemRefType type = copy.buffer.getType();
      mapping.map(copy.copy.getDest(),
                  getSlot(ring, type, slot, copy.copy.getLoc()));
      rewriter.clone(*copy.copy, mapping);
    }
  }
  CopyCommitOp::create(rewriter, loc);
}

void RingRewriter::emitPrologue() {
  for (int64_t slot = 0; slot + 1 < plan.slots; ++slot) {
    Value slotNumber = index(slot);
    emitCopiesOf(getIterationFromStart(plan.loop, slot, rewriter), slotNumber);
  }
}

/// The loop with two more values: the slot that is read and the one that is
/// filled.
scf::ForOp RingRewriter::carrySlots() {
  Value first = index(0), last = index(plan.slots - 1), one = index(1);
  auto advance = [&](OpBuilder &builder, Location loc,
                     ArrayRef<BlockArgument> slots) {
    SmallVector<Value> next;
    for (Value slot : slots) {
      Value isLast = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, slot, last);
      Value after = arith::AddIOp::create(builder, loc, slot, one);
      next.push_back(
          arith::SelectOp::create(builder, loc, isLast, first, after));
    }
    return next;
  };
  auto loop = plan.loop.replaceWithAdditionalYields(
      rewriter, {first, last}, /*replaceInitOperandUsesInLoop=*/false, advance);
  return cast<scf::ForOp>(loop->getOperation());
}

void RingRewriter::rewriteBody(scf::ForOp loop, Value limit) {
  plan.loop = loop;
  auto slots = loop.getRegionIterArgs().take_back(2);
  rewriter.setInsertionPointToStart(loop.getBody());
  waitFor(plan.slots - 2);
  emitCopiesOf(getIterationAhead(loop, plan.slots - 1, limit, rewriter),
               slots[1]);
  for (auto [ring, entry] : llvm::zip(rings, plan.copies)) {
    CopyOp copy = entry.copy;
    AllocOp buffer = entry.buffer;
    rewriter.setInsertionPoint(copy);
    Value slot = getSlot(ring, buffer.getType(), slots[0], copy.getLoc());
    rewriter.eraseOp(copy);
    buffer.getResult().replaceAllUsesWith(slot);
    rewriter.eraseOp(buffer);
  }
  rewriter.setInsertionPointAfter(loop);
  waitFor(std::nullopt);
}

void RingRewriter::apply() {
  for (const RingCopy &ring : plan.copies)
    assertKnownBounds(ring.copy);
  rewriter.setInsertionPoint(plan.loop);
  makeRings();
  emitPrologue();
  Value limit = getLimit(plan.loop, plan.slots - 1, rewriter);
  rewriteBody(carrySlots(), limit);
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static void reportPlan(LaunchOp launch, const HintedLoop &hinted,
                       const RingPlan &plan, Location loc) {
  StringRef kernel = launch.getKernel().value_or("");
  if (plan.slots > 1)
    remark::passed(loc, remark::RemarkOpts::name("Pipelined")
                            .category(DEBUG_TYPE)
                            .function(kernel))
        << remark::add("{0} stages, {1} copies run ahead", plan.slots,
                       plan.copies.size());
  if (!plan.reason.empty())
    remark::missed(loc, remark::RemarkOpts::name("NotPipelined")
                            .category(DEBUG_TYPE)
                            .function(kernel))
        << remark::reason("{0} stages asked for; {1}", hinted.stages,
                          plan.reason);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct PipelineLoops : tile::impl::PipelineLoopsBase<PipelineLoops> {
  void runOnOperation() override {
    auto pipeline = [](LaunchOp launch) -> LogicalResult {
      auto target = getModuleTarget(launch);
      if (failed(target))
        return failure();
      SmallVector<HintedLoop> loops = findHintedLoops(launch);
      removeHints(launch);
      for (const HintedLoop &hinted : loops) {
        // 0 and 1 ask for no copies of buffers.
        if (hinted.stages <= 1)
          continue;
        RingPlan plan = planRings(hinted.loop, hinted.stages, **target);
        Location loc = plan.loop.getLoc();
        IRRewriter rewriter(launch.getContext());
        if (plan.slots > 1)
          RingRewriter(plan, rewriter).apply();
        reportPlan(launch, hinted, plan, loc);
      }
      return success();
    };
    if (failed(transformLaunches(getOperation(), getArgument(), pipeline)))
      signalPassFailure();
  }
};
} // namespace
