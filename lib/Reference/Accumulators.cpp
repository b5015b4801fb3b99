//===- Accumulators.cpp - Combining elements by a kind -------------------===//

#include "Accumulators.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tile::reference;

using Kind = arith::AtomicRMWKind;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The value of an empty prefix.
static double getNeutralFloat(Kind kind) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (kind) {
  case Kind::mulf:
    return 1.0;
  case Kind::maximumf:
  case Kind::maxnumf:
    return -infinity;
  case Kind::minimumf:
  case Kind::minnumf:
    return infinity;
  default:
    return 0.0;
  }
}

static int64_t getNeutralInteger(Kind kind, unsigned bits) {
  int64_t most = static_cast<int64_t>((uint64_t(1) << (bits - 1)) - 1);
  switch (kind) {
  case Kind::muli:
    return signExtend(1, bits);
  case Kind::mins:
    return most;
  case Kind::maxs:
    return -most - 1;
  case Kind::minu:
  case Kind::andi:
    return -1;
  default:
    return 0;
  }
}

static bool isSum(Kind kind) {
  return kind == Kind::addf || kind == Kind::addi;
}

Accumulators::Accumulators(Kind kind, ElementType type,
                           arith::FastMathFlags flags, int64_t count,
                           bool tracksBounds)
    : kind(kind), type(type), flags(flags), poison(count, 0), isEmpty(count, 1),
      isBroken(count, 0) {
  if (type.isFloat)
    floats.assign(count, getNeutralFloat(kind));
  else
    integers.assign(count, getNeutralInteger(kind, type.bits));
  if (tracksBounds && isSum(kind))
    sums.resize(count);
  else if (tracksBounds)
    ranges.resize(count);
}

void Accumulators::combine(int64_t at, const Array &source, int64_t from) {
  poison[at] |= source.isPoison(from);
  if (type.isFloat && isEmpty[at])
    floats[at] = source.getDouble(from);
  else if (type.isFloat)
    floats[at] = combineFloats(kind, floats[at], source.getDouble(from),
                               FloatFormat::F64);
  else
    integers[at] =
        combineIntegers(kind, integers[at], source.integers[from], type.bits);
  if (!sums.empty())
    sums[at].add(source.getDouble(from), source.getBound(from));
  else if (!ranges.empty())
    combineBounds(
        at, {source.getDouble(from), getMagnitudeBound(source.getBound(from))},
        isEmpty[at]);
  isEmpty[at] = 0;
  isBroken[at] |= breaksPromise(flags, source.getDouble(from));
}

void Accumulators::round(Array &result, int64_t to, int64_t at) const {
  if (type.isFloat)
    result.setDouble(to, roundTo(floats[at], type.format));
  else
    result.integers[to] = integers[at];
  if (poison[at]) {
    result.setPoison(to);
    return;
  }
  if (sums.empty() && ranges.empty())
    return;
  if (isBroken[at] || breaksPromise(flags, result.getDouble(to))) {
    result.setBound(to, unbounded);
    return;
  }
  double bound = getDistance(getBound(result, to, at), 0.0);
  // Which zero comes out is open.
  result.setBound(to, type.isFloat ? withEitherZero(bound, result.getDouble(to))
                                   : bound);
}

void Accumulators::roundPart(Array &result, int64_t to, int64_t at) const {
  if (isEmpty[at] && (kind == Kind::maxnumf || kind == Kind::minnumf))
    result.setDouble(to, std::numeric_limits<double>::quiet_NaN());
  else
    round(result, to, at);
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

void Accumulators::combineBounds(int64_t at, Near element, bool isFirst) {
  Range &range = ranges[at];
  range.isUncertain |= element.bound != 0.0;
  switch (kind) {
  case Kind::mulf: {
    double magnitude = std::fabs(element.value);
    double before = isFirst ? 1.0 : std::fabs(range.high);
    range.error =
        range.error * (magnitude + element.bound) + before * element.bound;
    range.high = before * magnitude;
    range.largest *= std::max(magnitude, 1.0);
    range.smallest *= std::min(magnitude, 1.0);
    ++range.factors;
    return;
  }
  case Kind::maximumf:
  case Kind::maxnumf:
  case Kind::maxs:
    range.low = isFirst ? element.low() : std::fmax(range.low, element.low());
    range.high =
        isFirst ? element.high() : std::fmax(range.high, element.high());
    return;
  case Kind::minimumf:
  case Kind::minnumf:
  case Kind::mins:
    range.low = isFirst ? element.low() : std::fmin(range.low, element.low());
    range.high =
        isFirst ? element.high() : std::fmin(range.high, element.high());
    return;
  default:
    return;
  }
}

/// n factors are rounded n - 1 times, relative to the product, as long as no
/// partial product of any order leaves the accumulator's range.
double Accumulators::getProductBound(double value, int64_t at) const {
  const Range &range = ranges[at];
  FloatFormat accumulator =
      type.format == FloatFormat::F64 ? FloatFormat::F64 : FloatFormat::F32;
  if (range.factors <= 1 || value == 0.0)
    return range.error;
  double least = accumulator == FloatFormat::F64 ? 0x1p-1022 : 0x1p-126;
  if (std::isinf(roundTo(range.largest, accumulator)) || range.smallest < least)
    return std::isinf(value) ? range.error : unbounded;
  double relative =
      2 * static_cast<double>(range.factors - 1) * getUnitRoundoff(accumulator);
  return range.error + relative * (1 + relative) * std::fabs(value);
}

double Accumulators::getBound(const Array &result, int64_t to,
                              int64_t at) const {
  double value = result.getDouble(to);
  if (!sums.empty()) {
    if (!type.isFloat)
      return sums[at].carried;
    bool isDouble = type.format == FloatFormat::F64;
    double error =
        sums[at].get(floats[at], isDouble ? FloatFormat::F64 : FloatFormat::F32,
                     type.format, isDouble ? 2 : 1);
    return getRoundedBound(floats[at], error, value, type);
  }
  switch (kind) {
  case Kind::mulf:
    return getRoundedBound(floats[at], getProductBound(floats[at], at), value,
                           type);
  case Kind::maximumf:
  case Kind::maxnumf:
  case Kind::minimumf:
  case Kind::minnumf:
  case Kind::maxs:
  case Kind::mins:
    if (!ranges[at].isUncertain || std::isnan(value))
      return 0.0;
    return getReach(ranges[at].low, ranges[at].high, value);
  default:
    return ranges[at].isUncertain ? unbounded : 0.0;
  }
}
