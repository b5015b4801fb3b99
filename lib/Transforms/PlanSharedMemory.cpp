//===- PlanSharedMemory.cpp - A place in the arena for every buffer -------===//
//
// Requires scheduled, establishes placed: at most one `tile.arena` a launch,
// every buffer a `tile.view` of it, buffers that are live at the same time
// disjoint.
//
// The plan is a solution of the launch's packing problem (ArenaProblem.h). An
// independent validator checks it before any operation changes. Without buffers
// there is no arena; one buffer is a view at 0 and needs no analysis.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ArenaProblem.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/Occupancy.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-plan-shared-memory"

namespace mlir::tile {
#define GEN_PASS_DEF_PLANSHAREDMEMORY
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
/// Where every buffer of a launch goes.
struct ArenaPlan {
  SmallVector<AllocOp> buffers;
  tilec::arena::Problem problem;
  tilec::arena::Solution solution;
};
} // namespace

/// Whether buffers side by side cost nothing: as many blocks are resident as
/// the threads alone allow.
static bool fitApart(LaunchOp launch, const tilec::arena::Problem &problem,
                     const tilec::GpuTarget &target) {
  int64_t end = 0;
  for (const tilec::arena::Buffer &buffer : problem.buffers)
    end = llvm::alignTo(end, buffer.alignmentBytes) + buffer.sizeBytes;
  tilec::BlockResources block;
  block.threads = launch.getThreads();
  block.registersPerThread = 1;
  int64_t most = tilec::computeOccupancy(target, block).blocksPerMultiprocessor;
  block.sharedBytes = end;
  return tilec::computeOccupancy(target, block).blocksPerMultiprocessor == most;
}

/// Forbids all sharing.
static void keepApart(tilec::arena::Problem &problem) {
  int count = problem.buffers.size();
  for (int first = 0; first < count; ++first)
    for (int second = first + 1; second < count; ++second)
      problem.conflicts.push_back({first, second});
}

static LogicalResult verifyFits(LaunchOp launch, const ArenaPlan &plan,
                                const tilec::GpuTarget &target) {
  int64_t limit = target.maxSharedBytesPerBlock;
  if (plan.solution.totalBytes <= limit)
    return success();
  InFlightDiagnostic error = emitErrorWithoutRegions(launch)
                             << "needs " << plan.solution.totalBytes
                             << " bytes of shared memory; a block of "
                             << target.name << " has " << limit
                             << "; use smaller tiles or fewer stages";
  error.attachNote() << "live at the peak:\n"
                     << tilec::arena::formatPeak(plan.problem);
  for (int index : tilec::arena::getPeak(plan.problem)) {
    AllocOp buffer = plan.buffers[index];
    error.attachNote(buffer.getLoc())
        << "a buffer of " << plan.problem.buffers[index].sizeBytes << " bytes";
  }
  return failure();
}

static FailureOr<ArenaPlan> planArena(LaunchOp launch,
                                      const tilec::GpuTarget &target) {
  FailureOr<ArenaProblem> problem = buildArenaProblem(launch);
  if (failed(problem))
    return failure();
  ArenaPlan plan{problem->liveness.buffers, problem->packing, {}};
  if (plan.buffers.empty())
    return plan;
  if (fitApart(launch, plan.problem, target))
    keepApart(plan.problem);
  plan.solution = tilec::arena::solve(plan.problem);
  if (auto reason = tilec::arena::validate(plan.problem, plan.solution))
    return emitErrorWithoutRegions(launch)
           << "internal error: the plan of shared memory is "
              "wrong: "
           << *reason;
  if (failed(verifyFits(launch, plan, target)))
    return failure();
  return plan;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

// Pattern: tile.alloc layout(L)  ->  tile.view %arena[offset] layout(L)
static void applyArena(LaunchOp launch, const ArenaPlan &plan) {
  if (plan.buffers.empty())
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&launch.getBody().front());
  auto space = gpu::AddressSpaceAttr::get(launch.getContext(),
                                          gpu::AddressSpace::Workgroup);
  int64_t bytes = plan.solution.totalBytes;
  auto type = MemRefType::get({bytes}, builder.getI8Type(),
                              MemRefLayoutAttrInterface(), space);
  auto arena = ArenaOp::create(
      builder, launch.getLoc(), type, builder.getI64IntegerAttr(bytes),
      builder.getI64IntegerAttr(plan.solution.lowerBoundBytes));
  for (auto [index, buffer] : llvm::enumerate(plan.buffers)) {
    AllocOp alloc = buffer;
    builder.setInsertionPoint(alloc);
    auto view = ViewOp::create(
        builder, alloc.getLoc(), alloc.getResult().getType(), arena.getResult(),
        builder.getI64IntegerAttr(plan.solution.offsets[index]),
        alloc.getLayoutAttr(), alloc.getSlotsAttr());
    alloc.getResult().replaceAllUsesWith(view.getResult());
    alloc.erase();
  }
}

static void reportArena(LaunchOp launch, const ArenaPlan &plan) {
  if (plan.buffers.empty())
    return;
  remark::analysis(launch.getLoc(),
                   remark::RemarkOpts::name("Arena")
                       .category(DEBUG_TYPE)
                       .function(launch.getKernel().value_or("")))
      << remark::metric("Buffers", int64_t(plan.buffers.size()))
      << remark::metric("Bytes", plan.solution.totalBytes)
      << remark::metric("LowerBound", plan.solution.lowerBoundBytes);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct PlanSharedMemory : tile::impl::PlanSharedMemoryBase<PlanSharedMemory> {
  void runOnOperation() override {
    auto plan = [](LaunchOp launch) -> LogicalResult {
      auto target = getModuleTarget(launch);
      if (failed(target))
        return failure();
      auto plan = planArena(launch, **target);
      if (failed(plan))
        return failure();
      reportArena(launch, *plan);
      applyArena(launch, *plan);
      return success();
    };
    if (failed(transformLaunches(getOperation(), getArgument(), plan)))
      signalPassFailure();
  }
};
} // namespace
