//===- Bounds.cpp - How far a correct implementation may differ ----------===//

#include "Bounds.h"

#include "../Machine.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tile::reference;

double mlir::tile::reference::getDistance(double a, double b) {
  if (a == b)
    return 0.0;
  double distance = std::fabs(a - b);
  return std::isnan(distance) ? unbounded : distance;
}

double mlir::tile::reference::getReach(double low, double high, double result) {
  return std::max(getDistance(low, result), getDistance(high, result));
}

double mlir::tile::reference::getProductError(Near x, Near y) {
  // What is exact adds nothing, also beside an infinity.
  auto scale = [](double value, double bound) {
    return bound == 0.0 ? 0.0 : std::fabs(value) * bound;
  };
  return scale(x.value, y.bound) + scale(y.value, x.bound) +
         scale(x.bound, y.bound);
}

double mlir::tile::reference::getQuotientError(Near x, Near y) {
  double divisor = std::fabs(y.value);
  if (divisor <= y.bound)
    return unbounded;
  return (x.bound + std::fabs(x.value / y.value) * y.bound) /
         (divisor - y.bound);
}

double mlir::tile::reference::getUlp(double value, bool isDouble) {
  double magnitude = std::fabs(value);
  if (!std::isfinite(magnitude))
    return unbounded;
  int precision = isDouble ? 53 : 24, least = isDouble ? -1074 : -149;
  int exponent;
  std::frexp(magnitude, &exponent);
  return std::ldexp(1.0, std::max(exponent - precision, least));
}

double mlir::tile::reference::getUnitRoundoff(FloatFormat format) {
  return std::ldexp(1.0, -getPrecision(format));
}

bool mlir::tile::reference::breaksPromise(arith::FastMathFlags flags,
                                          double value) {
  using Flags = arith::FastMathFlags;
  return (std::isnan(value) && bitEnumContainsAll(flags, Flags::nnan)) ||
         (std::isinf(value) && bitEnumContainsAll(flags, Flags::ninf));
}

double mlir::tile::reference::getRoundedBound(double exact, double error,
                                              double result, ElementType type) {
  if (error == 0.0)
    return 0.0;
  if (!std::isfinite(error))
    return unbounded;
  if (!type.isFloat)
    return std::ceil(error);
  if (type.format == FloatFormat::F64) // `exact` is itself rounded
    return error + 2 * getUlp(std::fabs(result) + error, /*isDouble=*/true);
  double reach = getReach(roundTo(exact - error, type.format),
                          roundTo(exact + error, type.format), result);
  bool isSignOpen = std::fabs(exact) <= error;
  return isSignOpen ? withEitherZero(reach, result) : reach;
}

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

namespace {

BoundSite getSite(Machine &machine, Operation *op, const Array &result) {
  BoundSite site;
  site.op = op;
  site.type = result.type;
  if (op->getNumOperands() > 0)
    site.operandType = machine.getArray(op->getOperand(0)).type;
  if (auto interface = dyn_cast<arith::ArithFastMathInterface>(op))
    site.flags = interface.getFastMathFlagsAttr().getValue();
  site.isReordered =
      machine.isReordering() || site.has(arith::FastMathFlags::reassoc);
  return site;
}

/// Whether the sign of a zero operand shows in more than that of a zero result.
bool dependsOnSign(Operation *op, double result) {
  return isa<arith::BitcastOp, math::CopySignOp>(op) ||
         (isa<arith::DivFOp, math::RsqrtOp, math::PowFOp>(op) &&
          !std::isfinite(result));
}

} // namespace

void mlir::tile::reference::deriveBounds(Machine &machine, Operation *op,
                                         Array &result) {
  if (!machine.options.tracksBounds)
    return;
  SmallVector<const Array *, 3> operands;
  bool isOpen = false;
  for (Value operand : op->getOperands()) {
    operands.push_back(&machine.getArray(operand));
    isOpen |= !operands.back()->bounds.empty();
  }
  const BoundEntry *entry = machine.boundTable.find(op->getName().getTypeID());
  BoundSite site = getSite(machine, op, result);
  bool hasFreedom = (entry && entry->isApproximate) ||
                    site.flags != arith::FastMathFlags::none ||
                    (site.isReordered && result.type.isFloat);
  if (!isOpen && !hasFreedom)
    return;
  SmallVector<Near, 3> elements(operands.size());
  for (int64_t i = 0; i < result.count; ++i) {
    if (result.isPoison(i))
      continue;
    double value = result.getDouble(i);
    bool isExact = true, isBroken = breaksPromise(site.flags, value);
    for (auto [element, operand] : llvm::zip(elements, operands)) {
      int64_t at = operand->count == 1 ? 0 : i;
      element = {operand->getDouble(at), operand->getBound(at)};
      isExact &= element.bound == 0.0;
      isBroken |= breaksPromise(site.flags, element.value) ||
                  (element.bound == signOfZero && dependsOnSign(op, value));
      element.bound = getMagnitudeBound(element.bound);
    }
    // The others of the array may be open: rules are for what is not exact.
    if (isExact && !hasFreedom)
      continue;
    double bound = isBroken || (!entry && !isExact) ? unbounded : 0.0;
    if (bound == 0.0 && entry)
      bound = getDistance(entry->rule(site, elements.data(), value), 0.0);
    bool isSignOpen =
        !isExact || site.isReordered || site.has(arith::FastMathFlags::nsz);
    if (result.type.isFloat && isSignOpen)
      bound = withEitherZero(bound, value);
    result.setBound(i, bound);
  }
}

void mlir::tile::reference::joinOpenChoices(const Array &condition,
                                            const Array &ifTrue,
                                            const Array &ifFalse,
                                            Array &result) {
  if (condition.bounds.empty())
    return;
  for (int64_t i = 0; i < result.count; ++i) {
    if (condition.getBound(condition.count == 1 ? 0 : i) == 0.0)
      continue;
    for (const Array *side : {&ifTrue, &ifFalse}) {
      int64_t at = side->count == 1 ? 0 : i;
      double other = side->getDouble(at), value = result.getDouble(i);
      double reach = getDistance(other, value) + side->getBound(at);
      if (std::signbit(other) != std::signbit(value))
        reach = withEitherZero(reach, value);
      result.setBound(i, std::max(result.getBound(i), reach));
    }
  }
}
