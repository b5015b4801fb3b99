//===- Analysis.h - What an editor shows of a text --------------*- C++ -*-===//
//
// One text of MLIR, whole or half-written, turned into what the language server
// protocol calls diagnostics, and texts for hovers: it is parsed and verified, and where
// it holds a launch it is compiled.
//
// An analysis runs in a process of its own (Server.h): it may take long, be stopped at
// any time, or crash, and the editor goes on.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LSP_ANALYSIS_H
#define TILE_LSP_ANALYSIS_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace mlir::tile {

struct AnalysisInput {
  std::string uri;  ///< of the document, for diagnostics that name it
  std::string text; ///< parts between lines "// -----" are modules of their own
  std::string
      chip; ///< to compile for where the module names none; may be empty
};

/// Writes a JSON object a line to `os`, twice: after the text was parsed and verified,
/// and after it was compiled. The second time has all that the first had.
///
///     {"phase": "parsed" | "compiled", "diagnostics": [Diagnostic..],
///      "hovers": [{"range": Range, "text": index of texts}..], "texts": [markdown..]}
///
/// Diagnostics and ranges are those of the protocol, columns in UTF-16 units. Remarks of
/// the compiler are diagnostics of severity 4, hints.
void analyse(const AnalysisInput &input, const DialectRegistry &registry,
             llvm::raw_ostream &os);

} // namespace mlir::tile

#endif // TILE_LSP_ANALYSIS_H
