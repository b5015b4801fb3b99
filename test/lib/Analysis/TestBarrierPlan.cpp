//===- TestBarrierPlan.cpp - Prints where a block has to wait -------------===//

#include "TestAnalyses.h"

#include "tile/Analysis/BarrierPlan.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Remarks on the operations before which the plan has a wait or a barrier, and
/// on the first pair that the program as it stands leaves unordered.
struct TestBarrierPlan : PassWrapper<TestBarrierPlan, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestBarrierPlan)
  StringRef getArgument() const override { return "test-tile-barrier-plan"; }

  void runOnOperation() override {
    getOperation()->walk([&](LaunchOp launch) {
      if (auto pair = findUnorderedPair(launch, BarrierPlan()))
        pair->later->emitRemark("first unordered, after ")
            << test::getTag(pair->earlier).value_or("?") << ".";
      for (auto [op, point] : planBarriers(launch))
        op->emitRemark("before it: ")
            << (point.wait && point.barrier ? "wait and barrier."
                : point.wait                ? "wait."
                                            : "barrier.");
    });
  }
};
} // namespace

void test::registerTestBarrierPlan() { PassRegistration<TestBarrierPlan>(); }
