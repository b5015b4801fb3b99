//===- FoldReshapes.h - Reshapes of buffers that are none -------*- C++ -*-===//

#ifndef TILE_LIB_TRANSFORMS_FOLDRESHAPES_H
#define TILE_LIB_TRANSFORMS_FOLDRESHAPES_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::tile {

/// Adds patterns that make subviews of reshapes of shared buffers, which no access has
/// to look through then, and buffers of the shape that all have who use them.
void populateFoldReshapePatterns(RewritePatternSet &patterns);

} // namespace mlir::tile

#endif // TILE_LIB_TRANSFORMS_FOLDRESHAPES_H
