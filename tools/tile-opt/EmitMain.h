//===- EmitMain.h - tile-opt --emit -----------------------------*- C++ -*-===//

#ifndef TILE_TOOLS_TILE_OPT_EMITMAIN_H
#define TILE_TOOLS_TILE_OPT_EMITMAIN_H

#include "mlir/IR/DialectRegistry.h"

#include <string>

namespace mlir::tile {

/// Whether the command line asks for `--emit`.
bool isEmitCommand(int argc, char **argv);

/// Prints the tool's own options where help is asked for: LLVM prints some 700.
void printOwnHelp(int argc, char **argv);

/// What is wrong where an option of `--emit` stands without it, or is misspelt;
/// empty otherwise.
std::string checkOwnOptions(int argc, char **argv);

/// Runs `tile-opt in.mlir --emit=KIND --chip=CHIP -o out`; the exit status.
int runEmitCommand(int argc, char **argv, DialectRegistry &registry);

} // namespace mlir::tile

#endif // TILE_TOOLS_TILE_OPT_EMITMAIN_H
