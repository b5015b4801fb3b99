//===- Diagnostics.cpp - Diagnostics as the command line prints them ------===//

#include "tile-c/Compile.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

struct TileDiagnosticPrinter {
  TileDiagnosticPrinter(MLIRContext *context, StringRef source, StringRef name,
                        MlirStringCallback print, void *userData)
      : context(context), printedOps(context->shouldPrintOpOnDiagnostic()),
        os(print, userData) {
    context->printOpOnDiagnostic(
        false); // the line of the source says it better
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(source, name), llvm::SMLoc());
    handler.emplace(sources, context, os);
  }
  ~TileDiagnosticPrinter() { context->printOpOnDiagnostic(printedOps); }

  MLIRContext *context;
  bool printedOps;

  detail::CallbackOstream os;
  llvm::SourceMgr sources;
  std::optional<SourceMgrDiagnosticHandler> handler;
};

TileDiagnosticPrinter *tileDiagnosticPrinterAttach(MlirContext context,
                                                   MlirStringRef source,
                                                   MlirStringRef sourceName,
                                                   MlirStringCallback print,
                                                   void *userData) {
  return new TileDiagnosticPrinter(unwrap(context), unwrap(source),
                                   unwrap(sourceName), print, userData);
}

void tileDiagnosticPrinterDetach(TileDiagnosticPrinter *printer) {
  delete printer;
}
