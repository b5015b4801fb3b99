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
      for (auto [op, point] : planBarriers(table))
        op->emitRemark("before it: ") << describe(point) << ".";
    });
  }
};
} // namespace

void test::registerTestBarrierPlan() { PassRegistration<TestBarrierPlan>(); }
