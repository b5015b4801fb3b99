//===- MathBounds.cpp - Bounds of the math dialect -----------------------===//
//
// The language allows 2 ulp in f32, 4 for powf, and libdevice's errors in f64,
// which are within 2 ulp; a function that rounds once is exact. The reference
// itself is within half an ulp in f32, within one in f64. Under `afn` the
// error is that of the PTX instruction.
//
// An uncertain operand: a monotone function is evaluated at both ends, others
// by their slope.
//
//===----------------------------------------------------------------------===//

#include "Bounds.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace mlir::tile::reference;

namespace {

/// The error that an f32 or f64 function may have around `value`.
double getFreedom(const BoundSite &site, double value, double ulps) {
  bool isDouble = site.type.storage() == Storage::Double;
  return (isDouble ? 3.0 : ulps + 0.5) * getUlp(value, isDouble);
}

/// What the hardware's approximation of `op` adds, at argument x and result y.
/// PTX ISA, "Floating Point Instructions": the largest errors of ex2, lg2, sin,
/// cos, tanh, rsqrt and sqrt with .approx, which also flush subnormals.
double getApproximationError(Operation *op, double x, double y) {
  double relative = std::fabs(y) * 0x1p-22, flushed = 0x1p-126;
  if (isa<math::Exp2Op>(op))
    return relative + flushed;
  if (isa<math::ExpOp>(op)) // 2^(x log2(e)), the argument rounded twice
    return relative + std::fabs(y * x) * 0x1p-23 + flushed;
  if (isa<math::LogOp, math::Log2Op>(op))
    return std::max(0x1p-22, relative) + std::fabs(y) * 0x1p-23;
  if (isa<math::SinOp, math::CosOp>(op))
    return std::fabs(x) <= std::numbers::pi ? 0x1.6ap-21 : unbounded;
  if (isa<math::TanhOp>(op))
    return std::fabs(y) * 0x1p-11 + flushed;
  if (isa<math::RsqrtOp, math::SqrtOp>(op))
    return relative + flushed;
  return 0.0;
}

bool isApproximated(const BoundSite &site) {
  return site.has(arith::FastMathFlags::afn) &&
         site.type.storage() == Storage::Float;
}

/// What lies between `low` and `high`, widened by the function's own freedom
/// and rounded to the type. f16 and bf16 are computed in f32 and rounded once.
double round(const BoundSite &site, double low, double high, double argument,
             double result, double ulps) {
  if (std::isnan(result) && std::isnan(low) && std::isnan(high))
    return 0.0;
  if (std::isnan(low) || std::isnan(high))
    return unbounded;
  auto widen = [&](double end) {
    if (std::isinf(end) && end == result)
      return 0.0;
    double freedom = ulps == 0.0 ? 0.0 : getFreedom(site, end, ulps);
    if (isApproximated(site))
      freedom += getApproximationError(site.op, argument, end);
    return freedom;
  };
  FloatFormat format = site.type.format;
  return getReach(roundTo(low - widen(low), format),
                  roundTo(high + widen(high), format), result);
}

/// A monotone function that is exact, or within `ulps`.
template <double (*function)(double), int ulps>
double monotone(const BoundSite &site, const Near *x, double result) {
  double low = function(x[0].low()), high = function(x[0].high());
  if (low > high)
    std::swap(low, high);
  return round(site, low, high, x[0].value, result, ulps);
}

double inverseSquareRoot(double x) { return 1.0 / std::sqrt(x); }
double roundEven(double x) { return std::rint(x); }

/// sin and cos: their slope is at most one, and so is their magnitude.
template <double (*function)(double)>
double periodic(const BoundSite &site, const Near *x, double result) {
  double exact = function(x[0].value);
  double reach = std::min(x[0].bound, 2.0);
  return round(site, exact - reach, exact + reach, x[0].value, result, 2);
}

double magnitude(const BoundSite &, const Near *x, double) {
  return x[0].bound;
}

/// The sign counts only where it is certain.
double copySign(const BoundSite &, const Near *x, double) {
  bool isSignSure = x[1].bound == 0.0 || std::fabs(x[1].value) > x[1].bound;
  return isSignSure ? x[0].bound : 2 * std::fabs(x[0].value) + x[0].bound;
}

/// On positive bases x^y is monotone in each operand: the ends are corners.
double power(const BoundSite &site, const Near *x, double result) {
  bool isExact = x[0].bound == 0.0 && x[1].bound == 0.0;
  if (!isExact && x[0].low() <= 0.0)
    return unbounded;
  double low = std::pow(x[0].value, x[1].value), high = low;
  for (double base : {x[0].low(), x[0].high()})
    for (double exponent : {x[1].low(), x[1].high()}) {
      low = std::min(low, std::pow(base, exponent));
      high = std::max(high, std::pow(base, exponent));
    }
  return round(site, low, high, x[0].value, result, 4);
}

double multiplyAndAdd(const BoundSite &site, const Near *x, double result) {
  double error = getProductError(x[0], x[1]) + x[2].bound;
  double exact = std::fma(x[0].value, x[1].value, x[2].value);
  return getRoundedBound(exact, error, result, site.type);
}

/// NaN and infinity are certain where the bound is finite.
double classify(const BoundSite &, const Near *x, double) {
  return std::isfinite(x[0].bound) ? 0.0 : 1.0;
}

template <typename Op, double (*function)(double)>
void addApproximate(BoundTable &table) {
  table.add<Op>(monotone<function, 2>, /*isApproximate=*/true);
}

} // namespace

void mlir::tile::reference::addMathBounds(BoundTable &table) {
  table.add<math::AbsFOp>(magnitude);
  table.add<math::CeilOp>(monotone<std::ceil, 0>);
  table.add<math::FloorOp>(monotone<std::floor, 0>);
  table.add<math::RoundOp>(monotone<std::round, 0>);
  table.add<math::RoundEvenOp>(monotone<roundEven, 0>);
  table.add<math::TruncOp>(monotone<std::trunc, 0>);
  table.add<math::SqrtOp>(monotone<std::sqrt, 0>);
  addApproximate<math::ErfOp, std::erf>(table);
  addApproximate<math::ExpOp, std::exp>(table);
  addApproximate<math::Exp2Op, std::exp2>(table);
  addApproximate<math::ExpM1Op, std::expm1>(table);
  addApproximate<math::LogOp, std::log>(table);
  addApproximate<math::Log1pOp, std::log1p>(table);
  addApproximate<math::Log2Op, std::log2>(table);
  addApproximate<math::RsqrtOp, inverseSquareRoot>(table);
  addApproximate<math::TanhOp, std::tanh>(table);
  table.add<math::SinOp>(periodic<std::sin>, /*isApproximate=*/true);
  table.add<math::CosOp>(periodic<std::cos>, /*isApproximate=*/true);
  table.add<math::PowFOp>(power, /*isApproximate=*/true);
  table.add<math::CopySignOp>(copySign);
  table.add<math::FmaOp>(multiplyAndAdd);
  table.add<math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>(classify);
}
