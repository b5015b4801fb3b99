//===- IntegerBounds.cpp - Bounds of arith on integers -------------------===//
//
// Integers are exact unless they come from a float within its bound of a step,
// or from a choice that may come out either way: the sums, products and
// comparisons below carry such bounds on. What is not listed (bits, remainders,
// division by something uncertain) is unbounded then.
//
//===----------------------------------------------------------------------===//

#include "Bounds.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tile::reference;

namespace {

/// `bound`, unless a number that near would wrap round.
double unlessWrapped(const BoundSite &site, double bound, double result) {
  double end = std::ldexp(1.0, static_cast<int>(site.type.bits) - 1);
  return std::fabs(result) + bound < end ? bound : unbounded;
}

double sum(const BoundSite &site, const Near *x, double result) {
  return unlessWrapped(site, x[0].bound + x[1].bound, result);
}

double product(const BoundSite &site, const Near *x, double result) {
  return unlessWrapped(site, getProductError(x[0], x[1]), result);
}

template <const double &(*choose)(const double &, const double &)>
double extreme(const BoundSite &, const Near *x, double result) {
  return getExtremeReach<choose>(x[0], x[1], result);
}

/// Unsigned numbers are held sign-extended: what may be negative is unbounded.
template <BoundRule rule>
double unlessNegative(const BoundSite &site, const Near *x, double result) {
  if (x[0].low() < 0.0 || x[1].low() < 0.0)
    return unbounded;
  return rule(site, x, result);
}

/// By a certain divisor (or 2^shift): quotients of numbers that near.
double getQuotientBound(double bound, double divisor) {
  return divisor == 0.0 ? unbounded : std::floor(bound / divisor) + 1;
}

double quotient(const BoundSite &, const Near *x, double) {
  if (x[1].bound != 0.0)
    return unbounded;
  return getQuotientBound(x[0].bound, std::fabs(x[1].value));
}

double shiftRight(const BoundSite &, const Near *x, double) {
  if (x[1].bound != 0.0)
    return unbounded;
  return getQuotientBound(x[0].bound, std::exp2(x[1].value));
}

double shiftLeft(const BoundSite &site, const Near *x, double result) {
  if (x[1].bound != 0.0)
    return unbounded;
  return unlessWrapped(site, x[0].bound * std::exp2(x[1].value), result);
}

/// A certain operand that decides alone makes the result certain.
template <bool decisive>
double logic(const BoundSite &site, const Near *x, double) {
  if (site.type.bits != 1)
    return unbounded;
  for (int i = 0; i < 2; ++i)
    if (x[i].bound == 0.0 && (x[i].value != 0.0) == decisive)
      return 0.0;
  return 1.0;
}

double exclusiveOr(const BoundSite &site, const Near *, double) {
  return site.type.bits == 1 ? 1.0 : unbounded;
}

double compare(const BoundSite &, const Near *x, double) {
  bool isSignSure = (x[0].low() >= 0.0 || x[0].high() < 0.0) &&
                    (x[1].low() >= 0.0 || x[1].high() < 0.0);
  return isSignSure && !x[0].overlaps(x[1]) ? 0.0 : 1.0;
}

double magnitude(const BoundSite &, const Near *x, double) {
  return x[0].bound;
}

} // namespace

void mlir::tile::reference::addIntegerBounds(BoundTable &table) {
  table.add<arith::AddIOp, arith::SubIOp>(sum);
  table.add<arith::MulIOp>(product);
  table.add<arith::MaxSIOp>(extreme<std::max<double>>);
  table.add<arith::MinSIOp>(extreme<std::min<double>>);
  table.add<arith::MaxUIOp>(unlessNegative<extreme<std::max<double>>>);
  table.add<arith::MinUIOp>(unlessNegative<extreme<std::min<double>>>);
  table.add<arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp>(quotient);
  table.add<arith::DivUIOp, arith::CeilDivUIOp>(unlessNegative<quotient>);
  table.add<arith::ShRSIOp>(shiftRight);
  table.add<arith::ShRUIOp>(unlessNegative<shiftRight>);
  table.add<arith::ShLIOp>(shiftLeft);
  table.add<arith::AndIOp>(logic<false>);
  table.add<arith::OrIOp>(logic<true>);
  table.add<arith::XOrIOp>(exclusiveOr);
  table.add<arith::CmpIOp>(compare);
  table.add<math::AbsIOp>(magnitude);
}
