//===- LinearForm.h - Sums of multiples of values ---------------*- C++ -*-===//
//
// What two index expressions have in common falls out of their difference:
//
//     (%lower + 2 * %step) - (%lower + %step)  =  %step
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_LINEARFORM_H
#define TILE_ANALYSIS_LINEARFORM_H

#include "mlir/IR/Value.h"

#include <map>

namespace mlir::tile {

/// `constant + sum of factor * value`.
class LinearForm {
public:
  LinearForm(int64_t constant = 0) : constant(constant) {}
  /// What `value` is computed as. Sums with what is not constant are taken not
  /// to wrap. A constant as a whole is read with or without a sign.
  explicit LinearForm(Value value, bool isUnsigned = false);
  /// What `value` is equal to modulo 2 to the width of its type: nothing is taken of
  /// sums, and saturated products are values of their own.
  static LinearForm getModular(Value value);

  int64_t getConstant() const { return constant; }
  bool isConstant() const { return factors.empty(); }
  int64_t getFactor(Value value) const;
  /// The only value of a form that is one and a constant; null for others.
  Value getOnlyValue() const;
  SmallVector<std::pair<Value, int64_t>> getFactors() const;

  LinearForm &add(const LinearForm &other, int64_t factor = 1);
  LinearForm operator+(const LinearForm &other) const {
    return LinearForm(*this).add(other);
  }
  LinearForm operator-(const LinearForm &other) const {
    return LinearForm(*this).add(other, -1);
  }
  /// With `form` in the place of `value`.
  LinearForm substitute(Value value, const LinearForm &form) const;
  bool operator==(const LinearForm &) const = default;

private:
  void addValue(Value value, int64_t factor, bool isModular, int depth = 0);

  std::map<const void *, int64_t> factors;
  int64_t constant = 0;
};

} // namespace mlir::tile

#endif // TILE_ANALYSIS_LINEARFORM_H
