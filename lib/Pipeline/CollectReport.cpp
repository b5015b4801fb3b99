//===- CollectReport.cpp - Reports while the pipeline runs ----------------===//
//
// An instrumentation that looks at the IR around the passes whose stages hold the
// facts, and a remark streamer; nothing in the passes knows of reports.
//
//===----------------------------------------------------------------------===//

#include "CollectReport.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::tile;

namespace {

/// Looks at the IR around the passes that put a report's facts there.
class ReportInstrumentation final : public PassInstrumentation {
public:
  ReportInstrumentation(ReportCollector &collector, bool drawsLayouts)
      : collector(collector), drawsLayouts(drawsLayouts) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (pass->getArgument() == "tile-plan-shared-memory")
      op->walk([&](LaunchOp launch) { collector.addLifetimes(launch); });
    else if (pass->getArgument() == "tile-lower-rings")
      op->walk([&](LaunchOp launch) { collector.addRings(launch); });
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    if (pass->getArgument() == "tile-infer-layouts")
      op->walk([&](LaunchOp launch) { collector.addLaunch(launch); });
    else if (pass->getArgument() == "tile-materialize-scratch")
      op->walk([&](LaunchOp launch) {
        collector.addStoredRows(launch);
        if (drawsLayouts)
          collector.addDrawings(launch);
      });
    else if (pass->getArgument() == "tile-plan-shared-memory")
      op->walk([&](LaunchOp launch) { collector.addPlaces(launch); });
    else if (pass->getArgument() == "tile-multicast-copies")
      op->walk([&](LaunchOp launch) { collector.addMulticast(launch); });
    else if (pass->getArgument() == "tile-outline-kernels")
      op->walk([&](gpu::GPUFuncOp kernel) { collector.addKernel(kernel); });
  }

private:
  ReportCollector &collector;
  bool drawsLayouts;
};

/// Hands optimisation remarks to the report.
class ReportRemarks final : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit ReportRemarks(ReportCollector &collector) : collector(collector) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    if (remark.getRemarkName() == "Schedule")
      return addSchedule(remark);
    if (remark.getRemarkName() == "Layout")
      return addLayout(remark);
    if (remark.getRemarkName() == "Pipelined")
      addStages(remark);
    // "Pipelined: 3 stages, ..", "Arena: Buffers 2, Bytes 49152".
    std::string text = remark.getRemarkName().str();
    StringRef separator = ": ";
    for (const auto &argument : remark.getArgs()) {
      bool isNumber = argument.key != "Remark";
      if (remark.getRemarkName() == "Pipelined" && isNumber)
        continue;
      bool isSentence = argument.key == "Reason" || argument.key == "Remark" ||
                        argument.key == "Suggestion";
      text += separator.str() + (isSentence ? "" : argument.key + " ") +
              argument.val;
      separator = ", ";
    }
    collector.addRemark(remark.getLocation(), text, remark.getFunction(),
                        remark.getCategoryName() != "tile-insert-barriers");
  }

private:
  void addStages(const remark::detail::Remark &remark) {
    int64_t stages = 1;
    KernelReport::Prologue prologue;
    for (const auto &argument : remark.getArgs()) {
      StringRef value = argument.val;
      if (argument.key == "Stages")
        (void)value.getAsInteger(10, stages);
      else if (argument.key == "PrologueSteps")
        (void)value.getAsInteger(10, prologue.steps);
      else if (argument.key == "PrologueOperations")
        (void)value.getAsInteger(10, prologue.operations);
    }
    collector.addStages(remark.getLocation(), stages, prologue,
                        remark.getFunction());
  }

  void addSchedule(const remark::detail::Remark &remark) {
    KernelReport::Schedule schedule;
    for (const auto &argument : remark.getArgs()) {
      StringRef value = argument.val;
      if (argument.key == "Solver")
        schedule.solver = value.str();
      else if (argument.key == "AheadCycles")
        (void)value.getAsInteger(10, schedule.aheadCycles);
      else if (argument.key == "ModuloCycles")
        (void)value.getAsInteger(10, schedule.moduloCycles);
      else if (argument.key == "Reason")
        schedule.reason = value.str();
    }
    collector.addSchedule(remark.getLocation(), std::move(schedule),
                          remark.getFunction());
  }

  void addLayout(const remark::detail::Remark &remark) {
    KernelReport::Layout layout;
    for (const auto &argument : remark.getArgs()) {
      StringRef value = argument.val;
      if (argument.key == "Of")
        layout.type = value.str();
      else if (argument.key == "Layout")
        layout.layout = value.str();
      else if (argument.key == "DecidedBy")
        layout.decidedBy = value.str();
      else if (argument.key == "From")
        layout.from = value.str();
      else if (argument.key == "Cost")
        (void)value.getAsInteger(10, layout.cost);
      else if (argument.key == "RunnerUp")
        layout.runnerUp = value.str();
      else if (argument.key == "RunnerUpCost")
        (void)value.getAsInteger(10, layout.runnerUpCost);
    }
    collector.addLayout(remark.getLocation(), std::move(layout),
                        remark.getFunction());
  }

  ReportCollector &collector;
};

} // namespace

ReportScope::~ReportScope() {
  if (context)
    context->setRemarkEngine(nullptr);
}

LogicalResult ReportScope::enter(PassManager &pm, bool drawsLayouts) {
  pm.addInstrumentation(
      std::make_unique<ReportInstrumentation>(collector, drawsLayouts));
  if (pm.getContext()->getRemarkEngine())
    return success();
  remark::RemarkCategories categories;
  categories.passed = categories.missed = categories.analysis =
      categories.failed = ".*";
  context = pm.getContext();
  return remark::enableOptimizationRemarks(
      *context, std::make_unique<ReportRemarks>(collector),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
}
