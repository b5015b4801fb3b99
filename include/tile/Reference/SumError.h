//===- SumError.h - What the order of a sum can do --------------*- C++ -*-===//
//
// A sum of n terms rounds n - 1 times, in whatever order; each time by at most
// the unit roundoff of a partial sum, and every partial sum of every order lies
// between the sum of the negative and that of the positive terms. With A the
// sum of the magnitudes and S the sum, none is larger than (A + |S|) / 2.
//
// Where all terms are multiples of one power of two and A has few enough bits
// above it, every partial sum is exact, and the order does nothing: sums of
// small integers have no freedom. docs/Checking.md, "Sums".
//
//===----------------------------------------------------------------------===//

#ifndef TILE_REFERENCE_SUMERROR_H
#define TILE_REFERENCE_SUMERROR_H

#include "tile/Reference/Array.h"

namespace mlir::tile::reference {

/// The place value of the lowest bit that is set, as a power of two; the
/// largest int for zero.
int getLowestBit(double value);

/// Whether all numbers up to `magnitude` that are multiples of 2^`lowestBit`
/// have at most `precision` bits.
bool fits(double magnitude, int lowestBit, int precision);

/// What `roundings` roundings, each of at most `unit` relative to a partial
/// sum, can do to a sum of magnitude A; infinite where first order says nothing
/// any more.
double getOrderError(double roundings, double unit, double magnitudes,
                     double sum);

/// The terms of one sum.
struct SumError {
  int64_t terms = 0;
  double magnitudes = 0; ///< the sum of |x|
  double carried = 0;    ///< the sum of the terms' own bounds
  int lowestBit = std::numeric_limits<int>::max();

  void add(double term, double bound);
  /// The error of `sum` in any order, when every addition rounds to
  /// `accumulator` and the sum then to `stored`. `count` is how many such sums
  /// are between two results that are compared: two where the reference's own
  /// rounds as well.
  double get(double sum, FloatFormat accumulator, FloatFormat stored,
             int count = 1) const;
};

} // namespace mlir::tile::reference

#endif // TILE_REFERENCE_SUMERROR_H
