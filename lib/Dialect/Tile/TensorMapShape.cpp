//===- TensorMapShape.cpp - What a tensor map is made of ------------------===//

#include "tile/Dialect/Tile/TensorMapShape.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;

/// As CUtensorMapDataType numbers it. A reduction computes with what the map says
/// that elements are; what is only copied may be anything.
static int getElementNumber(Type type) {
  if (type.isF16())
    return 6;
  if (type.isF32())
    return 7;
  if (type.isF64())
    return 8;
  if (type.isBF16())
    return 9;
  // U8, U16, U32, S32, U64; elements of 4 bits as their bytes.
  int64_t bytes = llvm::divideCeil(getMemoryBits(type), 8);
  return bytes == 8 ? 4 : static_cast<int>(llvm::Log2_64(bytes));
}

tilec::TensorMapShape tile::getTensorMapShape(EncodeTensorMapOp op) {
  auto type = cast<MemRefType>(op.getSource().getType());
  tilec::TensorMapShape shape;
  shape.elementNumber = getElementNumber(type.getElementType());
  shape.swizzleBytes = static_cast<int64_t>(op.getSwizzle());
  shape.box = op.getBox();
  if (op.isIm2Col()) {
    shape.lower = *op.getLower();
    shape.upper = *op.getUpper();
    shape.strides = *op.getStrides();
  }
  return shape;
}
