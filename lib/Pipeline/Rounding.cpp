//===- Rounding.cpp - Which passes may change how floats round -----------===//

#include "tile/Pipeline/Rounding.h"

using namespace mlir;

bool tile::mayChangeRounding(StringRef passArgument) {
  // A rasterized grid visits blocks in another order, and atomics of several
  // blocks on one float are added in the order in which these come.
  return passArgument == "tile-expand-grid";
}
