//===- SideSyntax.cpp - Text of one side of an access ---------------------===//
//
//   side := %m ([%i, %j] ([128, 64])? (rows(%r : type) dim 0)?
//               (in_bounds [true, false])?)?
//
//===----------------------------------------------------------------------===//

#include "CustomSyntax.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tile;

ParseResult
tile::parseSide(OpAsmParser &parser, OpAsmParser::UnresolvedOperand &memref,
                SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices,
                std::optional<OpAsmParser::UnresolvedOperand> &rows,
                Type &rowsType, DenseI64ArrayAttr &box, IntegerAttr &rowsDim,
                DenseBoolArrayAttr &inBounds) {
  Builder &builder = parser.getBuilder();
  if (parser.parseOperand(memref) ||
      parser.parseOperandList(indices, AsmParser::Delimiter::OptionalSquare))
    return failure();
  SmallVector<int64_t> extents;
  if (succeeded(parser.parseOptionalLSquare())) {
    if (parser.parseCommaSeparatedList(
            [&] { return parser.parseInteger(extents.emplace_back()); }) ||
        parser.parseRSquare())
      return failure();
    box = builder.getDenseI64ArrayAttr(extents);
  }
  if (succeeded(parser.parseOptionalKeyword("rows"))) {
    int64_t dim = 0;
    if (parser.parseLParen() || parser.parseOperand(rows.emplace()) ||
        parser.parseColonType(rowsType) || parser.parseRParen() ||
        parser.parseKeyword("dim") || parser.parseInteger(dim))
      return failure();
    rowsDim = builder.getI64IntegerAttr(dim);
  }
  if (succeeded(parser.parseOptionalKeyword("in_bounds"))) {
    SmallVector<bool> entries;
    auto parseEntry = [&]() -> ParseResult {
      SMLoc loc = parser.getCurrentLocation();
      StringRef word;
      if (parser.parseOptionalKeyword(&word, {"true", "false"}))
        return parser.emitError(loc) << "expected 'true' or 'false'";
      entries.push_back(word == "true");
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       parseEntry))
      return failure();
    inBounds = builder.getDenseBoolArrayAttr(entries);
  }
  return success();
}

void tile::printSide(OpAsmPrinter &printer, Operation *, Value memref,
                     ValueRange indices, Value rows, Type rowsType,
                     DenseI64ArrayAttr box, IntegerAttr rowsDim,
                     DenseBoolArrayAttr inBounds) {
  printer << memref;
  if (!indices.empty())
    printer << '[' << indices << ']';
  if (box) {
    printer << " [";
    llvm::interleaveComma(box.asArrayRef(), printer);
    printer << ']';
  }
  if (rows && rowsDim)
    printer << " rows(" << rows << " : " << rowsType << ") dim "
            << rowsDim.getInt();
  if (inBounds) {
    printer << " in_bounds [";
    llvm::interleaveComma(inBounds.asArrayRef(), printer, [&](bool entry) {
      printer << (entry ? "true" : "false");
    });
    printer << ']';
  }
}

ParseResult tile::parsePlainInteger(OpAsmParser &parser, IntegerAttr &value) {
  int64_t number = 0;
  if (parser.parseInteger(number))
    return failure();
  value = parser.getBuilder().getI64IntegerAttr(number);
  return success();
}

void tile::printPlainInteger(OpAsmPrinter &printer, Operation *,
                             IntegerAttr value) {
  printer << value.getInt();
}

ParseResult tile::parseBufferLayout(OpAsmParser &parser, SharedAttr &layout) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  layout = dyn_cast<SharedAttr>(attribute);
  if (layout)
    return success();
  InFlightDiagnostic error =
      parser.emitError(loc, "the layout of a shared buffer must be a "
                            "#tile.shared<..>, got ");
  if (isa<FragmentAttr>(attribute))
    error << "the layout of a fragment, ";
  return error << attribute;
}

void tile::printBufferLayout(OpAsmPrinter &printer, Operation *,
                             SharedAttr layout) {
  printer.printAttribute(layout);
}
