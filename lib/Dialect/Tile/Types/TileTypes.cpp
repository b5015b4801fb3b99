//===- TileTypes.cpp - Facts about the types of a tile program ------------===//
//
// See TileTypes.h.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Dialect/Tile/TileOps.h"

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

int64_t tile::getMemoryBits(Type elementType) {
  if (elementType.isIndex())
    return 64;
  if (!elementType.isIntOrFloat())
    return 0;
  unsigned width = elementType.getIntOrFloatBitWidth();
  return width == 4 ? 4 : llvm::alignTo(width, 8);
}

int64_t tile::countRegisters(Type type) {
  FragmentAttr layout = getFragment(type);
  if (!layout)
    return 1;
  int64_t bits = getMemoryBits(cast<RankedTensorType>(type).getElementType());
  return llvm::divideCeil(layout.getLayout().getRegisterCount() * bits, 32);
}
