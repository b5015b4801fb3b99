//===- ImageMatrix.cpp - The im2col matrix of an image --------------------===//

#include "ImageMatrix.h"

using namespace mlir;
using namespace mlir::tile;

static std::array<int64_t, 2> getPair(ArrayAttr attr) {
  return {cast<IntegerAttr>(attr[0]).getInt(),
          cast<IntegerAttr>(attr[1]).getInt()};
}

ImageMatrix::ImageMatrix(ThreadEmitter &emitter, Im2ColOp op)
    : kernel(getPair(op.getKernel())), strides(getPair(op.getStrides())),
      dilations(getPair(op.getDilations())), padding(getPair(op.getPadding())),
      emitter(emitter), op(op) {
  // How often the kernel fits along one dimension of the image.
  auto countOutputs = [&](int d) -> Value {
    int64_t reach = dilations[d] * (kernel[d] - 1) + 1 - 2 * padding[d];
    Value span = emitter.addConstant(getSize(d + 1), -reach);
    Value count = emitter.addConstant(emitter.divide(span, strides[d]), 1);
    Value fits =
        emitter.compare(arith::CmpIPredicate::sge, span, emitter.i64(0));
    return emitter.select(fits, count, emitter.i64(0));
  };
  channels = getSize(3);
  outputRows = countOutputs(0);
  outputColumns = countOutputs(1);
  rowCount =
      emitter.multiply(getSize(0), emitter.multiply(outputRows, outputColumns));
  columnCount = emitter.multiply(channels, kernel[0] * kernel[1]);
}

Value ImageMatrix::getSize(int dim) {
  MemRefType type = op.getSource().getType();
  if (!type.isDynamicDim(dim))
    return emitter.i64(type.getDimSize(dim));
  return emitter.getGlobal(op.getSource()).sizes[dim];
}

/// At least one.
Value ImageMatrix::getDivisor(Value rhs) {
  return emitter.builder.createOrFold<arith::MaxUIOp>(
      emitter.loc, rhs, emitter.constant(rhs.getType(), 1));
}

Value ImageMatrix::divide(Value lhs, Value rhs) {
  return emitter.builder.createOrFold<arith::DivUIOp>(emitter.loc, lhs,
                                                      getDivisor(rhs));
}

Value ImageMatrix::remainder(Value lhs, Value rhs) {
  return emitter.builder.createOrFold<arith::RemUIOp>(emitter.loc, lhs,
                                                      getDivisor(rhs));
}
