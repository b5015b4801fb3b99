//===- SharedSpelling.h - Shared layouts as they are written ----*- C++ -*-===//
//
// `#tile.shared` has a full and a short form (TileAttributes.td). This is what stands
// between its angle brackets, for whoever makes one of what a user wrote.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_SHAREDSPELLING_H
#define TILE_DIALECT_TILE_SHAREDSPELLING_H

#include "tile/Dialect/Tile/TileDialect.h"

namespace mlir::tile {

struct SharedSpelling {
  SmallVector<int64_t> shape;
  tilec::OffsetDigits offset;          ///< empty in the short form
  SmallVector<int64_t> xorBits, order; ///< empty where not written
  int64_t pad = -1;                    ///< -1 where not written, as `swizzle`
  int64_t swizzle = -1;
};

/// The attribute, in its canonical form; null after an error where it is none.
SharedAttr getShared(MLIRContext *context, const SharedSpelling &spelling,
                     function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_SHAREDSPELLING_H
