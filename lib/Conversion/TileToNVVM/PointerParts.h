//===- PointerParts.h - Pointers as PTX addresses them ----------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_POINTERPARTS_H
#define TILE_LIB_CONVERSION_TILETONVVM_POINTERPARTS_H

#include "mlir/IR/Value.h"

#include <utility>

namespace mlir::tile {

/// A pointer as a base and a number of bytes, which an address in PTX adds.
std::pair<Value, int64_t> splitPointer(Value pointer);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_POINTERPARTS_H
