//===- ExpandSparse.h - A sparse operand with its zeros ---------*- C++ -*-===//

#ifndef TILE_LIB_TRANSFORMS_EXPANDSPARSE_H
#define TILE_LIB_TRANSFORMS_EXPANDSPARSE_H

#include "tile/Dialect/Tile/TileInterfaces.h"

namespace mlir::tile {

/// The M x K with its zeros that the sparse `a` of `product` stands for, made in
/// front of it.
Value expandSparse(MatrixProductOpInterface product);

} // namespace mlir::tile

#endif // TILE_LIB_TRANSFORMS_EXPANDSPARSE_H
