//===- StartProduct.h - A product that is waited for later ------*- C++ -*-===//

#ifndef TILE_TRANSFORMS_STARTPRODUCT_H
#define TILE_TRANSFORMS_STARTPRODUCT_H

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::tile {

/// Starts `product`, which has no scales, with operands as `mapping` has them.
GemmAsyncOp startProduct(OpBuilder &builder, MatrixProductOpInterface product,
                         const IRMapping &mapping = {});

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_STARTPRODUCT_H
