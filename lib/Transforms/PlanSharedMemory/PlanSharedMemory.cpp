//===- PlanSharedMemory.cpp - A place in the arena for every buffer -------===//
//
// Requires scheduled, establishes placed: at most one `tile.arena` a launch,
// every buffer a `tile.view` of it, buffers that are live at the same time
// disjoint.
//
// The plan is a solution of the launch's packing problem (ArenaProblem.h) that
// shares bytes where its policy says (ReusePlan.h). An independent validator
// checks it before any operation changes. Without buffers there is no arena; one
// buffer is a view at 0.
//
//===----------------------------------------------------------------------===//

#include "ExplainExcess.h"
#include "ReusePlan.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Analysis/TeamBuffers.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/Stages.h"
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
  ReusePlan reuse;

  const tilec::arena::Solution &getSolution() const { return reuse.solution; }
};
} // namespace

/// A team's copy of a buffer lies as far behind the other's as the layout says
/// (TeamBuffers.h), so that no other alignment can be had.
static LogicalResult verifyTeamAlignment(LaunchOp launch,
                                         ArrayRef<AllocOp> buffers) {
  int64_t teams = launch.getRoles() ? launch.getTeamCount() : 1;
  for (AllocOp buffer : buffers) {
    if (teams == 1 || !buffer.getAlignment() || !isOfTeam(buffer.getResult()))
      continue;
    auto alignment = static_cast<int64_t>(*buffer.getAlignment());
    int64_t stride = getTeamStride(*getSharedLayout(buffer.getResult()));
    if (stride % alignment != 0)
      return buffer.emitError("asks for ")
             << alignment << " bytes of alignment, but each of " << teams
             << " teams keeps it, " << stride
             << " bytes apart; leave 'alignment' out, or let it divide that";
  }
  return success();
}

static FailureOr<ArenaPlan> planArena(LaunchOp launch, ReusePolicy policy,
                                      const tilec::GpuTarget &target) {
  FailureOr<ArenaProblem> arena = buildArenaProblem(launch);
  if (failed(arena) ||
      failed(verifyTeamAlignment(launch, arena->liveness.buffers)))
    return failure();
  ArenaPlan plan{arena->liveness.buffers, {}};
  if (plan.buffers.empty())
    return plan;
  plan.reuse = planReuse(*arena, policy, launch.getThreads(), target);
  if (auto reason =
          tilec::arena::validate(plan.reuse.problem, plan.getSolution()))
    return emitErrorWithoutRegions(launch)
           << "internal error: the plan of shared memory is wrong: " << *reason;
  if (plan.getSolution().totalBytes > target.maxSharedBytesPerBlock)
    return explainExcess(launch, *arena, plan.reuse, target);
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
  int64_t bytes = plan.getSolution().totalBytes;
  auto type = MemRefType::get({bytes}, builder.getI8Type(),
                              MemRefLayoutAttrInterface(), space);
  auto arena = ArenaOp::create(
      builder, launch.getLoc(), type, builder.getI64IntegerAttr(bytes),
      builder.getI64IntegerAttr(plan.getSolution().lowerBoundBytes));
  for (auto [index, buffer] : llvm::enumerate(plan.buffers)) {
    AllocOp alloc = buffer;
    builder.setInsertionPoint(alloc);
    auto view = ViewOp::create(
        builder, alloc.getLoc(), alloc.getResult().getType(), arena.getResult(),
        builder.getI64IntegerAttr(plan.getSolution().offsets[index]),
        alloc.getLayoutAttr());
    alloc.getResult().replaceAllUsesWith(view.getResult());
    alloc.erase();
  }
}

/// "32x32xf32 (line 4) and 32x32xf32 (line 5)", the hottest pairs.
static std::string describePairs(const ReusePlan &reuse) {
  constexpr size_t maxPairs = 4;
  std::string text;
  for (const BufferPair &pair : ArrayRef(reuse.keptApart).take_front(maxPairs))
    text += (text.empty() ? "" : "; ") +
            reuse.problem.buffers[pair.first].name + " and " +
            reuse.problem.buffers[pair.second].name;
  return reuse.keptApart.size() > maxPairs ? text + "; .." : text;
}

static void reportArena(LaunchOp launch, const ArenaPlan &plan) {
  if (plan.buffers.empty())
    return;
  const ReusePlan &reuse = plan.reuse;
  auto remark = remark::analysis(
      launch.getLoc(), remark::RemarkOpts::name("Arena")
                           .category(DEBUG_TYPE)
                           .function(launch.getKernel().value_or("")));
  remark << remark::metric("Buffers", int64_t(plan.buffers.size()))
         << remark::metric("Bytes", reuse.solution.totalBytes)
         << remark::metric("LowerBound", reuse.solution.lowerBoundBytes);
  if (reuse.keptApart.empty())
    return;
  // What is apart though it could share, and what that costs.
  int64_t inLoops = llvm::count_if(reuse.keptApart, [](const BufferPair &pair) {
    return pair.loopDepth > 0;
  });
  remark << remark::metric("PairsKeptApart", int64_t(reuse.keptApart.size()))
         << remark::metric("PairsOfOneLoop", inLoops)
         << remark::metric("ReuseWouldSave",
                           reuse.solution.totalBytes - reuse.packedBytes)
         << remark::metric("WithoutReuse", describePairs(reuse));
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct PlanSharedMemory : tile::impl::PlanSharedMemoryBase<PlanSharedMemory> {
  using PlanSharedMemoryBase::PlanSharedMemoryBase;

  void runOnOperation() override {
    auto plan = [this](LaunchOp launch) -> LogicalResult {
      auto target = getModuleTarget(launch);
      if (failed(target))
        return failure();
      auto plan = planArena(launch, reuse, **target);
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
