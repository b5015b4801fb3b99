//===- ArgumentFacts.cpp - What a function's signature promises ----------===//
//
// Static sizes, `tile.divisible`, `tile.dims`, `tile.align` and the absence of
// `tile.may_alias` are facts that the compiler relies on. They are checked
// where a program is started and at every call on the host, by the rules of
// tile/Contract/Arguments.h.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "tile/Contract/Arguments.h"
#include "tile/Dialect/Tile/FixedLayout.h"
#include "tile/Dialect/Tile/TileDialect.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

template <typename Helper, typename Attr>
Attr getFact(func::FuncOp function, unsigned argument) {
  return function.getArgAttrOfType<Attr>(argument, Helper::getNameStr());
}

std::string getName(unsigned argument) {
  return "argument " + std::to_string(argument);
}

/// What the signature says of a memref, and the memref. The result lives as long as
/// these do.
tilec::Argument getArgument(func::FuncOp function, unsigned number,
                            const MemRef &memref) {
  tilec::Argument argument;
  argument.name = getName(number);
  argument.isMemRef = true;
  argument.view = getView(memref);
  auto type = cast<MemRefType>(function.getArgumentTypes()[number]);
  argument.shape.sizes = type.getShape();
  if (auto divisible =
          getFact<TileDialect::DivisibleAttrHelper, DenseI64ArrayAttr>(function,
                                                                       number))
    argument.divisors = divisible.asArrayRef();
  if (auto names =
          getFact<TileDialect::DimsAttrHelper, ArrayAttr>(function, number))
    for (StringRef name : names.getAsValueRange<StringAttr>())
      argument.names.push_back(name);
  argument.mayAlias = getFact<TileDialect::MayAliasAttrHelper, UnitAttr>(
                          function, number) != nullptr;
  argument.begin = argument.view.getFirstByte();
  if (auto align =
          getFact<TileDialect::AlignAttrHelper, IntegerAttr>(function, number))
    argument.alignBytes = align.getInt();
  return argument;
}

} // namespace

LogicalResult
mlir::tile::reference::checkArgumentFacts(func::FuncOp function,
                                          ArrayRef<RuntimeValue> arguments) {
  std::vector<tilec::Argument> described(arguments.size());
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (argument.memref)
      described[i] = getArgument(function, i, *argument.memref);
  std::optional<tilec::ArgumentProblem> problem =
      tilec::checkArguments(described);
  if (!problem)
    return success();
  return mlir::emitError(function.getArgument(problem->argument).getLoc())
         << getName(problem->argument) << " of '" << function.getName()
         << "': " << problem->message;
}
