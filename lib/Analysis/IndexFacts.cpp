//===- IndexFacts.cpp - What divides an index value -----------------------===//
//
// Divisors from constants upwards. A sum, a difference or a product that may
// leave its type is known modulo a power of two only, so only a power of two
// still divides it; the ranges say whether it may.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/IndexFacts.h"
#include "tile/Analysis/Divisors.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tile;

static unsigned getWidth(Value value) {
  return ConstantIntRanges::getStorageBitwidth(value.getType());
}

/// Whether the true result of signed arithmetic may not fit the type.
bool IndexFacts::mayWrap(Operation *op) {
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
      flags && flags.hasNoSignedWrap())
    return false;
  ConstantIntRanges a = getRange(op->getOperand(0));
  ConstantIntRanges b = getRange(op->getOperand(1));
  bool low = false, high = false;
  if (isa<arith::AddIOp>(op)) {
    (void)a.smin().sadd_ov(b.smin(), low);
    (void)a.smax().sadd_ov(b.smax(), high);
    return low || high;
  }
  if (isa<arith::SubIOp>(op)) {
    (void)a.smin().ssub_ov(b.smax(), low);
    (void)a.smax().ssub_ov(b.smin(), high);
    return low || high;
  }
  assert((isa<arith::MulIOp, arith::ShLIOp>(op)) && "what may wrap");
  bool wraps = false;
  for (const APInt &x : {a.smin(), a.smax()})
    for (const APInt &y : {b.smin(), b.smax()}) {
      (void)(isa<arith::MulIOp>(op) ? x.smul_ov(y, low) : x.sshl_ov(y, low));
      wraps |= low;
    }
  return wraps;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The divisor of a sum, difference, product or shift.
int64_t IndexFacts::getArithmeticDivisor(Operation *op) {
  int64_t divisor;
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    divisor =
        std::gcd(getDivisor(op->getOperand(0)), getDivisor(op->getOperand(1)));
  } else if (isa<arith::MulIOp>(op)) {
    divisor = multiplyDivisors(getDivisor(op->getOperand(0)),
                               getDivisor(op->getOperand(1)));
  } else {
    // The language leaves open what a shift by the width or more gives.
    if (getRange(op->getOperand(1)).umax().uge(getWidth(op->getResult(0))))
      return 1;
    APInt amount;
    divisor = getDivisor(op->getOperand(0));
    if (matchPattern(op->getOperand(1), m_ConstantInt(&amount)))
      divisor =
          multiplyDivisors(divisor, int64_t(1) << amount.getLimitedValue(30));
  }
  return mayWrap(op) ? wrapDivisor(divisor, getWidth(op->getResult(0)))
                     : divisor;
}

/// The divisor of an integer in another type: unchanged where every number it
/// may be fits, else modulo the narrower type.
int64_t IndexFacts::getCastDivisor(Operation *op) {
  Value source = op->getOperand(0);
  int64_t divisor = getDivisor(source);
  unsigned from = getWidth(source), to = getWidth(op->getResult(0));
  ConstantIntRanges range = getRange(source);
  bool isUnsigned = isa<arith::IndexCastUIOp, arith::ExtUIOp>(op);
  bool isExact = from < to ? !isUnsigned || range.smin().isNonNegative()
                           : range.smin().getSignificantBits() <= to &&
                                 range.smax().getSignificantBits() <= to;
  return isExact ? divisor : wrapDivisor(divisor, std::min(from, to));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// What a kernel states of its scalar parameter.
static ScalarFactsAttr getParameterFacts(BlockArgument argument) {
  auto function =
      dyn_cast_or_null<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function || !argument.getOwner()->isEntryBlock())
    return {};
  return function.getArgAttrOfType<ScalarFactsAttr>(
      argument.getArgNumber(),
      TileDialect::ScalarFactsAttrHelper::getNameStr());
}

int64_t IndexFacts::getDivisor(Value value) {
  auto [it, isNew] = divisors.try_emplace(value, 1);
  if (!isNew)
    return it->second;
  int64_t divisor = computeDivisor(value);
  divisors[value] = divisor;
  return divisor;
}

int64_t IndexFacts::getDivisor(OpFoldResult value) {
  if (auto constant = getConstantIntValue(value))
    return getDivisorOf(*constant);
  return getDivisor(cast<Value>(value));
}

int64_t IndexFacts::computeDivisor(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return getDivisorOf(constant.getSExtValue());

  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (ScalarFactsAttr facts = getParameterFacts(argument))
      return keepDivisor(facts.getDivisor());
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && argument == loop.getInductionVar())
      return std::gcd(getDivisor(loop.getLowerBound()),
                      getDivisor(loop.getStep()));
    return 1;
  }

  Operation *op = value.getDefiningOp();
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp>(op))
    return getArithmeticDivisor(op);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op))
    return getCastDivisor(op);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return std::gcd(getDivisor(select.getTrueValue()),
                    getDivisor(select.getFalseValue()));
  if (isa<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(op))
    return std::gcd(getDivisor(op->getOperand(0)),
                    getDivisor(op->getOperand(1)));
  if (auto assume = dyn_cast<AssumeDivisibleOp>(op))
    return joinDivisors(getDivisor(assume.getValue()), assume.getDivisor());
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    if (!index || !type || *index < 0 || *index >= type.getRank())
      return 1;
    return getMemRefFacts(dim.getSource()).sizeDivisors[*index];
  }
  return 1;
}
