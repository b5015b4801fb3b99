//===- MatrixStore.h - Stores by stmatrix -----------------------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_MATRIXSTORE_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_MATRIXSTORE_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// Whether all else that touches the buffer are bulk copies out of it.
bool isOnItsWay(StoreOp op);

/// Whether `op` can be made of stmatrix, and is worth it: a result on its way to
/// a bulk copy.
bool isMatrixStore(ThreadEmitter &emitter, StoreOp op);

void lowerMatrixStore(ThreadEmitter &emitter, StoreOp op);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_MATRIXSTORE_H
