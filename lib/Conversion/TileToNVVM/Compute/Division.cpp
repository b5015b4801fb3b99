//===- Division.cpp - Integer division that is never undefined ------------===//
//
// Division by zero and the overflow of the smallest integer by -1 give an
// unspecified value of that element and nothing else; in LLVM they are
// undefined behaviour, which lets the optimiser delete the author's own check.
// So the divisor is made harmless first, and frozen:
//
//     n / d  ->  n / select(d == 0, 1, freeze(d))
//
// and, signed, d == -1 divides by 1 and negates.
//
//===----------------------------------------------------------------------===//

#include "ScalarOperations.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// One division: dividend and divisor, made safe.
struct Division {
  ThreadEmitter &emitter;
  Value dividend, divisor;
  Value isNegation; ///< divisor was -1; null where it cannot be

  Type getType() { return dividend.getType(); }
  template <typename OpT>
  Value emit(Value lhs, Value rhs) {
    return emitter.builder.createOrFold<OpT>(emitter.loc, lhs, rhs);
  }
  Value getQuotient() {
    Value quotient = emit<arith::DivSIOp>(dividend, divisor);
    if (!isNegation)
      return quotient;
    Value negated =
        emit<arith::SubIOp>(emitter.constant(getType(), 0), dividend);
    return emitter.select(isNegation, negated, quotient);
  }
  /// The remainder is zero for a divisor of 1, so also for one of -1.
  Value getRemainder() { return emit<arith::RemSIOp>(dividend, divisor); }
};
} // namespace

static Division makeSafe(ThreadEmitter &emitter, Value dividend, Value divisor,
                         bool isSigned) {
  Type type = divisor.getType();
  Division division{emitter, dividend, divisor, Value()};
  APInt constant;
  if (matchPattern(divisor, m_ConstantInt(&constant)) && !constant.isZero() &&
      (!isSigned || !constant.isAllOnes()))
    return division;
  auto &builder = emitter.builder;
  Location loc = emitter.loc;
  divisor = LLVM::FreezeOp::create(builder, loc, divisor);
  division.dividend = LLVM::FreezeOp::create(builder, loc, dividend);
  Value one = emitter.constant(type, 1);
  Value isZero = emitter.compare(arith::CmpIPredicate::eq, divisor,
                                 emitter.constant(type, 0));
  division.divisor = emitter.select(isZero, one, divisor);
  if (isSigned && type.getIntOrFloatBitWidth() > 1) {
    division.isNegation = emitter.compare(arith::CmpIPredicate::eq, divisor,
                                          emitter.constant(type, -1));
    division.divisor =
        emitter.select(division.isNegation, one, division.divisor);
  }
  return division;
}

/// Whether a rounded-to-zero quotient must move by one: the remainder is not
/// zero and has the divisor's sign (`differ` false) or the other one (`differ`
/// true).
static Value mustAdjust(ThreadEmitter &emitter, Division &division,
                        Value remainder, bool differ) {
  Type type = division.getType();
  Value zero = emitter.constant(type, 0);
  Value inexact = emitter.compare(arith::CmpIPredicate::ne, remainder, zero);
  Value signs = division.emit<arith::XOrIOp>(remainder, division.divisor);
  Value sign = emitter.compare(differ ? arith::CmpIPredicate::slt
                                      : arith::CmpIPredicate::sge,
                               signs, zero);
  return emitter.both(inexact, sign);
}

Value tile::emitDivision(ThreadEmitter &emitter, Operation *op, Value dividend,
                         Value divisor) {
  bool isSigned = !isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op);
  Type type = dividend.getType();
  Division division = makeSafe(emitter, dividend, divisor, isSigned);
  if (isa<arith::DivUIOp>(op))
    return division.emit<arith::DivUIOp>(division.dividend, division.divisor);
  if (isa<arith::RemUIOp>(op))
    return division.emit<arith::RemUIOp>(division.dividend, division.divisor);
  if (isa<arith::DivSIOp>(op))
    return division.getQuotient();
  if (isa<arith::RemSIOp>(op))
    return division.getRemainder();

  Value zero = emitter.constant(type, 0), one = emitter.constant(type, 1);
  if (isa<arith::CeilDivUIOp>(op)) {
    // n == 0 ? 0 : (n - 1) / d + 1
    Value less = division.emit<arith::SubIOp>(division.dividend, one);
    Value quotient = division.emit<arith::DivUIOp>(less, division.divisor);
    Value isZero =
        emitter.compare(arith::CmpIPredicate::eq, division.dividend, zero);
    return emitter.select(isZero, zero, emitter.add(quotient, one));
  }
  Value quotient = division.getQuotient(), rest = division.getRemainder();
  if (isa<arith::FloorDivSIOp>(op))
    return emitter.select(mustAdjust(emitter, division, rest, /*differ=*/true),
                          division.emit<arith::SubIOp>(quotient, one),
                          quotient);
  return emitter.select(mustAdjust(emitter, division, rest, /*differ=*/false),
                        emitter.add(quotient, one), quotient);
}
