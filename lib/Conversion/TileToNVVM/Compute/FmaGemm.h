//===- FmaGemm.h - Matrix products without a matrix instruction -*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_FMAGEMM_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_FMAGEMM_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// Lowers a product of shared f32 or f64 buffers to multiply-adds.
LogicalResult lowerFmaGemm(ThreadEmitter &emitter, MatrixProductOpInterface op);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_FMAGEMM_H
