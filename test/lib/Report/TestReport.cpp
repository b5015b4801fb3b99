//===- TestReport.cpp - Prints the report of a module as it stands --------===//
//
// What the report says of launches at `laid_out` and of kernels at `outlined`,
// of a module that need not have a lowering past those stages.
//
//===----------------------------------------------------------------------===//

#include "TestReport.h"

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Report/Report.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
struct TestReport : PassWrapper<TestReport, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestReport)
  StringRef getArgument() const override { return "test-tile-report"; }

  void runOnOperation() override {
    auto target = getModuleTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    ReportCollector collector;
    getOperation()->walk([&](Operation *op) {
      auto launch = dyn_cast<LaunchOp>(op);
      if (launch && launch.getReachedStage() == Stage::LaidOut)
        collector.addLaunch(launch);
      auto kernel = dyn_cast<gpu::GPUFuncOp>(op);
      if (kernel && getReachedStage(kernel) == Stage::Outlined)
        collector.addKernel(kernel);
    });
    collector.finish(**target, /*assembled=*/nullptr);
    printReportJson(collector.getReports(), llvm::outs());
  }
};
} // namespace

void test::registerTestReport() { PassRegistration<TestReport>(); }
