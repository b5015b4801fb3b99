//===- PlanRoles.cpp - Which warps compute, which only move data ----------===//
//
// Requires logical, keeps logical. Before layouts are chosen it must be known
// how many warps share the computation, and with how many registers. A launch
// gets a producer beside the warps that compute where there is something for it:
// a loop with `tile.stages` that copies tiles of global memory to shared memory
// for a matrix product. The producer starts these copies as far ahead as there
// are slots, so that the loop of the consumers has nothing but products in it.
//
// How many warps and registers each role has is ChooseRoles.h. Whether copies are
// bulk copies, so that one thread starts them, and nothing else ties the producer
// to the consumers is known once layouts are; tile-pipeline-loops gives the
// producer more warps, or takes the roles back, where not.
//
//===----------------------------------------------------------------------===//

#include "ChooseRoles.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-plan-roles"

namespace mlir::tile {
#define GEN_PASS_DEF_PLANROLES
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Whether there is something to do for a producer
//===----------------------------------------------------------------------===//

/// Whether `op` copies from global to shared memory.
static bool bringsTile(Operation *op) {
  if (op->getNumRegions() > 0)
    return false;
  bool readsGlobal = false, writesShared = false;
  for (const BlockAccess &access : getBlockAccesses(op)) {
    readsGlobal |= access.reads && access.isGlobal();
    writesShared |= access.writes && access.isShared();
  }
  return readsGlobal && writesShared;
}

/// Whether `loop` fills shared memory from global memory in several stages.
static bool fillsAhead(scf::ForOp loop) {
  IntegerAttr stages =
      TileDialect::StagesAttrHelper(loop.getContext()).getAttr(loop);
  return stages && stages.getInt() > 1 &&
         loop.walk([](Operation *op) {
               return bringsTile(op) ? WalkResult::interrupt()
                                     : WalkResult::advance();
             })
             .wasInterrupted();
}

static bool multiplies(scf::ForOp loop) {
  return loop
      .walk([](MatrixProductOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Decision
//===----------------------------------------------------------------------===//

static RolePlan planRoles(LaunchOp launch, const tilec::GpuTarget &target) {
  if (launch.getRoles())
    return {llvm::to_vector(launch.getRoles()->getRoles()), ""};
  if (launch.getWarpSpecialize() == WarpSpecialize::Off)
    return {{}, "the launch says so"};
  if (!copiesInBulk(target))
    return {{}, "the chip has no bulk copies for producer warps"};
  bool isAsked = launch.getWarpSpecialize() == WarpSpecialize::On;
  WalkResult found = launch.walk([&](scf::ForOp loop) {
    return fillsAhead(loop) && (isAsked || multiplies(loop))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return {{},
            "no loop with 'tile.stages' of 2 or more copies from global to "
            "shared memory"};
  return makeRoles(launch, target, ProducerWork::StartsCopies);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// A launch that asks for roles which nothing could fill is wrong; one that asks
/// a chip that has none runs without.
static LogicalResult applyRoles(LaunchOp launch, const RolePlan &plan,
                                const tilec::GpuTarget &target) {
  bool isAsked = launch.getWarpSpecialize() == WarpSpecialize::On;
  if (!plan.roles.empty()) {
    launch.setRolesAttr(RolesAttr::get(launch.getContext(), plan.roles));
    if (!isAsked)
      launch.removeWarpSpecializeAttr();
    return success();
  }
  launch.removeWarpSpecializeAttr();
  if (!isAsked)
    return success();
  if (copiesInBulk(target))
    return emitErrorWithoutRegions(launch)
           << "asks for specialised warps and cannot have them: "
           << plan.declined;
  remark::missed(launch.getLoc(),
                 remark::RemarkOpts::name("NotSpecialized")
                     .category(DEBUG_TYPE)
                     .function(launch.getKernel().value_or("")))
      << remark::reason("{0}; all {1} warps compute", plan.declined,
                        launch.getWarpCount(target.warpSize));
  return success();
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
      return applyRoles(launch, planRoles(launch, **target), **target);
    };
    if (failed(transformLaunches(getOperation(), getArgument(), plan)))
      signalPassFailure();
  }
};
} // namespace
