//===- Rounding.h - Which passes may change how floats round ----*- C++ -*-===//
//
// Before threads every pass but those listed here leaves every bit of a
// program's results as it is, NaN included: it moves, places and orders what the
// program computes. `tile-run --check-stages` demands it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_PIPELINE_ROUNDING_H
#define TILE_PIPELINE_ROUNDING_H

#include "mlir/Support/LLVM.h"

namespace mlir::tile {

/// Whether results after the pass of this argument may differ from those before
/// it by what the language leaves open.
bool mayChangeRounding(StringRef passArgument);

} // namespace mlir::tile

#endif // TILE_PIPELINE_ROUNDING_H
