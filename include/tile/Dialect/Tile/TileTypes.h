//===- TileTypes.h - Facts about the types of a tile program ----*- C++ -*-===//
//
// Fragments are builtin tensors, buffers builtin memrefs: what the dialect
// knows about them beyond their type is asked here.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_TILETYPES_H
#define TILE_DIALECT_TILE_TILETYPES_H

#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/TileDialect.h"

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tile {

/// The layout of a fragment type; null where it is not chosen, or not a
/// fragment.
FragmentAttr getFragment(Type type);

/// The layout of a fragment that has one.
tilec::FragmentLayout getLayout(Value fragment);

/// A fragment type with this layout in place of the one it has.
RankedTensorType withLayout(RankedTensorType type,
                            const tilec::FragmentLayout &layout);

/// A fragment type without its layout.
RankedTensorType withoutLayout(RankedTensorType type);

/// A fragment type without dimension `dim`, its layout (if any) as
/// `FragmentLayout::dropDims` derives it; the type itself if it has no such
/// dimension.
Type getTypeWithoutDim(Type type, int64_t dim);

/// Bits that one element takes in memory: 4 for i4 and f4, 8 for i1 and the f6
/// types, 64 for index.
int64_t getMemoryBits(Type elementType);

/// Registers of 32 bits that a thread needs for a value of `type`: of a fragment
/// with a layout those of its elements, packed; 1 for what has none.
int64_t countRegisters(Type type);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_TILETYPES_H
