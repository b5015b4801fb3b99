//===- OperandFragment.h - Operands of products in registers ----*- C++ -*-===//

#ifndef TILE_LIB_TRANSFORMS_OPERANDFRAGMENT_H
#define TILE_LIB_TRANSFORMS_OPERANDFRAGMENT_H

#include "mlir/IR/Builders.h"

namespace mlir::tile {

/// The fragment with the elements of `operand`, a fragment or a buffer, widened
/// to `element` where they are narrower.
Value getOperandFragment(OpBuilder &builder, Location loc, Value operand,
                         Type element);

} // namespace mlir::tile

#endif // TILE_LIB_TRANSFORMS_OPERANDFRAGMENT_H
