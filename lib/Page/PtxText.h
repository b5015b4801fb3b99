//===- PtxText.h - The lines of a kernel's PTX, for people ------*- C++ -*-===//
//
// PTX as the code generator writes it, taken apart by lines: what is an instruction,
// and which line of the source it comes from (.loc). What only debuggers read is left
// out.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_PAGE_PTXTEXT_H
#define TILE_LIB_PAGE_PTXTEXT_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mlir::tile {

struct PtxLine {
  std::string text;
  int64_t sourceLine = 0; ///< 0: none, or one of another file
  std::string opcode;     ///< where an instruction begins, whole; else empty
};

/// The lines of the one kernel of `ptx`, from its signature to its end, with lines of
/// `file`.
std::vector<PtxLine> splitPtx(llvm::StringRef ptx, llvm::StringRef file);

/// What an instruction is, without types, rounding and the like: "ld.shared",
/// "mma.sync", "add".
std::string getFamily(llvm::StringRef opcode);

/// How many instructions there are of each family, the most first.
std::vector<std::pair<std::string, int64_t>>
countFamilies(const std::vector<PtxLine> &lines);

} // namespace mlir::tile

#endif // TILE_LIB_PAGE_PTXTEXT_H
