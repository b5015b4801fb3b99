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
// Inner loops come first: what they do is one operation of the loops around. Loops
// behind one another in the launch are all planned before the first is rewritten, as
// long as none leaves something in its buffers: what their rings may share bytes with
// is asked of the launch once for all of them.
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
#include "tile/Analysis/NestedAccesses.h"
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

/// How many stages `loop` asks for; 0 if it does not.
static int64_t getStages(scf::ForOp loop) {
  IntegerAttr count =
      TileDialect::StagesAttrHelper(loop.getContext()).getAttr(loop);
  return count ? std::max<int64_t>(count.getInt(), 0) : 0;
}

/// Whether a loop says itself what stands where.
static bool isExplicit(scf::ForOp loop) {
  return findScheduled(*loop.getBody());
}

/// Whether what `loop` loads passes registers: how far ahead it may be then depends on
/// those that the launch needs, with the loops in front as they are pipelined.
static bool loadsRegisters(scf::ForOp loop) {
  auto isByThread = [](const BlockAccess &access) {
    return access.isGlobal() && access.reads &&
           access.completion == tilec::Completion::Immediate;
  };
  return !loop.getOps<LoadOp>().empty() ||
         llvm::any_of(getNestedAccesses(loop), isByThread);
}

/// The loops that ask for stages and come next, inner ones first: one, or those that
/// stand behind one another in the launch and nothing else can change.
static SmallVector<scf::ForOp> findNext(LaunchOp launch) {
  SmallVector<scf::ForOp> loops;
  launch.walk<WalkOrder::PostOrder>([&](scf::ForOp loop) {
    if (getStages(loop) == 0)
      return WalkResult::advance();
    bool isAlone = loop->getParentOp() != launch || launch.getRoles() ||
                   isExplicit(loop) || loadsRegisters(loop);
    if (loops.empty() || !isAlone)
      loops.push_back(loop);
    return isAlone ? WalkResult::interrupt() : WalkResult::advance();
  });
  return loops;
}

static void removeHints(LaunchOp launch) {
  TileDialect::StagesAttrHelper stages(launch.getContext());
  launch.walk([&](Operation *op) {
    op->removeAttr(stages.getName());
    removeScheduleHint(op);
  });
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

namespace {
/// A loop, the stages that it asked for, and what it gets.
struct PlannedLoop {
  scf::ForOp loop;
  int64_t asked = 0;
  LoopPlan plan;
};
} // namespace

/// Whether what stands around a loop with `plan` sees nothing of it: all shared memory
/// that the loop touches is that of rings, none of which is held behind it.
static bool isOnItsOwn(scf::ForOp loop, const LoopPlan &plan) {
  auto isOfRing = [&](const BlockAccess &access) {
    return access.memref &&
           (access.isGlobal() ||
            llvm::any_of(plan.rings, [&](const RingBuffer &ring) {
              return isIn(access, ring.buffer) && !ring.isHeld;
            }));
  };
  return !plan.opensSlots && llvm::all_of(getNestedAccesses(loop), isOfRing);
}

static void addRings(ArenaProblem &arena, const PlannedLoop &planned) {
  SmallVector<SlotCandidate> candidates;
  for (const RingBuffer &ring : planned.plan.rings)
    candidates.push_back({ring.buffer, ring.slots, planned.loop});
  addRings(arena, candidates);
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

/// Makes fills of `loop` operations of their own.
static void prepare(scf::ForOp loop, const tilec::GpuTarget &target,
                    IRRewriter &rewriter) {
  hoistAllocations(loop);
  if (isExplicit(loop))
    return;
  separateFills(loop, rewriter);
  if (!loop->getParentOfType<LaunchOp>().getRoles())
    separateLoads(loop, target, rewriter);
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
      for (;;) {
        SmallVector<scf::ForOp> loops = findNext(launch);
        if (loops.empty())
          break;
        if (failed(run(launch, loops)))
          return failure();
      }
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

  LogicalResult run(LaunchOp launch, ArrayRef<scf::ForOp> loops) {
    auto target = getModuleTarget(launch);
    if (failed(target))
      return failure();
    IRRewriter rewriter(launch.getContext());
    for (scf::ForOp loop : loops)
      prepare(loop, **target, rewriter);
    SmallVector<PlannedLoop, 0> planned;
    std::optional<ArenaProblem> arena;
    auto rewritePlanned = [&] {
      rewrite(launch, planned, rewriter);
      planned.clear();
      arena = std::nullopt;
    };
    bool areTogether = true;
    for (scf::ForOp loop : loops) {
      int64_t stages = getStages(loop);
      TileDialect::StagesAttrHelper(loop.getContext()).removeAttr(loop);
      auto next = plan(launch, loop, stages, **target, arena);
      // Planned anew once those in front are made: one of `loops` at most, as each
      // behind it is made before the next is planned.
      if (succeeded(next) && next->plan.asksRegisters && !planned.empty()) {
        rewritePlanned();
        next = plan(launch, loop, stages, **target, arena);
      }
      if (failed(next))
        return failure();
      areTogether &= !next->plan.asksRegisters && loop != loops.back();
      planned.push_back(std::move(*next));
      if (areTogether && isOnItsOwn(loop, planned.back().plan))
        addRings(*arena, planned.back());
      else
        rewritePlanned();
    }
    return success();
  }

  /// Plans `loop` beside what is in `arena`; builds that if there is none.
  FailureOr<PlannedLoop> plan(LaunchOp launch, scf::ForOp loop, int64_t stages,
                              const tilec::GpuTarget &target,
                              std::optional<ArenaProblem> &arena) {
    if (isExplicit(loop) && !launch.getRoles()) {
      FailureOr<LoopPlan> said = planExplicit(loop, stages, target);
      if (failed(said))
        return failure();
      return PlannedLoop{loop, stages, std::move(*said)};
    }
    if (!arena) {
      FailureOr<ArenaProblem> built = buildArenaProblem(launch);
      if (failed(built))
        return failure();
      arena = std::move(*built);
    }
    int64_t limited = std::min(stages, maxStages);
    PlannedLoop planned{loop, stages,
                        launch.getRoles()
                            ? planInPlace(loop, limited, target, *arena)
                            : planLoop(loop, limited, target, *arena, modulo)};
    if (limited < stages)
      planned.plan.obstacles.push_back(
          {loop, llvm::formatv("a loop has at most {0}", maxStages), {}});
    return planned;
  }

  void rewrite(LaunchOp launch, MutableArrayRef<PlannedLoop> loops,
               IRRewriter &rewriter) {
    for (PlannedLoop &planned : loops) {
      Location loc = planned.loop.getLoc();
      reportDropped(launch, unmixFills(planned.plan));
      if (!planned.plan.order.empty())
        pipelineLoop(planned.loop, planned.plan, rewriter);
      reportPlan(launch, planned.asked, planned.plan, loc);
    }
  }
};
} // namespace
