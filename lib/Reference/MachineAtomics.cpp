//===- MachineAtomics.cpp - Atomic updates of memory ---------------------===//
//
// The steps of atomics and reductions on single numbers, and the updates of
// memory made of them. Atomics of a launch have no order: beside the element
// stands what another order could have made of it.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

double mlir::tile::reference::combineFloats(arith::AtomicRMWKind kind, double a,
                                            double b, FloatFormat format) {
  auto number = [](double x, double y, double chosen) {
    return std::isnan(x) ? y : std::isnan(y) ? x : chosen;
  };
  auto propagate = [](double x, double y, double chosen) {
    return std::isnan(x) ? x : std::isnan(y) ? y : chosen;
  };
  switch (kind) {
  case arith::AtomicRMWKind::addf:
    // Two f32 values are added exactly enough in f64: 53 >= 2 * 24 + 2.
    return roundTo(a + b, format);
  case arith::AtomicRMWKind::mulf:
    return roundTo(a * b, format);
  case arith::AtomicRMWKind::maximumf:
    return propagate(a, b, a > b ? a : b);
  case arith::AtomicRMWKind::minimumf:
    return propagate(a, b, a < b ? a : b);
  case arith::AtomicRMWKind::maxnumf:
    return number(a, b, a > b ? a : b);
  case arith::AtomicRMWKind::minnumf:
    return number(a, b, a < b ? a : b);
  default:
    return b; // assign
  }
}

int64_t mlir::tile::reference::combineIntegers(arith::AtomicRMWKind kind,
                                               int64_t a, int64_t b,
                                               unsigned bits) {
  auto ua = zeroExtend(a, bits), ub = zeroExtend(b, bits);
  switch (kind) {
  case arith::AtomicRMWKind::addi:
    return signExtend(static_cast<int64_t>(ua + ub), bits);
  case arith::AtomicRMWKind::muli:
    return signExtend(static_cast<int64_t>(ua * ub), bits);
  case arith::AtomicRMWKind::maxs:
    return std::max(a, b);
  case arith::AtomicRMWKind::mins:
    return std::min(a, b);
  case arith::AtomicRMWKind::maxu:
    return ua > ub ? a : b;
  case arith::AtomicRMWKind::minu:
    return ua < ub ? a : b;
  case arith::AtomicRMWKind::andi:
    return a & b;
  case arith::AtomicRMWKind::ori:
    return a | b;
  case arith::AtomicRMWKind::xori:
    return a ^ b;
  default:
    return b; // assign
  }
}

/// What the order of the atomics on one float element leaves open. Each rounds
/// to the element's type, in the reference as well.
static double getOrderBound(arith::AtomicRMWKind kind, const SumError &sum,
                            double after, ElementType type) {
  if (kind == arith::AtomicRMWKind::addf)
    return getRoundedBound(after, sum.get(after, type.format, type.format, 2),
                           after, type);
  double relative =
      2 * static_cast<double>(sum.terms - 1) * getUnitRoundoff(type.format);
  return sum.carried != 0.0 || relative > 0.25 ? unbounded
                                               : relative * std::fabs(after);
}

/// The bound of an element that an atomic changed; `sum` holds all its terms.
static double getAtomicBound(arith::AtomicRMWKind kind, const SumError &sum,
                             Near before, Near term, double after,
                             ElementType type) {
  switch (kind) {
  case arith::AtomicRMWKind::addf:
  case arith::AtomicRMWKind::mulf:
    return withEitherZero(getOrderBound(kind, sum, after, type), after);
  case arith::AtomicRMWKind::addi:
    return before.bound + term.bound;
  case arith::AtomicRMWKind::maximumf:
  case arith::AtomicRMWKind::maxnumf:
  case arith::AtomicRMWKind::minimumf:
  case arith::AtomicRMWKind::minnumf:
    return withEitherZero(std::max(before.bound, term.bound), after);
  case arith::AtomicRMWKind::maxs:
  case arith::AtomicRMWKind::mins:
    return std::max(before.bound, term.bound);
  case arith::AtomicRMWKind::assign:
    return term.bound;
  default:
    return before.bound + term.bound == 0.0 ? 0.0 : unbounded;
  }
}

/// Gives an element that an atomic changed its bound; returns that of the value
/// from before, which in another order is another partial result.
static double combineBounds(const MemRef &memref, int64_t linear,
                            arith::AtomicRMWKind kind, Near before, Near term,
                            double after) {
  bool isRounding =
      kind == arith::AtomicRMWKind::addf || kind == arith::AtomicRMWKind::mulf;
  Buffer &buffer = *memref.buffer;
  if (buffer.atomicSums.empty() && isRounding)
    buffer.atomicSums.resize(buffer.getGranuleCount());
  SumError none;
  SumError &sum =
      isRounding ? buffer.atomicSums[memref.getGranule(linear)] : none;
  bool isFirst = sum.terms == 0;
  double partial = sum.magnitudes;
  // Adding to an exact zero does not round.
  bool isNeutral = kind == arith::AtomicRMWKind::addf && before.value == 0.0 &&
                   before.bound == 0.0;
  if (isFirst && !isNeutral)
    sum.add(before.value, before.bound);
  sum.add(term.value, term.bound);
  double bound = getAtomicBound(kind, sum, before, term, after, memref.element);
  memref.setBound(linear, getDistance(bound, 0.0));
  return isFirst ? before.bound : partial + std::fabs(before.value);
}

FailureOr<Array> Machine::atomicUpdate(Operation *op, const MemRef &memref,
                                       ArrayRef<int64_t> linear,
                                       const Array &values,
                                       arith::AtomicRMWKind kind) {
  if (failed(checkAccess(op, memref, linear, AccessKind::Atomic)))
    return failure();
  Array before(memref.element, linear.size());
  for (int64_t i = 0, e = linear.size(); i < e; ++i) {
    if (linear[i] == skipped)
      continue;
    int64_t from = values.count == 1 ? 0 : i;
    if (values.isPoison(from) || memref.isUndefined(linear[i])) {
      InFlightDiagnostic diagnostic =
          undefinedAt(op, i, values.isPoison(from) ? values : before);
      diagnostic.attachNote(memref.buffer->location)
          << "the buffer is from here";
      return diagnostic << "atomic on element " << linear[i] << " of buffer '"
                        << memref.buffer->name
                        << "' depends on memory that nobody wrote";
    }
    before.setBits(i, memref.readBits(linear[i]));
    Array after(memref.element, 1);
    if (memref.element.isFloat)
      after.setDouble(0, combineFloats(kind, before.getDouble(i),
                                       values.getDouble(from),
                                       memref.element.format));
    else
      after.integers[0] = combineIntegers(
          kind, before.integers[i], values.integers[from], memref.element.bits);
    memref.writeBits(linear[i], after.getBits(0));
    if (options.tracksBounds)
      before.setBound(
          i, combineBounds(memref, linear[i], kind,
                           {before.getDouble(i), memref.getBound(linear[i])},
                           {values.getDouble(from), values.getBound(from)},
                           after.getDouble(0)));
  }
  return before;
}
