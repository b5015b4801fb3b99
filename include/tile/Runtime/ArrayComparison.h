//===- ArrayComparison.h - Whether two results are equal --------*- C++ -*-===//

#ifndef TILE_RUNTIME_ARRAYCOMPARISON_H
#define TILE_RUNTIME_ARRAYCOMPARISON_H

#include "tile/Reference/Array.h"
#include "tile/Runtime/Comparison.h"

namespace mlir::tile {

/// Compares arrays of one type and size element by element; `expected` has the
/// bounds. What it leaves undefined is not compared; an undefined element where
/// one is expected is different. Bounds are measured by the root mean square of
/// `reference`, by default of `expected`.
tilec::Comparison compare(const reference::Array &actual,
                          const reference::Array &expected,
                          const tilec::ComparisonRule &rule,
                          const reference::Array *reference = nullptr);

} // namespace mlir::tile

#endif // TILE_RUNTIME_ARRAYCOMPARISON_H
