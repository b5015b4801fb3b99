//===- Output.h - Text to a file or an error that names it ------*- C++ -*-===//

#ifndef TILE_TOOLS_TILE_OPT_OUTPUT_H
#define TILE_TOOLS_TILE_OPT_OUTPUT_H

#include "llvm/ADT/Twine.h"

namespace mlir::tile {

/// Prints `error: message` and returns 1.
int fail(const llvm::Twine &message);

/// Writes `text` to a file, or to standard output for "-"; the exit status.
int writeOutput(llvm::StringRef path, llvm::StringRef text);

} // namespace mlir::tile

#endif // TILE_TOOLS_TILE_OPT_OUTPUT_H
