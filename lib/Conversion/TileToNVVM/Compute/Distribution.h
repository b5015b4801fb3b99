//===- Distribution.h - Fragments made of single elements -------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_DISTRIBUTION_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_DISTRIBUTION_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// The registers of a fragment of `layout` made of one value per element, in
/// row-major order.
SmallVector<Value> emitDistribution(ThreadEmitter &emitter,
                                    const tilec::FragmentLayout &layout,
                                    ArrayRef<Value> elements);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_DISTRIBUTION_H
