//===- MatrixLoad.h - Loads by ldmatrix -------------------------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_MATRIXLOAD_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_MATRIXLOAD_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// The words that ldmatrix brings of `count` matrices whose rows lanes address.
SmallVector<Value> emitMatrixLoad(ThreadEmitter &emitter, Value pointer,
                                  int64_t count, bool isTransposed);

/// Whether `op` can be made of ldmatrix: it reads what the threads of a block, or of a
/// warp, have exchanged in a buffer of bricks (StoredRows.h).
bool isMatrixLoad(ThreadEmitter &emitter, LoadOp op);

/// Whether `op` is one of a store by way of a buffer (RowStores.cpp) behind a loop:
/// what it computes of the thread's number had better not be kept through that.
bool isOfRowStore(LoadOp op);
bool isOfRowStore(StoreOp op);

void lowerMatrixLoad(ThreadEmitter &emitter, LoadOp op);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_MATRIXLOAD_H
