//===- TileDialect.h - The tile dialect, its attributes ---------*- C++ -*-===//
//
// What every user of the dialect includes: the dialect class, its enumerations,
// attributes and types. Operations are in TileOps.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_TILEDIALECT_H
#define TILE_DIALECT_TILE_TILEDIALECT_H

#include "tile/Layout/FragmentLayout.h"
#include "tile/Layout/SharedLayout.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/TensorEncoding.h"

namespace tilec {
struct CopyInstruction;
struct MatrixInstruction;
} // namespace tilec

#include "tile/Dialect/Tile/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tile/Dialect/Tile/TileAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tile/Dialect/Tile/TileTypeDefs.h.inc"

#include "tile/Dialect/Tile/TileDialect.h.inc"

#endif // TILE_DIALECT_TILE_TILEDIALECT_H
