//===- IndexFacts.cpp - What divides an index value -----------------------===//
//
// Divisors from constants upwards. A sum, a difference or a product that may
// leave its type is known modulo a power of two only, so only a power of two
// still divides it; the ranges say whether it may.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/IndexFacts.h"
#include "tile/Analysis/Divisors.h"
#include "tile/Analysis/OperationTable.h"
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

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// An operation on two signed integers that says whether its true result fits.
using CheckedArithmetic = APInt (APInt::*)(const APInt &, bool &) const;

/// What is left of `divisor`, which divides the true result of `op`, where that
/// result may not fit the type. Bounds go wrong at a corner of the operands'
/// ranges if they do anywhere.
template <CheckedArithmetic compute>
static int64_t keepUnlessWrapping(IndexFacts &facts, Operation *op,
                                  int64_t divisor) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if (flags && flags.hasNoSignedWrap())
    return divisor;
  ConstantIntRanges lhs = facts.getRange(op->getOperand(0));
  ConstantIntRanges rhs = facts.getRange(op->getOperand(1));
  bool mayWrap = false;
  for (const APInt &x : {lhs.smin(), lhs.smax()})
    for (const APInt &y : {rhs.smin(), rhs.smax()}) {
      bool wraps = false;
      (void)(x.*compute)(y, wraps);
      mayWrap |= wraps;
    }
  return mayWrap ? wrapDivisor(divisor, getWidth(op->getResult(0))) : divisor;
}

/// Of a value that is one of the operands from `first` on, or their sum.
template <unsigned first = 0>
static int64_t getCommonDivisor(IndexFacts &facts, Operation *op) {
  return std::gcd(facts.getDivisor(op->getOperand(first)),
                  facts.getDivisor(op->getOperand(first + 1)));
}

template <CheckedArithmetic compute>
static int64_t getSumDivisor(IndexFacts &facts, Operation *op) {
  return keepUnlessWrapping<compute>(facts, op, getCommonDivisor(facts, op));
}

static int64_t getProductDivisor(IndexFacts &facts, arith::MulIOp op) {
  int64_t divisor = multiplyDivisors(facts.getDivisor(op.getLhs()),
                                     facts.getDivisor(op.getRhs()));
  return keepUnlessWrapping<&APInt::smul_ov>(facts, op, divisor);
}

static int64_t getShiftDivisor(IndexFacts &facts, arith::ShLIOp op) {
  // The language leaves open what a shift by the width or more gives.
  if (facts.getRange(op.getRhs()).umax().uge(getWidth(op.getResult())))
    return 1;
  int64_t divisor = facts.getDivisor(op.getLhs());
  APInt amount;
  if (matchPattern(op.getRhs(), m_ConstantInt(&amount)))
    divisor =
        multiplyDivisors(divisor, int64_t(1) << amount.getLimitedValue(30));
  return keepUnlessWrapping<&APInt::sshl_ov>(facts, op, divisor);
}

/// The divisor of an integer in another type: unchanged where every number it
/// may be fits, else modulo the narrower type.
template <bool isUnsigned>
static int64_t getCastDivisor(IndexFacts &facts, Operation *op) {
  Value source = op->getOperand(0);
  int64_t divisor = facts.getDivisor(source);
  unsigned from = getWidth(source), to = getWidth(op->getResult(0));
  ConstantIntRanges range = facts.getRange(source);
  bool isExact = from < to ? !isUnsigned || range.smin().isNonNegative()
                           : range.smin().getSignificantBits() <= to &&
                                 range.smax().getSignificantBits() <= to;
  return isExact ? divisor : wrapDivisor(divisor, std::min(from, to));
}

//===----------------------------------------------------------------------===//
// The table of operations
//===----------------------------------------------------------------------===//

static int64_t getAssumedDivisor(IndexFacts &facts, AssumeDivisibleOp op) {
  return joinDivisors(facts.getDivisor(op.getValue()), op.getDivisor());
}

static int64_t getSizeDivisor(IndexFacts &facts, memref::DimOp op) {
  std::optional<int64_t> index = op.getConstantIndex();
  auto type = dyn_cast<MemRefType>(op.getSource().getType());
  if (!index || !type || *index < 0 || *index >= type.getRank())
    return 1;
  return facts.getMemRefFacts(op.getSource()).sizeDivisors[*index];
}

using DivisorRules = OperationTable<int64_t(IndexFacts &)>;

/// Operations without a rule have a divisor of 1.
static const DivisorRules &getDivisorRules() {
  static const DivisorRules rules = [] {
    DivisorRules table;
    table.addAll<arith::AddIOp>(getSumDivisor<&APInt::sadd_ov>);
    table.addAll<arith::SubIOp>(getSumDivisor<&APInt::ssub_ov>);
    table.add(getProductDivisor);
    table.add(getShiftDivisor);
    table.addAll<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
        getCastDivisor</*isUnsigned=*/false>);
    table.addAll<arith::IndexCastUIOp, arith::ExtUIOp>(
        getCastDivisor</*isUnsigned=*/true>);
    table.addAll<arith::SelectOp>(getCommonDivisor</*first=*/1>);
    table
        .addAll<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(
            getCommonDivisor<>);
    table.add(getAssumedDivisor);
    table.add(getSizeDivisor);
    return table;
  }();
  return rules;
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
    scf::ForOp loop = scf::getForInductionVarOwner(argument);
    if (loop && argument == loop.getInductionVar())
      return std::gcd(getDivisor(loop.getLowerBound()),
                      getDivisor(loop.getStep()));
    return 1;
  }

  Operation *op = value.getDefiningOp();
  const DivisorRules::Rule *rule = getDivisorRules().find(op);
  return rule ? (*rule)(*this, op) : 1;
}
