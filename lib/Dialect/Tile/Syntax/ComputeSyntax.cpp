//===- ComputeSyntax.cpp - Text of reduce, scan and parallel --------------===//
//
//   tile.reduce <kind> %x dims [1] init(%t)? fastmath<..>? attrs : T -> R
//   tile.reduce (%x, %y) dims [1] init(%t, %u)? attrs : (T, U) -> (R, S) {..}
//   tile.scan <kind> %x dim 0 fastmath<..>? attrs : T (-> R)?
//   tile.scan (%x, %y) dim 0 init(%t, %u)? attrs : (T, U) (-> (R, S))? {..}
//   tile.parallel (%i, %j) in (128, 64) -> (R)? (attributes {..})? {..}
//
// The types of `init` are not written: those of a reduction's results, or of a
// scan's results without the scanned dimension.
//
//===----------------------------------------------------------------------===//

#include "CustomSyntax.h"

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Reduce and scan
//===----------------------------------------------------------------------===//

namespace {
/// What reductions and scans have in common in front of their types.
struct CombinerText {
  vector::CombiningKindAttr kind;
  SmallVector<OpAsmParser::UnresolvedOperand> operands, inits;
  SMLoc operandsLoc, initsLoc;
};
} // namespace

/// `<kind> %x` or `(%x, %y)`.
static ParseResult parseKindAndOperands(OpAsmParser &parser,
                                        CombinerText &text) {
  text.operandsLoc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalLParen()))
    return failure(parser.parseOperandList(text.operands) ||
                   parser.parseRParen());
  text.kind = dyn_cast_or_null<vector::CombiningKindAttr>(
      vector::CombiningKindAttr::parse(parser, Type()));
  if (!text.kind)
    return failure();
  text.operandsLoc = parser.getCurrentLocation();
  return parser.parseOperand(text.operands.emplace_back());
}

/// `init(%t, %u)`, optional.
static ParseResult parseInit(OpAsmParser &parser, CombinerText &text) {
  text.initsLoc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword("init")))
    return success();
  return failure(parser.parseLParen() || parser.parseOperandList(text.inits) ||
                 parser.parseRParen());
}

/// `fastmath<contract>`, optional.
static ParseResult parseFastMath(OpAsmParser &parser,
                                 arith::FastMathFlagsAttr &flags) {
  flags = arith::FastMathFlagsAttr::get(parser.getContext(),
                                        arith::FastMathFlags::none);
  if (failed(parser.parseOptionalKeyword("fastmath")))
    return success();
  flags = dyn_cast_or_null<arith::FastMathFlagsAttr>(
      arith::FastMathFlagsAttr::parse(parser, Type()));
  return success(flags != nullptr);
}

/// A type for a kind, a list in parentheses for a combiner.
static ParseResult parseTypes(OpAsmParser &parser, const CombinerText &text,
                              SmallVectorImpl<Type> &types) {
  if (text.kind)
    return parser.parseType(types.emplace_back());
  return failure(parser.parseLParen() || parser.parseTypeList(types) ||
                 parser.parseRParen());
}

/// Resolves operands, and the region of a combiner.
static ParseResult parseRest(OpAsmParser &parser, OperationState &result,
                             const CombinerText &text, ArrayRef<Type> types,
                             ArrayRef<Type> initTypes) {
  if (!text.inits.empty() && text.inits.size() != initTypes.size())
    return parser.emitError(text.initsLoc)
           << "'init' must have a value per result: expected "
           << initTypes.size() << ", got " << text.inits.size();
  if (parser.resolveOperands(text.operands, types, text.operandsLoc,
                             result.operands))
    return failure();
  if (!text.inits.empty() &&
      parser.resolveOperands(text.inits, initTypes, text.initsLoc,
                             result.operands))
    return failure();
  Region *combiner = result.addRegion();
  return text.kind ? success() : parser.parseRegion(*combiner);
}

static void printKindAndOperands(OpAsmPrinter &printer,
                                 vector::CombiningKindAttr kind,
                                 ValueRange operands) {
  printer << ' ';
  if (kind) {
    kind.print(printer);
    printer << ' ' << operands;
  } else {
    printer << '(' << operands << ')';
  }
}

static void printInit(OpAsmPrinter &printer, ValueRange inits) {
  if (!inits.empty())
    printer << " init(" << inits << ')';
}

static void printFastMath(OpAsmPrinter &printer,
                          arith::FastMathFlagsAttr flags) {
  if (flags.getValue() == arith::FastMathFlags::none)
    return;
  printer << " fastmath";
  flags.print(printer);
}

static void printTypes(OpAsmPrinter &printer, vector::CombiningKindAttr kind,
                       TypeRange types) {
  if (kind)
    printer << types;
  else
    printer << '(' << types << ')';
}

