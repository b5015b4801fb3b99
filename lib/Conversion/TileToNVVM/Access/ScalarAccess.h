//===- ScalarAccess.h - Accesses to one element -----------------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SCALARACCESS_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SCALARACCESS_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// The address of one element of a memref at indices of i64.
Value getElementPointer(ThreadEmitter &emitter, Value memref,
                        ValueRange indices);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SCALARACCESS_H
