//===- FloatBounds.cpp - Bounds of arith on floats -----------------------===//
//
// x and y below are the operands, ex and ey their bounds, u the unit roundoff
// of the type. An operation that rounds once is carried on as: the error of the
// exact result, first order with the product of the errors, then one rounding
// of both ends. docs/Checking.md derives each.
//
//===----------------------------------------------------------------------===//

#include "Bounds.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tile::reference;

namespace {

using Flags = arith::FastMathFlags;

double getUnit(const BoundSite &site) {
  return getUnitRoundoff(site.type.format);
}

/// A sum of x and y. In another order the partial sums are others, each rounded
/// on its own.
double addWithin(const BoundSite &site, Near x, Near y, double result) {
  double error = x.bound + y.bound;
  if (site.isReordered)
    error += 2 * getUnit(site) * (std::fabs(x.value) + std::fabs(y.value));
  return getRoundedBound(x.value + y.value, error, result, site.type);
}

double add(const BoundSite &site, const Near *x, double result) {
  return addWithin(site, x[0], x[1], result);
}

double subtract(const BoundSite &site, const Near *x, double result) {
  return addWithin(site, x[0], {-x[1].value, x[1].bound}, result);
}

/// Contracted, the product is not rounded.
double multiply(const BoundSite &site, const Near *x, double result) {
  double exact = x[0].value * x[1].value;
  double error = getProductError(x[0], x[1]);
  if (site.isReordered)
    error += 2 * getUnit(site) * std::fabs(exact);
  double bound = getRoundedBound(exact, error, result, site.type);
  if (!site.has(Flags::contract))
    return bound;
  bool isDouble = site.type.storage() == Storage::Double;
  double unrounded =
      isDouble ? getUlp(result, true) / 2 : getDistance(exact, result);
  return bound + unrounded;
}

/// div.approx, which `afn` stands for, is within 2 ulp for divisors up to
/// 2^126; a multiplication by the reciprocal (`arcp`) rounds three times.
double divide(const BoundSite &site, const Near *x, double result) {
  double exact = x[0].value / x[1].value, magnitude = std::fabs(exact);
  double error = getQuotientError(x[0], x[1]);
  if (site.has(Flags::arcp) || site.isReordered)
    error += 3 * getUnit(site) * magnitude;
  if (site.has(Flags::afn)) {
    bool isFlushed = std::fabs(x[1].value) > 0x1p126;
    error += isFlushed ? magnitude : std::max(magnitude * 0x1p-22, 0x1p-126);
  }
  return getRoundedBound(exact, error, result, site.type);
}

/// x - trunc(x / y) y jumps where the quotient passes an integer.
double remainder(const BoundSite &site, const Near *x, double result) {
  double quotient = x[0].value / x[1].value;
  double error = getQuotientError(x[0], x[1]);
  if (std::trunc(quotient - error) != std::trunc(quotient + error))
    return unbounded;
  return getRoundedBound(
      result, x[0].bound + std::fabs(std::trunc(quotient)) * x[1].bound, result,
      site.type);
}

/// Both ends of the one that `choose` takes; a NaN leaves the other or itself.
/// Which of two zeros is open.
template <const double &(*choose)(const double &, const double &)>
double extreme(const BoundSite &, const Near *x, double result) {
  if (std::isnan(x[0].value) || std::isnan(x[1].value))
    return std::isnan(x[0].value) ? x[1].bound : x[0].bound;
  double reach = getExtremeReach<choose>(x[0], x[1], result);
  return x[0].value == x[1].value ? withEitherZero(reach, result) : reach;
}

double negate(const BoundSite &, const Near *x, double) { return x[0].bound; }

/// A comparison comes out either way where the operands may be equal. Whether
/// one is a NaN is certain.
double compare(const BoundSite &site, const Near *x, double) {
  if (std::isnan(x[0].value) || std::isnan(x[1].value))
    return 0.0;
  switch (cast<arith::CmpFOp>(site.op).getPredicate()) {
  case arith::CmpFPredicate::AlwaysFalse:
  case arith::CmpFPredicate::AlwaysTrue:
  case arith::CmpFPredicate::ORD:
  case arith::CmpFPredicate::UNO:
    return 0.0;
  default:
    return x[0].bound + x[1].bound > 0.0 && x[0].overlaps(x[1]) ? 1.0 : 0.0;
  }
}

/// One rounding of both ends.
double convertToFloat(const BoundSite &site, const Near *x, double result) {
  return getRoundedBound(x[0].value, x[0].bound, result, site.type);
}

/// The integers of both ends, as far as they fit.
double convertToInteger(const BoundSite &site, const Near *x, double result) {
  bool isSigned = isa<arith::FPToSIOp>(site.op);
  double end = std::ldexp(1.0, isSigned ? site.type.bits - 1 : site.type.bits);
  double low = std::trunc(x[0].low()), high = std::trunc(x[0].high());
  if (!(low >= (isSigned ? -end : 0.0) && high < end))
    return x[0].bound == 0.0 ? 0.0 : unbounded;
  if (!isSigned && high >= end / 2) // held as a negative number
    return low == high ? 0.0 : unbounded;
  return getReach(low, high, result);
}

/// The bits of numbers of one sign are ordered as the numbers are.
double getBits(const BoundSite &site, const Near *x, double) {
  if (x[0].bound == 0.0)
    return 0.0;
  bool isToBits = site.operandType.isFloat && !site.type.isFloat;
  bool isOneSign = x[0].low() > 0.0 || x[0].high() < 0.0;
  if (!isToBits || !isOneSign || !std::isfinite(x[0].bound))
    return unbounded;
  auto encodeEnd = [&](double end) {
    return static_cast<double>(encode(end, site.operandType.format));
  };
  return getReach(encodeEnd(x[0].low()), encodeEnd(x[0].high()),
                  encodeEnd(x[0].value)) +
         1;
}

} // namespace

void mlir::tile::reference::addFloatBounds(BoundTable &table) {
  table.add<arith::AddFOp>(add);
  table.add<arith::SubFOp>(subtract);
  table.add<arith::MulFOp>(multiply);
  table.add<arith::DivFOp>(divide);
  table.add<arith::RemFOp>(remainder);
  table.add<arith::MaximumFOp, arith::MaxNumFOp>(extreme<std::max<double>>,
                                                 /*isApproximate=*/true);
  table.add<arith::MinimumFOp, arith::MinNumFOp>(extreme<std::min<double>>,
                                                 /*isApproximate=*/true);
  table.add<arith::NegFOp>(negate);
  table.add<arith::CmpFOp>(compare);
  table.add<arith::SIToFPOp, arith::UIToFPOp>(convertToFloat);
  table.add<arith::FPToSIOp, arith::FPToUIOp>(convertToInteger);
  table.add<arith::BitcastOp>(getBits);
}
