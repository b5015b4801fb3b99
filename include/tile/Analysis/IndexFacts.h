//===- IndexFacts.h - What is known of an index value -----------*- C++ -*-===//
//
// Vector width, bounds checks and copy instructions all ask the same things of
// an index expression: what divides it, in which range it lies. One analysis
// answers, fed by constants, loop bounds, argument attributes
// (`tile.divisible`, `tile.align`), `tile.assume_divisible` and `tile.assume`.
//
// Facts are sound lower bounds of knowledge: a divisor of 1 and an empty range
// say nothing. The divisor of zero is `IndexFacts::anyDivisor`.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_INDEXFACTS_H
#define TILE_ANALYSIS_INDEXFACTS_H

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mlir::tile {

/// What is known of one memref value.
struct MemRefFacts {
  /// A divisor of the address of the element at offset zero of the view, in
  /// bytes.
  int64_t alignmentBytes = 1;
  /// Divisors of the sizes and strides (in elements), one per dimension; exact
  /// values where the type is static.
  SmallVector<int64_t> sizeDivisors, strideDivisors;
  /// Whether the innermost stride is 1.
  bool isInnermostContiguous = false;
};

class IndexFacts {
public:
  static constexpr int64_t anyDivisor = int64_t(1) << 30;

  /// Facts that hold while `launch` runs; without one, while the operations
  /// around the value in question run. What a `tile.assume_divisible` says of a
  /// memref counts only where it is certain to have been checked: not what
  /// stands in another launch, or under a condition.
  explicit IndexFacts(LaunchOp launch = {}) : launch(launch) {}

  /// The largest number known to divide `value`.
  int64_t getDivisor(Value value);
  /// A constant that `value` is never above, if one is known.
  std::optional<int64_t> getUpperBound(Value value);
  /// A constant that `value` is never below, if one is known.
  std::optional<int64_t> getLowerBound(Value value);
  MemRefFacts getMemRefFacts(Value memref);

private:
  bool isCertain(AssumeDivisibleOp assume, Value memref);
  int64_t computeDivisor(Value value);
  MemRefFacts computeMemRefFacts(Value memref);

  LaunchOp launch;
  llvm::DenseMap<Value, int64_t> divisors;
};

} // namespace mlir::tile

#endif // TILE_ANALYSIS_INDEXFACTS_H
