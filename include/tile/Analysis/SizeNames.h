//===- SizeNames.h - Sizes that have a name in common -----------*- C++ -*-===//
//
// `tile.dims` of an argument names its sizes; in one function equal names are equal
// sizes, which is checked where the program is started.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_SIZENAMES_H
#define TILE_ANALYSIS_SIZENAMES_H

#include "mlir/IR/Value.h"

namespace mlir::tile {

/// Size `dim` of `memref`.
struct MemRefSize {
  Value memref;
  int64_t dim = 0;
};

/// The name that a function gives the size of its argument; empty where there is none.
StringRef getSizeName(const MemRefSize &size);

/// The other sizes of the function's arguments that have the name of `size`.
SmallVector<MemRefSize> getEqualSizes(const MemRefSize &size);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_SIZENAMES_H
