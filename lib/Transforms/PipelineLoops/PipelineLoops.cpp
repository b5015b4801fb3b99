//===- PipelineLoops.cpp - Overlaps iterations of loops -------------------===//
//
// Requires materialized, establishes scheduled: no loop carries a schedule
// hint; what runs ahead stands in front of the iteration that uses it, and
// rings say who may use which slot of a buffer when.
//
// A loop with `tile.stages = N` is
//
//   1. prepared    fills become operations of their own        SplitFills.h
//   2. planned     what runs ahead, in how many slots          LoopPlan.h
//                  by the faster of two solvers                ChooseSolver.h
//   3. given rings each buffer has a slot for every iteration  MakeRings.h
//   4. expanded    prologue and overlapped loop                ExpandSchedule.h
//
// Where a producer role fills the slots, it runs ahead by the rings alone: loops
// get these and stay in their order.
//
// Inner loops come first: what they do is one operation of the loops around.
// Bulk copies that are in no ring then get one of a slot     LoneFills.h
//
// Comes after layouts, because only asynchronous copies can run ahead without
// registers, and before placement, which sees the rings' real sizes.
//
//===----------------------------------------------------------------------===//

#include "ConfirmRoles.h"
#include "InPlaceOrder.h"
#include "LoneFills.h"
#include "LoopPlan.h"
#include "MakeRings.h"
#include "SplitFills.h"
#include "ThreadFills.h"
#include "ViewRebaser.h"

#include "tile/Analysis/KnownBounds.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/ScheduleHints.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
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
// Hints
//===----------------------------------------------------------------------===//

namespace {
/// A loop and the number of stages it asked for.
struct HintedLoop {
  scf::ForOp loop;
  int64_t stages = 0;
};
} // namespace

/// Takes the hint of the next loop, inner ones first; nothing if none is left.
static std::optional<HintedLoop> takeHint(LaunchOp launch) {
  TileDialect::StagesAttrHelper stages(launch.getContext());
  std::optional<HintedLoop> hinted;
  launch.walk<WalkOrder::PostOrder>([&](scf::ForOp loop) {
    IntegerAttr count = stages.getAttr(loop);
    if (!count)
      return WalkResult::advance();
    stages.removeAttr(loop);
    hinted = {loop, count.getInt()};
    return WalkResult::interrupt();
  });
  return hinted;
}

