//===- ScalarAccess.h - Accesses to one element -----------------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SCALARACCESS_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SCALARACCESS_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// Where one element of a memref lies, at indices of i64.
ElementPlace getElementPlace(ThreadEmitter &emitter, Value memref,
                             ValueRange indices);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SCALARACCESS_H
