//===- StartProduct.cpp - A product that is waited for later --------------===//

#include "StartProduct.h"

using namespace mlir;
using namespace mlir::tile;

GemmAsyncOp tile::startProduct(OpBuilder &builder,
                               MatrixProductOpInterface product,
                               const IRMapping &mapping) {
  SmallVector<Value> operands;
  SmallVector<int32_t> sizes;
  auto add = [&](Value operand) {
    sizes.push_back(operand ? 1 : 0);
    if (operand)
      operands.push_back(mapping.lookupOrDefault(operand));
  };
  OpOperand *metadata = product.getMetadata();
  add(product.getA());
  add(product.getB());
  add(product.getC());
  add(metadata ? metadata->get() : Value());
  NamedAttrList attributes(product->getAttrs());
  attributes.set(GemmAsyncOp::getOperandSegmentSizeAttr(),
                 builder.getDenseI32ArrayAttr(sizes));
  Type type = PendingType::get(product.getContext(), product.getProductType());
  return GemmAsyncOp::create(builder, product.getLoc(), TypeRange(type),
                             operands, attributes.getAttrs());
}
