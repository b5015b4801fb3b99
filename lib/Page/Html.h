//===- Html.h - Text that goes into a page ----------------------*- C++ -*-===//

#ifndef TILE_LIB_PAGE_HTML_H
#define TILE_LIB_PAGE_HTML_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace mlir::tile {

/// `text` with what HTML would read as its own escaped.
std::string escapeHtml(llvm::StringRef text);

/// A line of MLIR, or of PTX, as HTML in which comments, values, operations and names
/// have classes of their own.
std::string highlightMlir(llvm::StringRef line);
std::string highlightPtx(llvm::StringRef line);

/// "98,384": digits in groups of three.
std::string formatNumber(int64_t number);

} // namespace mlir::tile

#endif // TILE_LIB_PAGE_HTML_H
