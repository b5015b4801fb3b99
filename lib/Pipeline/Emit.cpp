//===- Emit.cpp - From a module to text, as the tools emit it -------------===//

#include "tile/Pipeline/Emit.h"

#include "Steps.h"

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Report/Report.h"

using namespace mlir;
using namespace mlir::tile;

static bool drawsLayouts(EmitKind kind) {
  return kind == EmitKind::LayoutsText || kind == EmitKind::LayoutsSvg;
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
  std::optional<Location> launch = findFirstLaunch(module);
  if (failed(makeThreaded(module, options, isReport ? &collector : nullptr,
                          drawsLayouts(options.kind))))
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
  gpu::GPUModuleOp kernels = findKernels(module, launch);
  if (!kernels)
    return failure();
  if (options.kind == EmitKind::ArenaSvg) {
    printArenaSvg(collector.getReports(), os);
    return text;
  }
  if (drawsLayouts(options.kind)) {
    (options.kind == EmitKind::LayoutsSvg ? printLayoutsSvg : printLayoutsText)(
        collector.getReports(), os);
    return text;
  }
  SerializeOptions serialize = getSerializeOptions(options);
  serialize.printsLlvmIr = options.kind == EmitKind::Llvm;
  FailureOr<SerializedModule> texts =
      serializeToPtx(kernels, **target, serialize);
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
