//===- ParseElement.h - Elements as people write them -----------*- C++ -*-===//

#ifndef TILE_LIB_RUNTIME_PARSEELEMENT_H
#define TILE_LIB_RUNTIME_PARSEELEMENT_H

#include "tile/Reference/Array.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mlir::tile {

/// The one element of `type` that `text` says: a float rounded to the type, an integer
/// exactly, read as signed or unsigned. Nothing where it says none, or the type does not
/// have it: `error` completes "VALUE ..".
std::optional<reference::Array> parseElement(llvm::StringRef text,
                                             reference::ElementType type,
                                             std::string &error);

} // namespace mlir::tile

#endif // TILE_LIB_RUNTIME_PARSEELEMENT_H
