//===- SaturatingCasts.h - Casts that upstream must not fold ----*- C++ -*-===//
//
// A cast to a float of 8 bits or fewer saturates. Upstream folds one of an infinity or
// NaN to what APFloat has for it in the type: an infinity, or zero where there is none.
// Where anything is folded such casts are operations that nothing folds.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_TRANSFORMS_SATURATINGCASTS_H
#define TILE_LIB_TRANSFORMS_SATURATINGCASTS_H

#include "mlir/IR/Operation.h"

namespace mlir::tile {

/// Hides the saturating casts inside of `root`, as long as it lives, from what folds and
/// rewrites operations; that may move, copy and erase them.
class HiddenSaturatingCasts {
public:
  explicit HiddenSaturatingCasts(Operation *root);
  ~HiddenSaturatingCasts();
  HiddenSaturatingCasts(const HiddenSaturatingCasts &) = delete;
  HiddenSaturatingCasts &operator=(const HiddenSaturatingCasts &) = delete;

private:
  Operation *root;
};

} // namespace mlir::tile

#endif // TILE_LIB_TRANSFORMS_SATURATINGCASTS_H
