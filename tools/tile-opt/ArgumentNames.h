//===- ArgumentNames.h - What a text calls arguments ------------*- C++ -*-===//

#ifndef TILE_TOOLS_TILE_OPT_ARGUMENTNAMES_H
#define TILE_TOOLS_TILE_OPT_ARGUMENTNAMES_H

#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlir::tile {

/// Gives arguments of functions the names that the text has for them, `A` for `%A`, as
/// names of their locations: MLIR forgets them.
void nameArguments(ModuleOp module, llvm::SourceMgr &sources);

} // namespace mlir::tile

#endif // TILE_TOOLS_TILE_OPT_ARGUMENTNAMES_H
