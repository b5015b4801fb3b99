//===- NoAlias.h - Which arguments of a kernel overlap no other -*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_NOALIAS_H
#define TILE_LIB_CONVERSION_TILETONVVM_NOALIAS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::tile {

/// For each argument of the kernel, whether every launch of it in the module
/// passes a memref that no other argument overlaps, and the kernel only reads
/// it. False for all where nothing launches it.
SmallVector<bool> getUnaliasedArguments(gpu::GPUFuncOp kernel);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_NOALIAS_H
