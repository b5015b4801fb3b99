//===- MatrixStore.h - Stores by stmatrix -----------------------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_MATRIXSTORE_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_MATRIXSTORE_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// Whether all else that touches the buffer are copies out of it to global memory,
/// by the copy engine (`isBulk`) or by threads.
bool isOnItsWay(StoreOp op, bool isBulk);

/// Whether `op` can be made of stmatrix, and is worth it: a result on its way to
/// global memory.
bool isMatrixStore(ThreadEmitter &emitter, StoreOp op);

void lowerMatrixStore(ThreadEmitter &emitter, StoreOp op);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_MATRIXSTORE_H
