//===- TestBarrierPlan.cpp - Prints where a block has to wait -------------===//

#include "TestAnalyses.h"

#include "tile/Analysis/BarrierPlan.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::tile;

static StringRef describe(const SyncPoint &point) {
  switch (point.barrier) {
  case ConflictScope::Thread:
    return "wait";
  case ConflictScope::Warp:
    return point.wait ? "wait and warp barrier" : "warp barrier";
  case ConflictScope::Block:
    return point.wait ? "wait and barrier" : "barrier";
  }
  llvm_unreachable("all scopes are named");
}

/// Whether `plan` leaves a pair that a barrier or a wait would order.
static bool leavesPair(const ConflictTable &table, const BarrierPlan &plan) {
  return llvm::any_of(
      findUnorderedAccesses(table, plan),
      [](const UnorderedAccesses &pair) { return !pair.needsRingWait; });
}

/// What of `plan` could be less, seen in the launch as a whole: the planner looks at
/// what is close to a change.
static LogicalResult verifyNeeded(const ConflictTable &table,
                                  const BarrierPlan &plan) {
  ArrayRef<Operation *> operations = table.getPoints().getOperations();
  if (leavesPair(table, plan))
    return table.getLaunch()->emitError("the plan leaves a pair unordered");
  for (auto [position, point] : plan) {
    auto isNeeded = [&](auto SyncPoint::*part, auto less) {
      if (point.*part == less)
        return true;
      BarrierPlan fewer = plan;
      fewer[position].*part = less;
      return leavesPair(table, fewer);
    };
    if (!isNeeded(&SyncPoint::barrier, ConflictScope::Thread) ||
        !isNeeded(&SyncPoint::wait, false) ||
        !isNeeded(&SyncPoint::productWait, false) ||
        !isNeeded(&SyncPoint::fence, false))
      return operations[position]->emitError("the plan needs less before it");
  }
  return success();
}

namespace {
/// Remarks on the operations before which the plan has a wait or a barrier, and
/// on the first pair that the program as it stands leaves unordered.
struct TestBarrierPlan : PassWrapper<TestBarrierPlan, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestBarrierPlan)
  StringRef getArgument() const override { return "test-tile-barrier-plan"; }

  void runOnOperation() override {
    getOperation()->walk([&](LaunchOp launch) {
      ConflictTable table(launch);
      if (auto pair = findUnorderedPair(table, BarrierPlan()))
        table.get(pair->later).op->emitRemark("first unordered, after ")
            << test::getTag(table.get(pair->earlier).op).value_or("?") << ".";
      BarrierPlan plan = planBarriers(table);
      if (failed(verifyNeeded(table, plan)))
        signalPassFailure();
      for (auto [position, point] : plan)
        table.getPoints().getOperations()[position]->emitRemark("before it: ")
            << describe(point) << ".";
    });
  }
};
} // namespace

void test::registerTestBarrierPlan() { PassRegistration<TestBarrierPlan>(); }
