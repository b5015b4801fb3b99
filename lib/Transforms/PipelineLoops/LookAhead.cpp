//===- LookAhead.cpp - Iterations some steps ahead ------------------------===//

#include "LookAhead.h"

#include "tile/Analysis/LoopFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// `steps * step`.
struct Distance {
  /// Its bits in the loop's type.
  Value bits;
  /// As an unsigned number; the largest one where it does not fit.
  Value saturated;
  /// A sum with it that lies between the bounds does not wrap in the loop's
  /// signedness, because it fits there itself.
  bool fits = false;
};
} // namespace

static Value createConstant(scf::ForOp loop, const APInt &value,
                            OpBuilder &builder) {
  Type type = loop.getInductionVar().getType();
  return arith::ConstantOp::create(builder, loop.getLoc(),
                                   builder.getIntegerAttr(type, value));
}

/// The distance, or nothing if it is larger than every unsigned number of the
/// type: then no iteration is so far ahead.
static std::optional<Distance> getDistance(scf::ForOp loop, int64_t steps,
                                           OpBuilder &builder) {
  Location loc = loop.getLoc();
  unsigned width =
      ConstantIntRanges::getStorageBitwidth(loop.getInductionVar().getType());
  APInt largest = APInt::getMaxValue(width);
  if (APInt(64, steps).ugt(largest.zextOrTrunc(64)))
    return std::nullopt;
  APInt count(width, steps);
  Distance distance;
  APInt step;
  if (matchPattern(loop.getStep(), m_ConstantInt(&step))) {
    bool overflows = false;
    APInt product = step.umul_ov(count, overflows);
    if (overflows)
      return std::nullopt;
    distance.bits = distance.saturated = createConstant(loop, product, builder);
    distance.fits = loop.getUnsignedCmp() || product.isNonNegative();
    return distance;
  }
  distance.bits = arith::MulIOp::create(builder, loc, loop.getStep(),
                                        createConstant(loop, count, builder));
  Value fits = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ule, loop.getStep(),
      createConstant(loop, largest.udiv(count), builder));
  distance.saturated =
      arith::SelectOp::create(builder, loc, fits, distance.bits,
                              createConstant(loop, largest, builder));
  return distance;
}

/// Whether `from + steps * step` may leave the type of the loop.
static bool mayLeaveType(scf::ForOp loop, Value from, int64_t steps) {
  IndexFacts facts(loop->getParentOfType<LaunchOp>());
  return mayWrap(facts, loop, from, steps);
}

static Value compareLess(scf::ForOp loop, Value a, Value b,
                         OpBuilder &builder) {
  return arith::CmpIOp::create(builder, loop.getLoc(),
                               loop.getUnsignedCmp()
                                   ? arith::CmpIPredicate::ult
                                   : arith::CmpIPredicate::slt,
                               a, b);
}

/// Whether the upper bound, which is above the lower one, is further from it
/// than the distance.
static Value isFurther(scf::ForOp loop, const Distance &distance,
                       OpBuilder &builder) {
  Value total = arith::SubIOp::create(
      builder, loop.getLoc(), loop.getUpperBound(), loop.getLowerBound());
  return arith::CmpIOp::create(builder, loop.getLoc(),
                               arith::CmpIPredicate::ugt, total,
                               distance.saturated);
}

/// `from + distance`. Says that it does not wrap where that is so for every
/// iteration that exists.
static Value addDistance(scf::ForOp loop, Value from, const Distance &distance,
                         bool isGuarded, OpBuilder &builder) {
  auto flags = arith::IntegerOverflowFlags::none;
  if (isGuarded && distance.fits)
    flags = loop.getUnsignedCmp() ? arith::IntegerOverflowFlags::nuw
                                  : arith::IntegerOverflowFlags::nsw;
  return arith::AddIOp::create(builder, loop.getLoc(), from, distance.bits,
                               flags);
}

static Iteration getNone(scf::ForOp loop, Value from, OpBuilder &builder) {
  return {from, arith::ConstantOp::create(builder, loop.getLoc(),
                                          builder.getBoolAttr(false))};
}

Iteration tile::getIterationFromStart(scf::ForOp loop, int64_t steps,
                                      OpBuilder &builder) {
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  if (steps == 0)
    return {lower, compareLess(loop, lower, upper, builder)};
  std::optional<Distance> distance = getDistance(loop, steps, builder);
  if (!distance)
    return getNone(loop, lower, builder);
  bool isGuarded = mayLeaveType(loop, lower, steps);
  Value number = addDistance(loop, lower, *distance, isGuarded, builder);
  if (!isGuarded)
    return {number, compareLess(loop, number, upper, builder)};
  Value runs = compareLess(loop, lower, upper, builder);
  Value isInside = isFurther(loop, *distance, builder);
  return {number,
          arith::AndIOp::create(builder, loop.getLoc(), runs, isInside)};
}

Value tile::getLimit(scf::ForOp loop, int64_t steps, OpBuilder &builder) {
  if (!mayLeaveType(loop, loop.getInductionVar(), steps))
    return {};
  std::optional<Distance> distance = getDistance(loop, steps, builder);
  if (!distance)
    return loop.getLowerBound();
  Value end = arith::SubIOp::create(builder, loop.getLoc(),
                                    loop.getUpperBound(), distance->bits);
  return arith::SelectOp::create(builder, loop.getLoc(),
                                 isFurther(loop, *distance, builder), end,
                                 loop.getLowerBound());
}

Iteration tile::getIterationAhead(scf::ForOp loop, int64_t steps, Value limit,
                                  OpBuilder &builder) {
  Value from = loop.getInductionVar();
  std::optional<Distance> distance = getDistance(loop, steps, builder);
  if (!distance)
    return getNone(loop, from, builder);
  Value number = addDistance(loop, from, *distance, limit != nullptr, builder);
  return {number,
          limit ? compareLess(loop, from, limit, builder)
                : compareLess(loop, number, loop.getUpperBound(), builder)};
}
