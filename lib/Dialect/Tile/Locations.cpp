//===- Locations.cpp - Places of the source as people read them -----------===//

#include "tile/Dialect/Tile/Locations.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

std::string mlir::tile::formatLocation(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine() << ":"
       << file.getColumn();
  else
    os << loc;
  return text;
}
