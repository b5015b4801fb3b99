//===- Tags.cpp - Names of operations and values in tests -----------------===//

#include "TestAnalyses.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tile;

static constexpr StringLiteral tagName = "test.tag";

std::optional<StringRef> test::getTag(Operation *op) {
  if (auto tag = op->getAttrOfType<StringAttr>(tagName))
    return tag.getValue();
  return std::nullopt;
}

StringRef test::getTag(Value value) {
  if (Operation *op = value.getDefiningOp())
    return getTag(op).value_or("?");
  auto argument = cast<BlockArgument>(value);
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function)
    return "?";
  auto tag =
      function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), tagName);
  return tag ? tag.getValue() : "?";
}
