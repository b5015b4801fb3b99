//===- JoinPtx.h - The PTX of parts becomes one module ----------*- C++ -*-===//

#ifndef TILE_LIB_TARGET_PTX_JOINPTX_H
#define TILE_LIB_TARGET_PTX_JOINPTX_H

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>

namespace mlir::tile {

/// Joins what LLVM wrote of the parts of a module (KernelParts.h) to the text that it
/// writes of the whole: one header, each declaration and variable once, then the
/// functions of the parts in order, their labels, calls and source files numbered
/// through. Nothing where parts cannot be joined: two define a name differently (a
/// function of libdevice, specialised), or there is more in one than this knows
/// (debug information beyond lines).
std::optional<std::string> joinPtx(llvm::ArrayRef<std::string> parts);

} // namespace mlir::tile

#endif // TILE_LIB_TARGET_PTX_JOINPTX_H