static void printCombiner(OpAsmPrinter &printer, Region &combiner) {
  if (combiner.empty())
    return;
  printer << ' ';
  printer.printRegion(combiner);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  CombinerText text;
  SmallVector<int64_t> dims;
  SmallVector<Type> types, resultTypes;
  if (parseKindAndOperands(parser, text) || parser.parseKeyword("dims") ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&] { return parser.parseInteger(dims.emplace_back()); }) ||
      parseInit(parser, text) || parseFastMath(parser, properties.fastmath) ||
      parseAttributes<ReduceOp>(parser, result, /*hasKeyword=*/false) ||
      parser.parseColon() || parseTypes(parser, text, types) ||
      parser.parseArrow() || parseTypes(parser, text, resultTypes) ||
      parseRest(parser, result, text, types, resultTypes))
    return failure();
  properties.kind = text.kind;
  properties.dims = parser.getBuilder().getDenseI64ArrayAttr(dims);
  properties.operandSegmentSizes = {static_cast<int32_t>(text.operands.size()),
                                    static_cast<int32_t>(text.inits.size())};
  result.addTypes(resultTypes);
  return success();
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printKindAndOperands(printer, getKindAttr(), getOperands_());
  printer << " dims [";
  llvm::interleaveComma(getDims(), printer);
  printer << ']';
  printInit(printer, getInits());
  printFastMath(printer, getFastmathAttr());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getKindAttrName(), getDimsAttrName(),
                                 getFastmathAttrName(),
                                 getOperandSegmentSizesAttrName()});
  printer << " : ";
  printTypes(printer, getKindAttr(), getOperands_().getTypes());
  printer << " -> ";
  printTypes(printer, getKindAttr(), getResults_().getTypes());
  printCombiner(printer, getCombiner());
}

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  CombinerText text;
  int64_t dim = 0;
  SmallVector<Type> types, resultTypes, initTypes;
  if (parseKindAndOperands(parser, text) || parser.parseKeyword("dim") ||
      parser.parseInteger(dim) || parseInit(parser, text) ||
      parseFastMath(parser, properties.fastmath) ||
      parseAttributes<ScanOp>(parser, result, /*hasKeyword=*/false) ||
      parser.parseColon() || parseTypes(parser, text, types))
    return failure();
  resultTypes = types;
  if (succeeded(parser.parseOptionalArrow())) {
    resultTypes.clear();
    if (parseTypes(parser, text, resultTypes))
      return failure();
  }
  for (Type type : resultTypes)
    initTypes.push_back(getTypeWithoutDim(type, dim));
  if (parseRest(parser, result, text, types, initTypes))
    return failure();
  properties.kind = text.kind;
  properties.dim = parser.getBuilder().getI64IntegerAttr(dim);
  properties.operandSegmentSizes = {static_cast<int32_t>(text.operands.size()),
                                    static_cast<int32_t>(text.inits.size())};
  result.addTypes(resultTypes);
  return success();
}

void ScanOp::print(OpAsmPrinter &printer) {
  printKindAndOperands(printer, getKindAttr(), getOperands_());
  printer << " dim " << getDim();
  printInit(printer, getInits());
  printFastMath(printer, getFastmathAttr());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getKindAttrName(), getDimAttrName(),
                                 getFastmathAttrName(),
                                 getOperandSegmentSizesAttrName()});
  printer << " : ";
  printTypes(printer, getKindAttr(), getOperands_().getTypes());
  if (!llvm::equal(getOperands_().getTypes(), getResults_().getTypes())) {
    printer << " -> ";
    printTypes(printer, getKindAttr(), getResults_().getTypes());
  }
  printCombiner(printer, getCombiner());
}

//===----------------------------------------------------------------------===//
// Parallel
//===----------------------------------------------------------------------===//

ParseResult ParallelOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  auto &properties = result.getOrAddProperties<Properties>();
  SmallVector<OpAsmParser::Argument> variables;
  SmallVector<int64_t> shape;
  if (parser.parseArgumentList(variables, AsmParser::Delimiter::Paren) ||
      parser.parseKeyword("in"))
    return failure();
  SMLoc shapeLoc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
        return parser.parseInteger(shape.emplace_back());
      }))
    return failure();
  if (shape.size() != variables.size())
    return parser.emitError(shapeLoc)
           << "expected as many extents as induction variables: "
           << variables.size() << ", got " << shape.size();
  properties.shape = builder.getDenseI64ArrayAttr(shape);
  if (succeeded(parser.parseOptionalArrow()) &&
      (parser.parseLParen() || parser.parseTypeList(result.types) ||
       parser.parseRParen()))
    return failure();
  if (parseAttributes<ParallelOp>(parser, result, /*hasKeyword=*/true))
    return failure();
  for (OpAsmParser::Argument &variable : variables)
    variable.type = builder.getIndexType();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, variables))
    return failure();
  ParallelOp::ensureTerminator(*body, builder, result.location);
  return success();
}

void ParallelOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(getInductionVars(), printer);
  printer << ") in (";
  llvm::interleaveComma(getShape(), printer);
  printer << ')';
  if (getNumResults() != 0)
    printer << " -> (" << getResultTypes() << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getShapeAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/getNumResults() != 0);
}

void ParallelOp::getAsmBlockArgumentNames(Region &region,
                                          OpAsmSetValueNameFn setName) {
  static constexpr StringLiteral names[] = {"i", "j", "k", "l"};
  for (auto [argument, name] : llvm::zip(region.getArguments(), names))
    setName(argument, name);
}
