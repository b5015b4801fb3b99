//===- Places.h - Places of a text, as the protocol has them ----*- C++ -*-===//
//
// MLIR counts lines and bytes from 1, the language server protocol lines and UTF-16
// units from 0.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_LSP_PLACES_H
#define TILE_LIB_LSP_PLACES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <vector>

namespace mlir::tile {

class TextPlaces {
public:
  explicit TextPlaces(llvm::StringRef text);

  /// The position of a byte of the text, {"line": .., "character": ..}.
  llvm::json::Object getPosition(size_t offset) const;
  llvm::json::Object getRange(size_t begin, size_t end) const;
  /// The word at a line and column, counted from 1; a place past the end is the end.
  llvm::json::Object getWordRange(int64_t line, int64_t column) const;

private:
  llvm::StringRef text;
  std::vector<size_t> lines; ///< where each begins
};

} // namespace mlir::tile

#endif // TILE_LIB_LSP_PLACES_H
