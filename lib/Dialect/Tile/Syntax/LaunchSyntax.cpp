//===- LaunchSyntax.cpp - Text of tile.launch -----------------------------===//
//
//   tile.launch @name? blocks(%bx, %by) in (%gx, %gy) threads(128)
//       (cluster(2, 1))? (attributes {...})? { body }
//
//===----------------------------------------------------------------------===//

#include "CustomSyntax.h"

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tile;

ParseResult LaunchOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  auto &properties = result.getOrAddProperties<Properties>();

  StringAttr name;
  if (succeeded(parser.parseOptionalSymbolName(name)))
    properties.kernel = name;

  SmallVector<OpAsmParser::Argument> blockIds;
  SmallVector<OpAsmParser::UnresolvedOperand> extents;
  if (parser.parseKeyword("blocks") ||
      parser.parseArgumentList(blockIds, AsmParser::Delimiter::Paren) ||
      parser.parseKeyword("in"))
    return failure();
  SMLoc extentsLoc = parser.getCurrentLocation();
  if (parser.parseOperandList(extents, AsmParser::Delimiter::Paren))
    return failure();
  if (extents.size() != blockIds.size())
    return parser.emitError(extentsLoc)
           << "expected as many extents as block coordinates: "
           << blockIds.size() << ", got " << extents.size();

  int64_t threads = 0;
  if (parser.parseKeyword("threads") || parser.parseLParen() ||
      parser.parseInteger(threads) || parser.parseRParen())
    return failure();
  properties.threads = builder.getI64IntegerAttr(threads);
  if (succeeded(parser.parseOptionalKeyword("cluster"))) {
    SmallVector<int64_t> cluster;
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
          return parser.parseInteger(cluster.emplace_back());
        }))
      return failure();
    properties.cluster = builder.getDenseI64ArrayAttr(cluster);
  }
  if (parseAttributes<LaunchOp>(parser, result, /*hasKeyword=*/true))
    return failure();

  Type index = builder.getIndexType();
  for (OpAsmParser::Argument &id : blockIds)
    id.type = index;
  Region *body = result.addRegion();
  if (parser.resolveOperands(extents, index, result.operands) ||
      parser.parseRegion(*body, blockIds))
    return failure();
  LaunchOp::ensureTerminator(*body, builder, result.location);
  return success();
}

void LaunchOp::print(OpAsmPrinter &printer) {
  if (StringAttr name = getKernelAttr()) {
    printer << ' ';
    printer.printSymbolName(name);
  }
  printer << " blocks(";
  llvm::interleaveComma(getBlockIds(), printer);
  printer << ") in (" << getGrid() << ") threads(" << getThreads() << ')';
  if (std::optional<ArrayRef<int64_t>> cluster = getCluster()) {
    printer << " cluster(";
    llvm::interleaveComma(*cluster, printer);
    printer << ')';
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getKernelAttrName(), getThreadsAttrName(), getClusterAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}

void LaunchOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  static constexpr StringLiteral names[] = {"bx", "by", "bz"};
  for (auto [argument, name] : llvm::zip(region.getArguments(), names))
    setName(argument, name);
}
