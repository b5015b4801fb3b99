//===- LayoutChecks.cpp - Layouts against what they lay out ---------------===//
//
// See LayoutChecks.h.
//
//===----------------------------------------------------------------------===//

#include "LayoutChecks.h"

#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

std::string tile::formatShape(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '[';
  llvm::interleaveComma(shape, stream, [&](int64_t extent) {
    if (ShapedType::isDynamic(extent))
      stream << '?';
    else
      stream << extent;
  });
  stream << ']';
  return text;
}

LogicalResult tile::verifySharedLayout(Operation *op, SharedAttr layout,
                                       MemRefType type) {
  if (layout.getShape() != type.getShape())
    return op->emitOpError("has a layout for shape ")
           << formatShape(layout.getShape()) << ", but the buffer has shape "
           << formatShape(type.getShape());
  int64_t elementBits = getMemoryBits(type.getElementType());
  if (elementBits == 0)
    return op->emitOpError("has no memory size for element type ")
           << type.getElementType();
  auto value = layout.getLayout(elementBits);
  if (!value)
    return op->emitOpError("has the layout ")
           << layout << ", which does not fit elements of "
           << type.getElementType() << ": " << value.reason();
  return success();
}

LogicalResult tile::verifyThreadLayout(Operation *op, FragmentAttr layout,
                                       std::optional<int64_t> vectorWidth,
                                       ArrayRef<int64_t> shape) {
  if (vectorWidth && *vectorWidth < 1)
    return op->emitOpError("must have a positive 'vector_width', got ")
           << *vectorWidth;
  if (!layout)
    return success();
  tilec::FragmentLayout value = layout.getLayout();
  if (ArrayRef<int64_t>(value.getShape()) != shape)
    return op->emitOpError("has a 'layout' for shape ")
           << formatShape(value.getShape()) << ", but its tile has shape "
           << formatShape(shape);
  if (!vectorWidth || *vectorWidth == 1)
    return success();
  int64_t widest = 1;
  for (int dim = 0; dim < value.getRank(); ++dim) {
    widest = std::max(widest, value.getVectorWidth(dim));
    if (value.getVectorWidth(dim) % *vectorWidth == 0)
      return success();
  }
  return op->emitOpError("has 'vector_width' ")
         << *vectorWidth << ", but its layout keeps at most " << widest
         << " consecutive elements in consecutive registers";
}
