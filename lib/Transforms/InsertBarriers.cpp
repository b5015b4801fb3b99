//===- InsertBarriers.cpp - Orders conflicting accesses -------------------===//
//
// Requires placed, establishes synchronized: every conflicting pair of accesses
// of a block, to shared or global memory, is ordered by a barrier, and none of
// the barriers is redundant by the analysis' own criterion (BarrierPlan.h).
//
// It runs after placement, so that buffers at the same bytes of the arena are
// seen to conflict, and before threads exist: control flow at block level is
// uniform, so that a barrier is legal before every operation.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/BarrierPlan.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-insert-barriers"

namespace mlir::tile {
#define GEN_PASS_DEF_INSERTBARRIERS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis: planBarriers in BarrierPlan.h
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static void applyBarriers(const BarrierPlan &plan) {
  for (auto [op, point] : plan) {
    OpBuilder builder(op);
    if (point.wait)
      CopyWaitOp::create(builder, op->getLoc(), /*pending=*/IntegerAttr());
    if (point.barrier == ConflictScope::Thread)
      continue;
    auto barrier = BarrierOp::create(builder, op->getLoc());
    if (point.barrier == ConflictScope::Warp)
      barrier.setScope(BarrierScope::Warp);
  }
}

static void reportBarriers(LaunchOp launch, const BarrierPlan &plan) {
  int64_t barriers = llvm::count_if(plan, [](const auto &entry) {
    return entry.second.barrier != ConflictScope::Thread;
  });
  remark::analysis(launch.getLoc(),
                   remark::RemarkOpts::name("Barriers")
                       .category(DEBUG_TYPE)
                       .function(launch.getKernel().value_or("")))
      << remark::metric("Barriers", barriers);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct InsertBarriers : tile::impl::InsertBarriersBase<InsertBarriers> {
  void runOnOperation() override {
    auto insert = [](LaunchOp launch) {
      BarrierPlan plan = planBarriers(ConflictTable(launch));
      reportBarriers(launch, plan);
      applyBarriers(plan);
      return success();
    };
    if (failed(transformLaunches(getOperation(), getArgument(), insert)))
      signalPassFailure();
  }
};
} // namespace
