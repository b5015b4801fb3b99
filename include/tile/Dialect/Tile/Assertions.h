//===- Assertions.h - What a trap of a kernel means -------------*- C++ -*-===//

#ifndef TILE_DIALECT_TILE_ASSERTIONS_H
#define TILE_DIALECT_TILE_ASSERTIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace mlir::tile {

/// What to say where a `tile.assert` of a source module fails, or an assumption that
/// its code checks, by "file:line:column".
llvm::StringMap<std::string> findAssertions(ModuleOp source);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_ASSERTIONS_H
