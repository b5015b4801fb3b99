//===- TestOrderWork.cpp - Prints what planning barriers costs ------------===//

#include "TestAnalyses.h"

#include "tile/Analysis/BarrierPlan.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Remarks on launches: with how many others an access was compared for the plan, on
/// average and rounded up. Counted, as a time says little of another machine.
struct TestOrderWork : PassWrapper<TestOrderWork, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestOrderWork)
  StringRef getArgument() const override { return "test-tile-order-work"; }

  void runOnOperation() override {
    getOperation()->walk([&](LaunchOp launch) {
      ConflictTable table(launch);
      planBarriers(table);
      int64_t accesses = table.getPoints().getAccesses().size();
      launch->emitRemark("comparisons of an access: ")
          << llvm::divideCeil(table.getComparisons(), accesses) << ".";
    });
  }
};
} // namespace

void test::registerTestOrderWork() { PassRegistration<TestOrderWork>(); }
