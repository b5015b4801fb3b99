//===- diagnostics.cpp - Diagnostics as Python has them -------------------===//

#include "diagnostics.h"

void append(MlirStringRef text, void *userData) {
  static_cast<std::string *>(userData)->append(text.data, text.length);
}

/// The file that a location names; of calls and fused ones the first that does. False
/// where none does.
static bool findPlace(MlirLocation location, Diagnostic &result) {
  if (mlirLocationIsAFileLineColRange(location)) {
    result.file = toPython(
        mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location)));
    result.line = mlirLocationFileLineColRangeGetStartLine(location);
    result.column = mlirLocationFileLineColRangeGetStartColumn(location);
    return true;
  }
  if (mlirLocationIsAName(location))
    return findPlace(mlirLocationNameGetChildLoc(location), result);
  if (mlirLocationIsACallSite(location))
    return findPlace(mlirLocationCallSiteGetCallee(location), result) ||
           findPlace(mlirLocationCallSiteGetCaller(location), result);
  if (!mlirLocationIsAFused(location))
    return false;
  std::vector<MlirLocation> parts(mlirLocationFusedGetNumLocations(location));
  mlirLocationFusedGetLocations(location, parts.data());
  for (MlirLocation part : parts)
    if (findPlace(part, result))
      return true;
  return false;
}

static Diagnostic getDiagnostic(MlirDiagnostic from) {
  static const char *const severities[] = {"error", "warning", "note",
                                           "remark"};
  Diagnostic result;
  result.severity = severities[mlirDiagnosticGetSeverity(from)];
  findPlace(mlirDiagnosticGetLocation(from), result);
  mlirDiagnosticPrint(from, append, &result.message);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(from); ++i)
    result.notes.push_back(getDiagnostic(mlirDiagnosticGetNote(from, i)));
  return result;
}

/// Keeps the data, and leaves the text to the printer.
static MlirLogicalResult collect(MlirDiagnostic diagnostic, void *list) {
  static_cast<std::vector<Diagnostic> *>(list)->push_back(
      getDiagnostic(diagnostic));
  return mlirLogicalResultFailure();
}

Diagnostics::Diagnostics(MlirContext context, std::string_view source,
                         std::string_view sourceName)
    : context(context),
      printer(tileDiagnosticPrinterAttach(context, toC(source), toC(sourceName),
                                          append, &text)),
      handler(mlirContextAttachDiagnosticHandler(context, collect, &list,
                                                 nullptr)) {}

Diagnostics::~Diagnostics() {
  mlirContextDetachDiagnosticHandler(context, handler);
  tileDiagnosticPrinterDetach(printer);
}
