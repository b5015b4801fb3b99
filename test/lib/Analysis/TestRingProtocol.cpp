//===- TestRingProtocol.cpp - Prints what is wrong with uses of rings -----===//

#include "TestAnalyses.h"

#include "tile/Analysis/RingProtocol.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// A remark for each finding, at its operation.
struct TestRingProtocol : PassWrapper<TestRingProtocol, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestRingProtocol)
  StringRef getArgument() const override { return "test-tile-ring-protocol"; }

  void runOnOperation() override {
    getOperation()->walk([&](LaunchOp launch) {
      for (const RingFinding &finding : checkRingProtocol(launch))
        finding.op->emitRemark(finding.isError ? "wrong: " : "not known: ")
            << finding.message;
    });
  }
};
} // namespace

void test::registerTestRingProtocol() { PassRegistration<TestRingProtocol>(); }
