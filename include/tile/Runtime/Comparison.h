//===- Comparison.h - Whether two results are equal -------------*- C++ -*-===//
//
// |x - ref| <= rtol |ref| + atol, element by element. By default rtol = 2^(3 -
// p), p the significand bits of the stored type or, if fewer, of the narrowest
// float type that the function computes with, and atol = rtol times the root
// mean square of the reference array. Integers are compared exactly, NaN equals
// NaN, and what the reference leaves undefined is not compared.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_COMPARISON_H
#define TILE_RUNTIME_COMPARISON_H

#include "tile/Reference/Array.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace mlir::tile {

/// The fewest significand bits of a float type that a function, or one that it
/// calls, computes with; tf32 counts. 53 if there are no floats.
int getNarrowestPrecision(func::FuncOp function);

struct Tolerance {
  std::optional<double> rtol, atol; ///< absent: the default
};

struct Comparison {
  bool isExact = false; ///< integers
  double rtol = 0, atol = 0;
  int64_t compared = 0, undefined = 0, different = 0;
  double largestDifference = 0;
  /// The first element that differs, in row-major order.
  int64_t first = -1;
  std::string actual, expected;

  bool isEqual() const { return different == 0; }
};

Comparison compare(const reference::Array &actual,
                   const reference::Array &expected, int narrowestPrecision,
                   const Tolerance &tolerance);

/// "equal: 1024 elements, largest difference 1e-07 (rtol 4.8e-07, atol 3e-07)"
std::string describe(const Comparison &comparison, ArrayRef<int64_t> shape);

} // namespace mlir::tile

#endif // TILE_RUNTIME_COMPARISON_H
