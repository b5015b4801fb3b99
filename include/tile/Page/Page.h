//===- Page.h - A compiled program as one HTML page -------------*- C++ -*-===//
//
// What `tile-opt --emit=html` writes: the source beside what was decided at its lines;
// of each kernel shared memory, layouts, loops, what its PTX is made of, and the PTX
// under the lines that it comes from. The page needs nothing but itself: no network, no
// fonts, no other files; without scripts it shows everything.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_PAGE_PAGE_H
#define TILE_PAGE_PAGE_H

#include "tile/Pipeline/Compile.h"

#include "llvm/Support/raw_ostream.h"

namespace mlir::tile {

/// The text that a program was compiled from, under the name that its locations have.
struct PageSource {
  std::string file;
  std::string text;
};

/// Writes the page of `program`, compiled with `drawsLayouts` and `lineInfo`; what
/// these leave out is not in the page. Places in other files than the source's are
/// shown, but lead nowhere. Same input, same page.
void printPage(const PageSource &source, const CompiledProgram &program,
               llvm::raw_ostream &os);

} // namespace mlir::tile

#endif // TILE_PAGE_PAGE_H
