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
#include "tile/Analysis/LiveRegisters.h"
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

/// The most registers in which a thread holds the result of a product.
static int64_t countSumRegisters(LaunchOp launch,
                                 const tilec::GpuTarget &target) {
  int64_t bits = 0;
  launch.walk([&](MatrixProductOpInterface product) {
    auto type = product.getProductType();
    bits = std::max(bits, type.getNumElements() *
                              getMemoryBits(type.getElementType()));
  });
  int64_t threads = launch.getWarpCount(target.warpSize) * target.warpSize;
  return bits / 32 / threads;
}

/// Why the warps that compute would lack the registers that a producer's threads take of a
/// block; empty if they have them, or would not without it either.
static std::string findLackOfRegisters(LaunchOp launch,
                                       ArrayRef<RoleAttr> roles,
                                       const tilec::GpuTarget &target) {
  int64_t own = launch.getWarpCount(target.warpSize) * launch.getTeamCount();
  int64_t producers = 0;
  for (RoleAttr role : roles)
    if (role.getKind() == RoleKind::Producer)
      producers += role.getWarps();
  int64_t sums = countSumRegisters(launch, target);
  int64_t needed = sums + registersBesideSums;
  int64_t with = countAssembledRegisters(launch, own + producers, target);
  int64_t without = countAssembledRegisters(launch, own, target);
  if (needed <= with || needed > without)
    return {};
  return llvm::formatv("with the {0} warps of a producer a thread has {1} "
                       "registers, without them {2}; "
                       "the result of a product takes {3}, and some {4} more "
                       "are needed beside it",
                       producers, with, without, sums, registersBesideSums);
}

/// Turns are taken beside a producer only.
static bool asksForTurns(LaunchOp launch) {
  Consumers consumers = launch.getConsumers().value_or(Consumers::Auto);
  return consumers == Consumers::Alternating ||
         consumers == Consumers::PingPong;
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
  RolePlan plan = makeRoles(launch, target, ProducerWork::StartsCopies);
  if (isAsked || plan.roles.empty() || asksForTurns(launch))
    return plan;
  if (std::string lack = findLackOfRegisters(launch, plan.roles, target);
      !lack.empty())
    return {{}, lack, /*isCostly=*/true};
  return plan;
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
  if (!isAsked && !plan.isCostly)
    return success();
  if (isAsked && copiesInBulk(target))
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
