//===- Compile.cpp - From a module to a compiled program, in C ------------===//

#include "Handlers.h"
#include "Program.h"

#include "tile/Pipeline/Emit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

struct TileCompileOptions {
  CompileOptions options;
};

static_assert(static_cast<int>(ReusePolicy::Never) == TileReuseNever);

TileCompileOptions *tileCompileOptionsCreate(void) {
  return new TileCompileOptions;
}

void tileCompileOptionsDestroy(TileCompileOptions *options) { delete options; }

void tileCompileOptionsSetChip(TileCompileOptions *options,
                               MlirStringRef chip) {
  options->options.chip = unwrap(chip).str();
}

void tileCompileOptionsSetOptLevel(TileCompileOptions *options, int level) {
  options->options.optLevel = level;
}

void tileCompileOptionsSetLineInfo(TileCompileOptions *options, bool value) {
  options->options.lineInfo = value;
}

void tileCompileOptionsSetCheckAssumptions(TileCompileOptions *options,
                                           bool value) {
  options->options.checkAssumptions = value;
}

void tileCompileOptionsSetVersions(TileCompileOptions *options, bool value) {
  options->options.versions = value;
}

void tileCompileOptionsSetPrefetchBytes(TileCompileOptions *options,
                                        int64_t bytes) {
  options->options.prefetchBytes = bytes;
}

void tileCompileOptionsSetReuse(TileCompileOptions *options, TileReuse reuse) {
  options->options.reuse = static_cast<ReusePolicy>(reuse);
}

void tileCompileOptionsSetMakesCubin(TileCompileOptions *options, bool value) {
  options->options.makesCubin = value;
}

void tileCompileOptionsSetDrawsLayouts(TileCompileOptions *options,
                                       bool value) {
  options->options.drawsLayouts = value;
}

void tileCompileOptionsSetLibdevice(TileCompileOptions *options,
                                    MlirStringRef path) {
  options->options.libdevice = unwrap(path).str();
}

void tileCompileOptionsAddToolkit(TileCompileOptions *options,
                                  MlirStringRef folder) {
  options->options.toolkits.folders.push_back(unwrap(folder).str());
}

void tileCompileOptionsDenyToolkits(TileCompileOptions *options) {
  options->options.toolkits.isDenied = true;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

MlirModule tileParse(MlirContext context, MlirStringRef source,
                     MlirStringRef sourceName, MlirDiagnosticHandler handler,
                     void *userData) {
  CallHandler scope(unwrap(context), handler, userData);
  return wrap(parseSourceString<ModuleOp>(unwrap(source), unwrap(context),
                                          unwrap(sourceName))
                  .release());
}

TileProgram *tileCompile(MlirModule module, const TileCompileOptions *options,
                         MlirDiagnosticHandler handler, void *userData) {
  ModuleOp op = unwrap(module);
  CallHandler scope(op.getContext(), handler, userData);
  FailureOr<CompiledProgram> program = compile(op, options->options);
  return succeeded(program) ? new TileProgram{std::move(*program)} : nullptr;
}

void tileProgramDestroy(TileProgram *program) { delete program; }

MlirLogicalResult tileEmit(MlirModule module, const TileCompileOptions *options,
                           TileText text, MlirStringCallback print,
                           void *printData, MlirDiagnosticHandler handler,
                           void *userData) {
  ModuleOp op = unwrap(module);
  CallHandler scope(op.getContext(), handler, userData);
  EmitOptions emitOptions{options->options};
  emitOptions.kind = text == TileTextLlvm ? EmitKind::Llvm : EmitKind::Nvvm;
  OwningOpRef<ModuleOp> copy = op.clone();
  FailureOr<std::string> result = emit(*copy, emitOptions);
  if (failed(result))
    return wrap(failure());
  print(wrap(*result), printData);
  return wrap(success());
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

MlirStringRef tileProgramGetChip(const TileProgram *program) {
  return wrap(program->program.chip);
}

MlirStringRef tileProgramGetPtx(const TileProgram *program) {
  return wrap(program->program.ptx);
}

MlirStringRef tileProgramGetCubin(const TileProgram *program) {
  return wrap(program->program.cubin);
}

intptr_t tileProgramGetNumKernels(const TileProgram *program) {
  return static_cast<intptr_t>(program->program.kernels.size());
}

MlirStringRef tileProgramGetKernelName(const TileProgram *program,
                                       intptr_t kernel) {
  return wrap(program->program.kernels[kernel].name);
}

void tileProgramPrintKernelPtx(const TileProgram *program, intptr_t kernel,
                               MlirStringCallback print, void *userData) {
  const CompiledProgram &compiled = program->program;
  std::string ptx = compiled.getKernelPtx(compiled.kernels[kernel].name);
  print(wrap(ptx), userData);
}

/// The report of one kernel, or of all for -1.
static ArrayRef<KernelReport> getReports(const TileProgram *program,
                                         intptr_t kernel) {
  ArrayRef<KernelReport> reports = program->program.kernels;
  return kernel < 0 ? reports : reports.slice(kernel, 1);
}

MlirLogicalResult tileProgramPrintReport(const TileProgram *program,
                                         intptr_t kernel, TileFormat format,
                                         MlirStringCallback print,
                                         void *userData) {
  mlir::detail::CallbackOstream os(print, userData);
  if (format == TileFormatSvg)
    return wrap(failure());
  (format == TileFormatJson ? printReportJson
                            : printReportText)(getReports(program, kernel), os);
  return wrap(success());
}

MlirLogicalResult tileProgramPrintLayouts(const TileProgram *program,
                                          intptr_t kernel, TileFormat format,
                                          MlirStringCallback print,
                                          void *userData) {
  mlir::detail::CallbackOstream os(print, userData);
  ArrayRef<KernelReport> reports = getReports(program, kernel);
  bool isDrawn = llvm::any_of(reports, [](const KernelReport &report) {
    return !report.drawings.empty();
  });
  if (format == TileFormatJson || !isDrawn)
    return wrap(failure());
  (format == TileFormatSvg ? printLayoutsSvg : printLayoutsText)(reports, os);
  return wrap(success());
}

void tileProgramPrintArena(const TileProgram *program, intptr_t kernel,
                           MlirStringCallback print, void *userData) {
  mlir::detail::CallbackOstream os(print, userData);
  printArenaSvg(getReports(program, kernel), os);
}

void tileProgramPrintJson(const TileProgram *program, MlirStringCallback print,
                          void *userData) {
  print(wrap(program->program.toJson()), userData);
}

MlirModule tileProgramGetSource(const TileProgram *program) {
  return wrap(*program->program.source);
}

MlirModule tileProgramGetHost(const TileProgram *program) {
  return wrap(*program->program.host);
}