static void removeHints(LaunchOp launch) {
  TileDialect::StagesAttrHelper stages(launch.getContext());
  launch.walk([&](Operation *op) {
    op->removeAttr(stages.getName());
    removeScheduleHint(op);
  });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Records which dimensions need no check in any iteration: what is known of the
/// induction variable is lost once it is shifted.
static void assertKnownBounds(LaunchOp launch, const LoopPlan &plan) {
  IndexFacts facts(launch);
  for (const ScheduledOp &entry : plan.order)
    if (entry.lead > 0)
      entry.op->walk([&](Operation *op) { stateKnownBounds(facts, op); });
}

/// Puts allocations in the body in front of the loop: their contents are
/// undefined in every iteration.
static void hoistAllocations(scf::ForOp loop) {
  for (auto alloc :
       llvm::make_early_inc_range(loop.getBody()->getOps<AllocOp>()))
    alloc->moveBefore(loop);
}

static void pipelineLoop(scf::ForOp loop, LoopPlan &plan,
                         IRRewriter &rewriter) {
  assertKnownBounds(loop->getParentOfType<LaunchOp>(), plan);
  plan.prologue = getPrologueSize(plan.order);
  scf::ForOp counting = makeRings(loop, plan, rewriter);
  bool isInPlace = llvm::all_of(
      plan.order, [](const ScheduledOp &entry) { return entry.lead == 0; });
  if (isInPlace)
    orderInPlace(counting, plan.order);
  else
    expandSchedule(counting, plan.order, rewriter);
  for (RingBuffer &ring : plan.rings)
    eraseUnused(ring.buffer, rewriter);
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static void reportPlan(LaunchOp launch, int64_t asked, const LoopPlan &plan,
                       Location loc) {
  StringRef kernel = launch.getKernel().value_or("");
  if (!plan.order.empty())
    remark::passed(loc, remark::RemarkOpts::name("Pipelined")
                            .category(DEBUG_TYPE)
                            .function(kernel))
        << remark::add("{0} {1}, {2} copies run ahead", plan.stages,
                       plan.stages == 1 ? "stage" : "stages", plan.ahead)
        << remark::metric("Stages", plan.stages)
        << remark::metric("PrologueSteps", plan.prologue.steps)
        << remark::metric("PrologueOperations", plan.prologue.operations);
  if (plan.choice && plan.stages > 1)
    remark::analysis(loc, remark::RemarkOpts::name("Schedule")
                              .category(DEBUG_TYPE)
                              .function(kernel))
        << remark::metric("Solver", plan.choice->isModulo ? "modulo" : "ahead")
        << remark::metric("AheadCycles", plan.choice->aheadCycles)
        << remark::metric("ModuloCycles", plan.choice->moduloCycles)
        << remark::reason("{0}", plan.choice->reason);
  for (const Obstacle &obstacle : plan.obstacles)
    remark::missed(loc, remark::RemarkOpts::name("NotPipelined")
                            .category(DEBUG_TYPE)
                            .function(kernel))
        << remark::reason("{0} stages asked for; {1}", asked, obstacle.reason);
}

static void reportDropped(LaunchOp launch, ArrayRef<DroppedBulkCopy> dropped) {
  for (const DroppedBulkCopy &own : dropped)
    remark::missed(own.copy->getLoc(),
                   remark::RemarkOpts::name("NoBulkCopy")
                       .category(DEBUG_TYPE)
                       .function(launch.getKernel().value_or("")))
        << remark::reason("threads make this copy: {0}", own.reason);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct PipelineLoops : tile::impl::PipelineLoopsBase<PipelineLoops> {
  using PipelineLoopsBase::PipelineLoopsBase;

  void runOnOperation() override {
    auto pipeline = [this](LaunchOp launch) -> LogicalResult {
      if (failed(confirmRoles(launch)))
        return failure();
      // Making rings replaces loops around the one that they are for.
      while (std::optional<HintedLoop> hinted = takeHint(launch))
        if (failed(run(launch, *hinted)))
          return failure();
      removeHints(launch);
      IRRewriter rewriter(launch.getContext());
      uncountThreadFills(launch);
      reportDropped(launch, makeLoneRings(launch, rewriter));
      moveRingsToFront(launch);
      return confirmRings(launch);
    };
    if (failed(transformLaunches(getOperation(), getArgument(), pipeline)))
      signalPassFailure();
  }

  LogicalResult run(LaunchOp launch, const HintedLoop &hinted) {
    if (hinted.stages < 1)
      return success();
    auto target = getModuleTarget(launch);
    if (failed(target))
      return failure();
    scf::ForOp loop = hinted.loop;
    Location loc = loop.getLoc();
    IRRewriter rewriter(launch.getContext());
    bool isExplicit = findScheduled(*loop.getBody());
    hoistAllocations(loop);
    if (!isExplicit)
      separateFills(loop, rewriter);
    if (!isExplicit && !launch.getRoles())
      separateLoads(loop, **target, rewriter);
    int64_t stages = std::min(hinted.stages, maxStages);
    FailureOr<LoopPlan> plan =
        launch.getRoles() ? planInPlace(loop, stages, **target)
        : isExplicit      ? planExplicit(loop, hinted.stages, **target)
                          : planLoop(loop, stages, **target, modulo);
    if (failed(plan))
      return failure();
    if (stages < hinted.stages && !isExplicit)
      plan->obstacles.push_back(
          {loop, llvm::formatv("a loop has at most {0}", maxStages), {}});
    reportDropped(launch, unmixFills(*plan));
    if (!plan->order.empty())
      pipelineLoop(loop, *plan, rewriter);
    reportPlan(launch, hinted.stages, *plan, loc);
    return success();
  }
};
} // namespace
