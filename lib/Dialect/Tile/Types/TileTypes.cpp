//===- TileTypes.cpp - Facts about the types of a tile program ------------===//
//
// See TileTypes.h.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::tile;

FragmentAttr tile::getFragment(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<FragmentAttr>(tensor.getEncoding())
                : FragmentAttr();
}

tilec::FragmentLayout tile::getLayout(Value fragment) {
  FragmentAttr layout = getFragment(fragment.getType());
  assert(layout && "the fragment has no layout yet");
  return layout.getLayout();
}

RankedTensorType tile::withLayout(RankedTensorType type,
                                  const tilec::FragmentLayout &layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(),
                               FragmentAttr::get(type.getContext(), layout));
}

RankedTensorType tile::withoutLayout(RankedTensorType type) {
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

Type tile::getTypeWithoutDim(Type type, int64_t dim) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || dim < 0 || dim >= tensor.getRank())
    return type;
  SmallVector<int64_t> shape = llvm::to_vector(tensor.getShape());
  shape.erase(shape.begin() + dim);
  auto result = RankedTensorType::get(shape, tensor.getElementType());
  if (FragmentAttr layout = getFragment(tensor))
    return withLayout(result,
                      layout.getLayout().dropDims({static_cast<int>(dim)}));
  return result;
}

tilec::Expected<tilec::FragmentLayout>
tile::getBitcastLayout(const tilec::FragmentLayout &layout, int64_t sourceBits,
                       int64_t resultBits) {
  if (sourceBits == resultBits)
    return layout;
  int last = layout.getRank() - 1;
  bool splits = sourceBits > resultBits;
  int64_t ratio = splits ? sourceBits / resultBits : resultBits / sourceBits;
  tilec::Coordinate shape = layout.getShape();
  shape[last] = splits ? shape[last] * ratio : shape[last] / ratio;
  tilec::Digits digits[3];
  for (int dim = 0; dim < 3; ++dim)
    digits[dim] = layout.getDigits(static_cast<tilec::HardwareDim>(dim));
  if (!splits) {
    // The parts of one element are the fastest register digit.
    tilec::Digits &registers = digits[0];
    if (registers.empty() || registers[0].dim != last ||
        registers[0].step != 1 || registers[0].extent % ratio != 0)
      return tilec::Failure{"the " + std::to_string(ratio) +
                            " parts of an element are not in consecutive "
                            "registers of one thread"};
    registers[0] = {registers[0].extent / ratio, last, ratio};
    if (registers[0].extent == 1)
      registers.erase(registers.begin());
  }
  for (tilec::Digits &list : digits)
    for (tilec::Digit &digit : list)
      if (digit.dim == last)
        digit.step = splits ? digit.step * ratio : digit.step / ratio;
  if (splits)
    digits[0].insert(digits[0].begin(), {ratio, last, 1});
  return tilec::FragmentLayout::get(shape, digits[0], digits[1], digits[2]);
}

int64_t tile::getMemoryBits(Type elementType) {
  if (elementType.isIndex())
    return 64;
  if (!elementType.isIntOrFloat())
    return 0;
  unsigned width = elementType.getIntOrFloatBitWidth();
  return width == 4 ? 4 : llvm::alignTo(width, 8);
}

Value tile::getSharedRoot(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (isa<AllocOp, ViewOp, ArenaOp>(op))
      return memref;
    auto view = dyn_cast<ViewLikeOpInterface>(op);
    if (!view && !isa<AssumeOp>(op))
      return {};
    memref = view ? view.getViewSource() : op->getOperand(0);
  }
  return {};
}
