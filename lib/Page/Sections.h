//===- Sections.h - The parts of a page -------------------------*- C++ -*-===//
//
// Each prints one section, whole. Lines of the source are at "#L12", the PTX that comes
// from line 12 in kernel 0 begins at "#k0-12".
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_PAGE_SECTIONS_H
#define TILE_LIB_PAGE_SECTIONS_H

#include "PtxText.h"

#include "tile/Page/Page.h"
#include "tile/Report/Decisions.h"

#include <map>

namespace mlir::tile {

/// A kernel and what the page says of it.
struct PageKernel {
  size_t number = 0;
  const KernelReport *report = nullptr;
  std::vector<Decision> decisions;
  std::vector<PtxLine> ptx;
  /// How many instructions come from a line of the source.
  std::map<int64_t, int64_t> instructionsOfLine;
  int64_t instructions = 0;
};

struct PageProgram {
  const PageSource &source;
  std::string chip;
  std::vector<PageKernel> kernels;
  std::vector<StringRef> lines; ///< of the source, from line 1 at index 0

  /// A link to a line where it is one of the source, else the place as text.
  std::string linkTo(StringRef location) const;
};

void printFacts(const PageProgram &program, llvm::raw_ostream &os);
void printSource(const PageProgram &program, llvm::raw_ostream &os);
void printMemory(const PageProgram &program, const PageKernel &kernel,
                 llvm::raw_ostream &os);
void printLayouts(const PageProgram &program, const PageKernel &kernel,
                  llvm::raw_ostream &os);
void printLoops(const PageProgram &program, const PageKernel &kernel,
                llvm::raw_ostream &os);
void printCounts(const PageKernel &kernel, llvm::raw_ostream &os);
void printPtx(const PageProgram &program, const PageKernel &kernel,
              llvm::raw_ostream &os);

} // namespace mlir::tile

#endif // TILE_LIB_PAGE_SECTIONS_H
