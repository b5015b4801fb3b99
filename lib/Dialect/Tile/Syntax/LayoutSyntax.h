//===- LayoutSyntax.h - Text of layout attributes ---------------*- C++ -*-===//
//
// Parsing and printing of the pieces that `#tile.fragment` and `#tile.shared`
// are spelled with: shapes, integer lists and digits.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_DIALECT_TILE_SYNTAX_LAYOUTSYNTAX_H
#define TILE_LIB_DIALECT_TILE_SYNTAX_LAYOUTSYNTAX_H

#include "tile/Layout/SharedLayout.h"

#include "mlir/IR/OpImplementation.h"

namespace mlir::tile {

/// `[1, 2, 3]`, possibly empty.
ParseResult parseIntegerList(AsmParser &parser, SmallVectorImpl<int64_t> &list);

/// `[2 : (0, 1), 4 : (8, 0)]`: digits of a fragment layout of this rank.
ParseResult parseDigits(AsmParser &parser, int64_t rank, tilec::Digits &digits);

/// `[64 : (0, 1), 128 : (1, 0) weight 72]`: digits of a shared layout. A digit
/// without `weight` has the previous digit's weight times its extent.
ParseResult parseOffsetDigits(AsmParser &parser, int64_t rank,
                              tilec::OffsetDigits &digits);

/// Prints what the parser above reads, a weight only where it is not implied.
void printOffsetDigits(AsmPrinter &printer, int64_t rank,
                       const tilec::OffsetDigits &digits);

} // namespace mlir::tile

#endif // TILE_LIB_DIALECT_TILE_SYNTAX_LAYOUTSYNTAX_H
