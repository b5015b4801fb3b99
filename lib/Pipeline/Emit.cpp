//===- Emit.cpp - From a module to text, as the tools emit it -------------===//
//
// The pipeline up to threaded kernels, then the texts. Reports are collected by
// an instrumentation that looks at the IR after the two passes whose stages
// hold the facts, and by a remark streamer; nothing in the passes knows of
// reports.
//
//===----------------------------------------------------------------------===//

#include "tile/Pipeline/Emit.h"

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Pipeline/Pipeline.h"
#include "tile/Report/Report.h"
#include "tile/Target/PTX/SerializeToPtx.h"

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
    else if (pass->getArgument() == "tile-materialize-scratch" && drawsLayouts)
      op->walk([&](LaunchOp launch) { collector.addDrawings(launch); });
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

static bool drawsLayouts(EmitKind kind) {
  return kind == EmitKind::LayoutsText || kind == EmitKind::LayoutsSvg;
}

static LogicalResult runPipeline(ModuleOp module, const EmitOptions &options,
                                 ReportCollector *collector) {
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  if (options.configure && failed(options.configure(pm)))
    return failure();
  if (collector) {
    pm.addInstrumentation(std::make_unique<ReportInstrumentation>(
        *collector, drawsLayouts(options.kind)));
    remark::RemarkCategories categories;
    categories.passed = categories.missed = categories.analysis =
        categories.failed = ".*";
    if (failed(remark::enableOptimizationRemarks(
            *module.getContext(), std::make_unique<ReportRemarks>(*collector),
            std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)))
      return failure();
  }
  TileCompileOptions compile;
  compile.chip = options.chip;
  compile.optLevel = options.optLevel;
  compile.lineInfo = options.lineInfo;
  compile.checkAssumptions = options.checkAssumptions;
  compile.versions = options.versions;
  compile.prefetchBytes = options.prefetchBytes;
  compile.reuse = options.reuse;
  Stage reached = getReachedStage(module);
  buildLogicalPhase(pm, compile, reached);
  buildLayoutPhase(pm, compile, reached);
  buildSchedulePhase(pm, compile, reached);
  buildKernelPhase(pm, compile, reached);
  return pm.run(module);
}

static FailureOr<PtxasResult> assemble(ModuleOp module, StringRef ptx,
                                       const tilec::GpuTarget &target,
                                       const ToolkitSearch &toolkits) {
  std::optional<std::string> ptxas = findPtxas(toolkits);
  if (!ptxas)
    return module.emitError("a cubin needs ptxas, and none was found; set "
                            "CUDA_HOME or put ptxas on PATH");
  auto result = runPtxas(*ptxas, ptx, target.name);
  if (!result)
    return module.emitError(result.reason());
  return *result;
}

static FailureOr<std::string> emitReport(ModuleOp module, StringRef ptx,
                                         const tilec::GpuTarget &target,
                                         const EmitOptions &options,
                                         ReportCollector &collector) {
  std::optional<PtxasResult> assembled;
  if (findPtxas(options.toolkits)) {
    FailureOr<PtxasResult> result =
        assemble(module, ptx, target, options.toolkits);
    if (failed(result))
      return failure();
    assembled = *result;
  }
  collector.finish(target, assembled ? &*assembled : nullptr);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (options.kind == EmitKind::ReportJson)
    printReportJson(collector.getReports(), os);
  else
    printReportText(collector.getReports(), os);
  return text;
}

FailureOr<std::string> tile::emit(ModuleOp module, const EmitOptions &options) {
  bool isReport = options.kind == EmitKind::ReportText ||
                  options.kind == EmitKind::ReportJson ||
                  options.kind == EmitKind::ArenaSvg ||
                  drawsLayouts(options.kind);
  ReportCollector collector;
  if (failed(runPipeline(module, options, isReport ? &collector : nullptr)))
    return failure();

  std::string text;
  llvm::raw_string_ostream os(text);
  if (options.kind == EmitKind::Nvvm) {
    module.print(os, OpPrintingFlags().enableDebugInfo(false));
    return text;
  }
  FailureOr<const tilec::GpuTarget *> target = getModuleTarget(module);
  if (failed(target))
    return failure();
  SmallVector<gpu::GPUModuleOp> kernels(module.getOps<gpu::GPUModuleOp>());
  if (kernels.empty())
    return module.emitError("holds no tile.launch and no kernel: there is "
                            "nothing to emit");
  if (options.kind == EmitKind::ArenaSvg) {
    printArenaSvg(collector.getReports(), os);
    return text;
  }
  if (drawsLayouts(options.kind)) {
    (options.kind == EmitKind::LayoutsSvg ? printLayoutsSvg : printLayoutsText)(
        collector.getReports(), os);
    return text;
  }
  SerializeOptions serialize;
  serialize.optLevel = options.optLevel;
  serialize.libdevicePath = options.libdevice.empty()
                                ? findLibdevice(options.toolkits).value_or("")
                                : options.libdevice;
  serialize.searchToolkits = !options.toolkits.isDenied;
  serialize.printsLlvmIr = options.kind == EmitKind::Llvm;
  FailureOr<SerializedModule> texts =
      serializeToPtx(kernels.front(), **target, serialize);
  if (failed(texts))
    return failure();
  if (options.kind == EmitKind::Llvm)
    return texts->llvmIr;
  if (options.kind == EmitKind::Ptx)
    return texts->ptx;
  if (isReport)
    return emitReport(module, texts->ptx, **target, options, collector);
  FailureOr<PtxasResult> assembled =
      assemble(module, texts->ptx, **target, options.toolkits);
  if (failed(assembled))
    return failure();
  return assembled->cubin;
}
