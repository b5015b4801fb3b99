//===- Rounding.cpp - Which passes may change how floats round -----------===//

#include "tile/Pipeline/Rounding.h"

using namespace mlir;

bool tile::mayChangeRounding(StringRef passArgument) { return false; }
