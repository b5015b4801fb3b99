//===- diagnostics.h - Diagnostics as Python has them -----------*- C++ -*-===//

#ifndef TILEC_BINDINGS_DIAGNOSTICS_H
#define TILEC_BINDINGS_DIAGNOSTICS_H

#include "tile-c/Compile.h"

#include <string>
#include <string_view>
#include <vector>

struct Diagnostic {
  std::string severity; ///< "error", "warning", "remark", "note"
  std::string file;     ///< empty where the place is in no file
  int line = 0, column = 0;
  std::string message;
  std::vector<Diagnostic> notes;
};

/// Collects what is emitted in a context for as long as it lives: as data, and as the
/// text of the command line.
class Diagnostics {
public:
  Diagnostics(MlirContext context, std::string_view source,
              std::string_view sourceName);
  ~Diagnostics();
  Diagnostics(const Diagnostics &) = delete;

  std::vector<Diagnostic> list;
  std::string text;

private:
  MlirContext context;
  TileDiagnosticPrinter *printer;
  MlirDiagnosticHandlerID handler;
};

/// A text of C in the std::string that `userData` is, behind what it has.
void append(MlirStringRef text, void *userData);

inline MlirStringRef toC(std::string_view text) {
  return mlirStringRefCreate(text.data(), text.size());
}

inline std::string toPython(MlirStringRef text) {
  return std::string(text.data, text.length);
}

#endif // TILEC_BINDINGS_DIAGNOSTICS_H
