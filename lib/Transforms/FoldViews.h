//===- FoldViews.h - Subviews of what is known ------------------*- C++ -*-===//

#ifndef TILE_LIB_TRANSFORMS_FOLDVIEWS_H
#define TILE_LIB_TRANSFORMS_FOLDVIEWS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::tile {

/// Names of upstream's canonicalisation patterns that give a `memref.subview` another
/// type. Where it lacks some of several dimensions of size 1 they drop others than the
/// program does: the sizes of the two change places.
ArrayRef<StringRef> getWrongViewPatterns();

/// Adds patterns that do the same and keep the dimensions.
void populateFoldViewPatterns(RewritePatternSet &patterns);

/// Replaces each `memref.dim` of a `memref.subview` in `root` by the size that the view
/// has. Upstream's folding of one takes another dimension too, and crashes where it finds
/// none that is open: to be called in front of all that folds.
void replaceSizesOfViews(Operation *root);

} // namespace mlir::tile

#endif // TILE_LIB_TRANSFORMS_FOLDVIEWS_H
