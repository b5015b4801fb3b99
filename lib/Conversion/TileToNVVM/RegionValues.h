//===- RegionValues.h - Values that regions pass on -------------*- C++ -*-===//
//
// Operands, arguments and results of regions are flattened: all values that
// stand for scalars, fragments and global memrefs, in a row. Of a memref those
// that its type does not say. The flat types are a function of the type alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_REGIONVALUES_H
#define TILE_LIB_CONVERSION_TILETONVVM_REGIONVALUES_H

#include "ThreadEmitter.h"

namespace mlir::tile {

/// Fails with an error at `op` for types that cannot be passed on.
FailureOr<SmallVector<Type>> flattenTypes(ThreadEmitter &emitter,
                                          TypeRange types, Operation *op);

SmallVector<Value> flatten(ThreadEmitter &emitter, ValueRange blockValues);

void bindFlat(ThreadEmitter &emitter, ValueRange blockValues, ValueRange flat);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_REGIONVALUES_H
