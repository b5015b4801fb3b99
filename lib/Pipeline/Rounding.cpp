//===- Rounding.cpp - Which passes may change how floats round -----------===//

#include "tile/Pipeline/Rounding.h"

using namespace mlir;

bool tile::mayChangeRounding(StringRef passArgument) {
  // A rasterized grid visits blocks in another order, and atomics of several
  // blocks on one float are added in the order in which these come. A reduction
  // across warps becomes one of each warp's elements and one of the warps'
  // results, which are rounded; a product with scales one of each block, scaled,
  // and one of all steps of K one of the first and of the others.
  return passArgument == "tile-expand-grid" ||
         passArgument == "tile-split-scaled-products" ||
         passArgument == "tile-materialize-scratch" ||
         passArgument == "tile-split-first-product";
}
