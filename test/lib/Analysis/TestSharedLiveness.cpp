//===- TestSharedLiveness.cpp - Prints which buffers are occupied ---------===//

#include "TestAnalyses.h"

#include "tile/Analysis/SharedLiveness.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Remarks on tagged operations of launches: the buffers occupied there.
struct TestSharedLiveness : PassWrapper<TestSharedLiveness, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestSharedLiveness)
  StringRef getArgument() const override { return "test-tile-shared-liveness"; }

  void runOnOperation() override {
    getOperation()->walk([&](LaunchOp launch) {
      SharedLiveness liveness = computeSharedLiveness(launch);
      for (auto [index, op] : llvm::enumerate(liveness.points)) {
        if (!test::getTag(op) || isa<AllocOp>(op))
          continue;
        InFlightDiagnostic remark = op->emitRemark("occupied:");
        for (auto [buffer, occupied] :
             llvm::zip_equal(liveness.buffers, liveness.occupied))
          if (occupied.test(index))
            remark << " " << test::getTag(buffer->getResult(0));
        remark << ".";
      }
    });
  }
};
} // namespace

void test::registerTestSharedLiveness() {
  PassRegistration<TestSharedLiveness>();
}
