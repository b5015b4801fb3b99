//===- PlanRoles.cpp - Which warps compute, which only move data ----------===//
//
// Requires logical, keeps logical. Before layouts are chosen it must be known
// how many warps share the computation, and with how many registers. A launch
// gets a producer beside the warps that compute where there is something for it:
// a loop with `tile.stages` that copies tiles of global memory to shared memory
// for a matrix product. The producer starts these copies as far ahead as there
// are slots, so that the loop of the consumers has nothing but products in it.
//
//     threads(128)   consumer 4 warps, producer 1 warp
//     threads(256)   consumer 8 warps with 232 registers, producer 4 with 40
//
// Where registers limit a block, those that the producer does not need go to the
// consumers (`setmaxnreg`), which counts in groups of four warps.
//
// Whether copies are bulk copies and nothing else ties the producer to the
// consumers is known once layouts are; tile-pipeline-loops takes the roles back
// where not.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

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

/// Whether `loop` fills shared memory from global memory in several stages.
static bool fillsAhead(scf::ForOp loop) {
  IntegerAttr stages =
      TileDialect::StagesAttrHelper(loop.getContext()).getAttr(loop);
  return stages && stages.getInt() > 1 &&
         loop.walk([](CopyOp copy) {
               bool isLoad = !isSharedMemory(copy.getSource().getType()) &&
                             isSharedMemory(copy.getDest().getType());
               return isLoad ? WalkResult::interrupt() : WalkResult::advance();
             })
             .wasInterrupted();
}

static bool multiplies(scf::ForOp loop) {
  return loop
      .walk([](MatrixProductOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Warps and registers
//===----------------------------------------------------------------------===//

namespace {
/// How the warps of a launch are used.
struct RolePlan {
  SmallVector<RoleAttr> roles; ///< empty: all warps compute
  /// Why there is no producer; empty if there is one.
  std::string declined;
};
} // namespace

/// `setmaxnreg` moves registers between groups of so many warps, in multiples
/// of 8 (PTX ISA, "setmaxnreg").
static constexpr int64_t warpsPerGroup = 4, registerUnit = 8;
/// What copies by one thread need for their places.
static constexpr int64_t producerRegisters = 40;

/// The registers of a consumer's threads when the producer keeps no more than it
/// needs; 0 where nothing is gained, as every thread can have what a thread may.
static int64_t chooseRegisters(LaunchOp launch, const tilec::GpuTarget &target,
                               int64_t consumers, int64_t producers) {
  if (launch.getMaxRegisters() || consumers % warpsPerGroup != 0)
    return 0;
  int64_t all = target.maxRegistersPerBlock /
                static_cast<int64_t>(launch.getMinBlocksPerSm().value_or(1));
  int64_t shared = all / ((consumers + producers) * target.warpSize);
  if (shared >= target.maxRegistersPerThread)
    return 0;
  int64_t left = all - producers * target.warpSize * producerRegisters;
  int64_t own = std::min(left / (consumers * target.warpSize),
                         target.maxRegistersPerThread);
  return own / registerUnit * registerUnit;
}

/// The warps of the producer: one, or a group where registers move.
static RolePlan makeRoles(LaunchOp launch, const tilec::GpuTarget &target) {
  MLIRContext *context = launch.getContext();
  int64_t consumers = launch.getWarpCount(target.warpSize), producers = 1;
  if (consumers > warpsPerGroup && consumers % warpsPerGroup == 0)
    producers = warpsPerGroup;
  int64_t threads = (consumers + producers) * target.warpSize;
  if (threads > target.maxThreadsPerBlock)
    return {{},
            llvm::formatv("{0} threads with a producer are more than the "
                          "{1} of a block",
                          threads, target.maxThreadsPerBlock)};
  int64_t registers =
      producers == 1 ? 0
                     : chooseRegisters(launch, target, consumers, producers);
  return {{RoleAttr::get(context, RoleKind::Consumer, consumers, registers),
           RoleAttr::get(context, RoleKind::Producer, producers,
                         registers ? producerRegisters : 0)},
          ""};
}

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
  return makeRoles(launch, target);
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
