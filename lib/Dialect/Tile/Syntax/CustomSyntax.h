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

/// The layout of a shared buffer; says so where another attribute stands.
ParseResult parseBufferLayout(OpAsmParser &parser, SharedAttr &layout);
void printBufferLayout(OpAsmPrinter &printer, Operation *op, SharedAttr layout);

/// The attribute dictionary of an operation without declarative assembly. Its
/// entries are checked as there: what is not of the declared kind would
/// otherwise be dropped in silence.
template <typename Op>
ParseResult parseAttributes(OpAsmParser &parser, OperationState &result,
                            bool hasKeyword) {
  SMLoc loc = parser.getCurrentLocation();
  if (hasKeyword ? parser.parseOptionalAttrDictWithKeyword(result.attributes)
                 : parser.parseOptionalAttrDict(result.attributes))
    return failure();
  return Op::verifyInherentAttrs(result.name, result.attributes,
                                 [&] { return parser.emitError(loc); });
}

} // namespace mlir::tile

#endif // TILE_LIB_DIALECT_TILE_SYNTAX_CUSTOMSYNTAX_H
