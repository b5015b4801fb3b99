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
#include "tile/Dialect/Tile/Locations.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

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

/// No barrier ends a bulk load.
static LogicalResult verifyBulkLoads(const ConflictTable &table,
                                     const BarrierPlan &plan) {
  for (const UnorderedAccesses &pair : findUnorderedAccesses(table, plan)) {
    if (!pair.needsRingWait)
      continue;
    InFlightDiagnostic error =
        table.get(pair.later)
            .op->emitError("touches memory that a bulk copy may still read or "
                           "write; wait for "
                           "the copy's use of its ring first");
    error.attachNote(table.get(pair.earlier).op->getLoc()) << "the copy";
    return error;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Roles part behind their rings (tile-specialize-warps): there the block meets,
/// so that each sees the words that one thread has set. Null without roles.
static Operation *meetBehindRings(LaunchOp launch) {
  Operation *last = nullptr;
  for (auto ring : launch.getBody().getOps<RingOp>())
    last = ring;
  if (!launch.getRoles() || !last)
    return nullptr;
  OpBuilder builder(launch.getContext());
  builder.setInsertionPointAfter(last);
  return BarrierOp::create(builder, last->getLoc());
}

static void applyBarriers(ArrayRef<Operation *> operations,
                          const BarrierPlan &plan) {
  for (auto [position, point] : plan) {
    Operation *op = operations[position];
    OpBuilder builder(op);
    if (point.wait)
      CopyWaitOp::create(builder, op->getLoc(), /*pending=*/IntegerAttr());
    if (point.productWait)
      ProductWaitOp::create(builder, op->getLoc(), /*pending=*/0);
    if (point.fence)
      ProxyFenceOp::create(builder, op->getLoc());
    if (point.barrier == ConflictScope::Thread)
      continue;
    auto barrier = BarrierOp::create(builder, op->getLoc());
    if (point.barrier == ConflictScope::Warp)
      barrier.setScope(BarrierScope::Warp);
  }
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

namespace {
/// What is said of a barrier or a wait.
struct SyncText {
  remark::RemarkOpts options;
  StringRef event; ///< who waits for what
  /// It may stand for something else than the order of two accesses: a result, or
  /// the release of a slot.
  bool mayServeOthers = false;
};
} // namespace

static SyncText describe(Operation *sync) {
  return llvm::TypeSwitch<Operation *, SyncText>(sync)
      .Case([](BarrierOp barrier) {
        return SyncText{remark::RemarkOpts::name("Barrier"),
                        barrier.isWithinWarp() ? "the threads of each warp meet"
                                               : "the block meets"};
      })
      .Case([](ProductWaitOp) {
        return SyncText{remark::RemarkOpts::name("ProductWait"),
                        "each warpgroup waits for its products",
                        /*mayServeOthers=*/true};
      })
      .Case([](ProxyFenceOp) {
        return SyncText{remark::RemarkOpts::name("ProxyFence"),
                        "each thread shows what it wrote to the asynchronous "
                        "proxy"};
      })
      .Case([](CopyWaitOp) {
        return SyncText{remark::RemarkOpts::name("Wait"),
                        "each thread waits for its copies"};
      });
}

/// One remark for each barrier, fence and wait, at the later of the two accesses that
/// need it. What the block does behind `parting` may hide that barrier from the
/// accesses; the roles, which do not meet there, need it all the same.
static void explainEach(LaunchOp launch, Operation *parting) {
  StringRef kernel = launch.getKernel().value_or("");
  for (const SyncReason &sync : explainBarriers(launch)) {
    SyncText text = describe(sync.sync);
    remark::RemarkOpts options =
        text.options.category(DEBUG_TYPE).function(kernel);
    if (!sync.reason && text.mayServeOthers)
      continue;
    if (!sync.reason && sync.sync == parting)
      remark::analysis(parting->getLoc(), options)
          << remark::reason("{0} before its roles part, so that each sees the "
                            "words of the rings",
                            text.event);
    else if (!sync.reason)
      remark::missed(sync.sync->getLoc(), options)
          << remark::reason("redundant: no two accesses need it");
    else
      remark::analysis(sync.reason->later->getLoc(), options) << remark::reason(
          "{0} between the access at {1} and this one", text.event,
          formatLocation(sync.reason->earlier->getLoc()));
  }
}

static void reportBarriers(LaunchOp launch, Operation *parting) {
  if (!launch.getContext()->getRemarkEngine())
    return;
  int64_t barriers = 0;
  launch.walk([&](BarrierOp) { ++barriers; });
  remark::analysis(launch.getLoc(),
                   remark::RemarkOpts::name("Barriers")
                       .category(DEBUG_TYPE)
                       .function(launch.getKernel().value_or("")))
      << remark::metric("Barriers", barriers);
  explainEach(launch, parting);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct InsertBarriers : tile::impl::InsertBarriersBase<InsertBarriers> {
  void runOnOperation() override {
    auto insert = [](LaunchOp launch) -> LogicalResult {
      Operation *parting = meetBehindRings(launch);
      ConflictTable table(launch);
      BarrierPlan plan = planBarriers(table);
      if (failed(verifyBulkLoads(table, plan)))
        return failure();
      applyBarriers(table.getPoints().getOperations(), plan);
      reportBarriers(launch, parting);
      return success();
    };
    if (failed(transformLaunches(getOperation(), getArgument(), insert)))
      signalPassFailure();
  }
};
} // namespace
