//===- PlanRoles.cpp - Which warps compute, which only move data ----------===//
//
// Requires logical, keeps logical. Before layouts are chosen it must be known
// how many warps share the computation. In its present form the answer is: all
// warps of the launch, in one group, and none is added. A launch that asks for
// specialised warps runs without them, with a remark.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-plan-roles"

namespace mlir::tile {
#define GEN_PASS_DEF_PLANROLES
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
/// How the warps of a launch are used.
struct RolePlan {
  int64_t computingWarps = 0;
  /// Why there are no producer warps although the launch asks for them.
  StringRef declined;
};
} // namespace

static RolePlan planRoles(LaunchOp launch, const tilec::GpuTarget &target) {
  RolePlan plan;
  plan.computingWarps = launch.getWarpCount(target.warpSize);
  if (launch.getWarpSpecialize() == WarpSpecialize::On)
    plan.declined = target.hasBulkTensorCopy
                        ? "warp specialisation is not implemented yet"
                        : "the chip has no bulk copies for producer warps";
  return plan;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static void applyRoles(LaunchOp launch, const RolePlan &plan) {
  launch.removeWarpSpecializeAttr();
  if (plan.declined.empty())
    return;
  remark::missed(launch.getLoc(),
                 remark::RemarkOpts::name("NotSpecialized")
                     .category(DEBUG_TYPE)
                     .function(launch.getKernel().value_or("")))
      << remark::reason("{0}; all {1} warps compute", plan.declined,
                        plan.computingWarps);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct PlanRoles : tile::impl::PlanRolesBase<PlanRoles> {
  void runOnOperation() override {
    auto plan = [](LaunchOp launch) -> LogicalResult {
      auto target = getModuleTarget(launch);
      if (failed(target))
        return failure();
      applyRoles(launch, planRoles(launch, **target));
      return success();
    };
    if (failed(transformLaunches(getOperation(), getArgument(), plan)))
      signalPassFailure();
  }
};
} // namespace
