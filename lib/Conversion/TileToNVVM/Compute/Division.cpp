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

#include "ScalarLowerings.h"

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

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// n == 0 ? 0 : (n - 1) / d + 1
static Value emitCeilUnsigned(ThreadEmitter &emitter, Division &division) {
  Value zero = emitter.constant(division.getType(), 0),
        one = emitter.constant(division.getType(), 1);
  Value less = division.emit<arith::SubIOp>(division.dividend, one);
  Value quotient = division.emit<arith::DivUIOp>(less, division.divisor);
  Value isZero =
      emitter.compare(arith::CmpIPredicate::eq, division.dividend, zero);
  return emitter.select(isZero, zero, emitter.add(quotient, one));
}

static Value emitFloor(ThreadEmitter &emitter, Division &division) {
  Value one = emitter.constant(division.getType(), 1);
  Value quotient = division.getQuotient(), rest = division.getRemainder();
  return emitter.select(mustAdjust(emitter, division, rest, /*differ=*/true),
                        division.emit<arith::SubIOp>(quotient, one), quotient);
}

static Value emitCeilSigned(ThreadEmitter &emitter, Division &division) {
  Value one = emitter.constant(division.getType(), 1);
  Value quotient = division.getQuotient(), rest = division.getRemainder();
  return emitter.select(mustAdjust(emitter, division, rest, /*differ=*/false),
                        emitter.add(quotient, one), quotient);
}

/// A row of the table: `emit` finishes what was made safe.
template <typename OpT>
static void addDivision(LoweringTable &table, bool isSigned,
                        Value (*emit)(ThreadEmitter &, Division &)) {
  addScalar<OpT>(table, [=](ThreadEmitter &emitter, Operation *,
                            ValueRange operands) {
    Division division = makeSafe(emitter, operands[0], operands[1], isSigned);
    return emit(emitter, division);
  });
}

/// The operation itself, on what was made safe.
template <typename OpT>
static Value emitUnsigned(ThreadEmitter &, Division &division) {
  return division.emit<OpT>(division.dividend, division.divisor);
}

void tile::registerDivisionLowerings(LoweringTable &table) {
  addDivision<arith::DivUIOp>(table, /*isSigned=*/false,
                              emitUnsigned<arith::DivUIOp>);
  addDivision<arith::RemUIOp>(table, /*isSigned=*/false,
                              emitUnsigned<arith::RemUIOp>);
  addDivision<arith::CeilDivUIOp>(table, /*isSigned=*/false, emitCeilUnsigned);
  addDivision<arith::DivSIOp>(table, /*isSigned=*/true,
                              [](ThreadEmitter &, Division &division) {
                                return division.getQuotient();
                              });
  addDivision<arith::RemSIOp>(table, /*isSigned=*/true,
                              [](ThreadEmitter &, Division &division) {
                                return division.getRemainder();
                              });
  addDivision<arith::FloorDivSIOp>(table, /*isSigned=*/true, emitFloor);
  addDivision<arith::CeilDivSIOp>(table, /*isSigned=*/true, emitCeilSigned);
}
