//===- EmitMain.h - tile-opt --emit -----------------------------*- C++ -*-===//

#ifndef TILE_TOOLS_TILE_OPT_EMITMAIN_H
#define TILE_TOOLS_TILE_OPT_EMITMAIN_H

#include "../Completion.h"

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

/// What shells complete words to: the options of `--emit` with their values, and all
/// others that are registered. MLIR's own are registered here.
std::vector<tilec::CompletionWord> getCompletions(DialectRegistry &registry);

/// Runs `tile-opt in.mlir --emit=KIND --chip=CHIP -o out`; the exit status.
int runEmitCommand(int argc, char **argv, DialectRegistry &registry);

} // namespace mlir::tile

#endif // TILE_TOOLS_TILE_OPT_EMITMAIN_H
