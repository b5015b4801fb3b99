//===- OperandFragment.cpp - Operands of products in registers ------------===//

#include "OperandFragment.h"

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tile;

Value tile::getOperandFragment(OpBuilder &builder, Location loc, Value operand,
                               Type element) {
  auto type = cast<ShapedType>(operand.getType());
  if (isa<MemRefType>(type))
    return LoadOp::create(
        builder, loc, RankedTensorType::get(type.getShape(), element), operand);
  if (type.getElementType() == element)
    return operand;
  return arith::ExtFOp::create(builder, loc, type.clone(element), operand);
}
