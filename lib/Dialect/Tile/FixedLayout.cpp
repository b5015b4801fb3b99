//===- FixedLayout.cpp - What a memref type fixes -------------------------===//

#include "tile/Dialect/Tile/FixedLayout.h"

using namespace mlir;
using namespace mlir::tile;

FailureOr<FixedLayout> tile::getFixedLayout(MemRefType type) {
  FixedLayout layout;
  layout.sizes.assign(type.getShape().begin(), type.getShape().end());
  if (failed(type.getStridesAndOffset(layout.strides, layout.offset)))
    return failure();
  return layout;
}
