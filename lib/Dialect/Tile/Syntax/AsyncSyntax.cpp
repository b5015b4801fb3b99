//===- AsyncSyntax.cpp - Text of tile.specialize --------------------------===//
//
//   tile.specialize (attributes {...})?
//     (producer | consumer) warps(4) (registers(40))? { body }
//     ...
//
//===----------------------------------------------------------------------===//

#include "CustomSyntax.h"

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tile;

/// `name(integer)`, where `name` was parsed already.
static ParseResult parseParenthesized(OpAsmParser &parser, int64_t &value) {
  return failure(parser.parseLParen() || parser.parseInteger(value) ||
                 parser.parseRParen());
}

/// One role with its body; nothing where no role begins.
static OptionalParseResult parseRole(OpAsmParser &parser,
                                     OperationState &result,
                                     SmallVectorImpl<RoleAttr> &roles) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword, {"producer", "consumer"})))
    return std::nullopt;
  RoleKind kind = *symbolizeRoleKind(keyword);
  int64_t warps = 0, registers = 0;
  if (parser.parseKeyword("warps") || parseParenthesized(parser, warps))
    return ParseResult(failure());
  if (succeeded(parser.parseOptionalKeyword("registers")) &&
      parseParenthesized(parser, registers))
    return ParseResult(failure());
  auto role = RoleAttr::getChecked([&] { return parser.emitError(loc); },
                                   parser.getContext(), kind, warps, registers);
  if (!role || parser.parseRegion(*result.addRegion()))
    return ParseResult(failure());
  roles.push_back(role);
  Region &body = *result.regions.back();
  if (body.empty())
    body.emplaceBlock();
  return ParseResult(success());
}

ParseResult SpecializeOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parseAttributes<SpecializeOp>(parser, result, /*hasKeyword=*/true))
    return failure();
  SmallVector<RoleAttr> roles;
  while (true) {
    OptionalParseResult role = parseRole(parser, result, roles);
    if (!role.has_value())
      break;
    if (failed(*role))
      return failure();
  }
  auto attribute =
      RolesAttr::getChecked([&] { return parser.emitError(loc); },
                            parser.getContext(), ArrayRef<RoleAttr>(roles));
  if (!attribute)
    return failure();
  result.getOrAddProperties<Properties>().roles = attribute;
  return success();
}

void SpecializeOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getRolesAttrName()});
  printer.increaseIndent();
  for (auto [role, body] : llvm::zip(getRoles().getRoles(), getBodies())) {
    printer.printNewline();
    printer << stringifyRoleKind(role.getKind()) << " warps(" << role.getWarps()
            << ')';
    if (role.getRegisters())
      printer << " registers(" << role.getRegisters() << ')';
    printer << ' ';
    printer.printRegion(body);
  }
  printer.decreaseIndent();
}
