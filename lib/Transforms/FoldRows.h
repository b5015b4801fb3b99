//===- FoldRows.h - Gathers of one row --------------------------*- C++ -*-===//

#ifndef TILE_LIB_TRANSFORMS_FOLDROWS_H
#define TILE_LIB_TRANSFORMS_FOLDROWS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::tile {

/// Adds patterns that make rows along a dimension that the tile drops, of which there is
/// one, a part of where the box starts. The lowering knows rows of dimensions of the tile.
void populateFoldRowsPatterns(RewritePatternSet &patterns);

} // namespace mlir::tile

#endif // TILE_LIB_TRANSFORMS_FOLDROWS_H
