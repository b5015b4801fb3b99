//===- HelpOption.h - --help and --version of a tool ------------*- C++ -*-===//

#ifndef TILE_TOOLS_HELPOPTION_H
#define TILE_TOOLS_HELPOPTION_H

#include "llvm/ADT/StringRef.h"

namespace mlir::tile {

/// Prints what `--help`, `-h` or `--version` before a `--` asks for, of the tool called
/// `name`; false where none of them stands there.
bool printHelpOrVersion(int argc, char **argv, llvm::StringRef name,
                        llvm::StringRef help);

} // namespace mlir::tile

#endif // TILE_TOOLS_HELPOPTION_H
