//===- SumError.cpp - What the order of a sum can do ---------------------===//

#include "tile/Reference/SumError.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace mlir::tile::reference;

int mlir::tile::reference::getLowestBit(double value) {
  constexpr int fractionBits = 52, bias = 1075;
  auto bits = std::bit_cast<uint64_t>(value);
  uint64_t fraction = bits & ((uint64_t(1) << fractionBits) - 1);
  int exponent = static_cast<int>(bits >> fractionBits & 0x7ff);
  if (exponent != 0)
    fraction |= uint64_t(1) << fractionBits;
  else if (fraction == 0)
    return std::numeric_limits<int>::max();
  return std::max(exponent, 1) - bias + std::countr_zero(fraction);
}

bool mlir::tile::reference::fits(double magnitude, int lowestBit,
                                 int precision) {
  if (magnitude == 0.0)
    return true;
  if (lowestBit == std::numeric_limits<int>::max() || !std::isfinite(magnitude))
    return false;
  return magnitude <= std::ldexp(1.0, lowestBit + precision);
}

double mlir::tile::reference::getOrderError(double roundings, double unit,
                                            double magnitudes, double sum) {
  double relative = roundings * unit;
  // Beyond that the second order counts.
  if (!(relative < 0.25))
    return std::numeric_limits<double>::infinity();
  return relative * (1 + 2 * relative) * (magnitudes + std::fabs(sum)) / 2;
}

void SumError::add(double term, double bound) {
  ++terms;
  magnitudes += std::fabs(term);
  carried += getMagnitudeBound(bound);
  lowestBit = std::min(lowestBit, getLowestBit(term));
}

double SumError::get(double sum, FloatFormat accumulator, FloatFormat stored,
                     int count) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  int precision = getPrecision(accumulator);
  // One addition rounds alike in both orders, and exact sums in none.
  bool isExact = carried == 0.0 && fits(magnitudes, lowestBit, precision);
  if (terms <= 1 || (terms == 2 && accumulator == stored) || isExact)
    return carried;
  // Infinite terms stay, whatever the order; finite ones may overflow in one.
  if (!std::isfinite(magnitudes))
    return std::isfinite(sum) ? infinity : carried;
  if (std::isinf(roundTo(magnitudes, accumulator)))
    return infinity;
  return carried + getOrderError(count * static_cast<double>(terms - 1),
                                 std::ldexp(1.0, -precision),
                                 magnitudes + carried, sum);
}
