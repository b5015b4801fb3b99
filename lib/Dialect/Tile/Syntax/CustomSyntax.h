//===- CustomSyntax.h - Custom directives of the assembly -------*- C++ -*-===//
//
// The `custom<...>` directives that the operations' declarative assembly uses.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_DIALECT_TILE_SYNTAX_CUSTOMSYNTAX_H
#define TILE_LIB_DIALECT_TILE_SYNTAX_CUSTOMSYNTAX_H

#include "tile/Dialect/Tile/TileDialect.h"

#include "mlir/IR/OpImplementation.h"

namespace mlir::tile {

/// One side of an access, see TileSide.h.
ParseResult parseSide(OpAsmParser &parser,
                      OpAsmParser::UnresolvedOperand &memref,
                      SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices,
                      std::optional<OpAsmParser::UnresolvedOperand> &rows,
                      Type &rowsType, DenseI64ArrayAttr &box,
                      IntegerAttr &rowsDim, DenseBoolArrayAttr &inBounds);
void printSide(OpAsmPrinter &printer, Operation *op, Value memref,
               ValueRange indices, Value rows, Type rowsType,
               DenseI64ArrayAttr box, IntegerAttr rowsDim,
               DenseBoolArrayAttr inBounds);

/// A 64-bit integer without a type, so that what follows it is not taken for
/// one.
ParseResult parsePlainInteger(OpAsmParser &parser, IntegerAttr &value);
void printPlainInteger(OpAsmPrinter &printer, Operation *op, IntegerAttr value);

} // namespace mlir::tile

#endif // TILE_LIB_DIALECT_TILE_SYNTAX_CUSTOMSYNTAX_H
