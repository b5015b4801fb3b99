//===- Accumulators.h - Combining elements by a kind ------------*- C++ -*-===//
//
// What tile.reduce, tile.scan and tile.partial_reduce combine elements in.
// Floats accumulate in f64 and round once at the end, which covers "f16 and
// bf16 accumulate in f32" and judges any order of f32 sums; beside each result
// stands what another order could have made of it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_REFERENCE_ACCUMULATORS_H
#define TILE_LIB_REFERENCE_ACCUMULATORS_H

#include "Machine.h"
#include "tile/Reference/SumError.h"

namespace mlir::tile::reference {

/// One accumulator for each of `count` results.
class Accumulators {
public:
  Accumulators(arith::AtomicRMWKind kind, ElementType type,
               arith::FastMathFlags flags, int64_t count, bool tracksBounds);

  /// Combines element `from` of the source into accumulator `at`.
  void combine(int64_t at, const Array &source, int64_t from);
  /// Writes accumulator `at`, rounded, to element `to` of the result.
  void round(Array &result, int64_t to, int64_t at) const;
  /// As `round`, of a part that is combined with others: where it combined nothing, of
  /// the kinds that pass over NaN it is NaN, as an infinity would replace theirs.
  void roundPart(Array &result, int64_t to, int64_t at) const;

private:
  /// What products and extremes carry; sums have their SumError.
  struct Range {
    double low = 0, high = 0;         ///< of an extreme
    double error = 0;                 ///< of a product
    double largest = 1, smallest = 1; ///< of any partial product
    int64_t factors = 0;
    bool isUncertain = false;
  };

  void combineBounds(int64_t at, Near element, bool isFirst);
  double getBound(const Array &result, int64_t to, int64_t at) const;
  double getProductBound(double value, int64_t at) const;

  arith::AtomicRMWKind kind;
  ElementType type;
  arith::FastMathFlags flags;
  std::vector<double> floats;
  std::vector<int64_t> integers;
  Mask poison;
  /// Set where nothing has been combined: one NaN alone stays NaN in a kind
  /// that passes over NaN.
  Mask isEmpty;
  /// Set where a value came that the flags promise away.
  Mask isBroken;
  // Empty unless bounds are tracked.
  std::vector<SumError> sums;
  std::vector<Range> ranges;
};

} // namespace mlir::tile::reference

#endif // TILE_LIB_REFERENCE_ACCUMULATORS_H
