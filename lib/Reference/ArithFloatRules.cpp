//===- ArithFloatRules.cpp - arith on floats -----------------------------===//
//
// f32 and f64 operations are the machine's, correctly rounded, with subnormals
// and without contraction. f16 and bf16 operations are done in f32 and rounded
// again, which is exact because f32 has at least 2 p + 2 significand bits.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include <bit>
#include <cmath>

using namespace mlir;
using namespace mlir::tile::reference;

namespace {

void roundAll(Array &array) {
  if (array.type.storage() != Storage::Float ||
      array.type.format == FloatFormat::F32)
    return;
  for (float &value : array.floats)
    value = roundTo(value, array.type.format);
}

template <typename Function>
LogicalResult binary(Machine &machine, Operation *op, Function function) {
  const Array &a = machine.getArray(op->getOperand(0));
  const Array &b = machine.getArray(op->getOperand(1));
  Array result(getResultType(op), getCommonCount({&a, &b}));
  if (result.type.storage() == Storage::Double)
    mapBinary(result.doubles, a.doubles, b.doubles, function);
  else
    mapBinary(result.floats, a.floats, b.floats, function);
  roundAll(result);
  addPoison(result, a);
  addPoison(result, b);
  deriveBounds(machine, op, result);
  machine.set(op->getResult(0), std::move(result));
  return success();
}

#define FLOAT_RULE(NAME, EXPRESSION)                                           \
  LogicalResult NAME(Machine &machine, Operation *op) {                        \
    return binary(machine, op,                                                 \
                  [](auto a, auto b) -> decltype(a) { return EXPRESSION; });   \
  }

/// LangRef arith.addf, arith.subf, arith.mulf, arith.divf, arith.remf;
/// correctly rounded (Language.md, "Floating-point flags").
FLOAT_RULE(addf, a + b)
FLOAT_RULE(subf, a - b)
FLOAT_RULE(mulf, a *b)
FLOAT_RULE(divf, a / b)
FLOAT_RULE(remf, std::fmod(a, b))
/// LangRef arith.maximumf and arith.minimumf, which propagate NaN,
/// arith.maxnumf and arith.minnumf, which prefer the number. Which zero:
/// Language.md, "Element types".
FLOAT_RULE(maximumf, std::isnan(a) ? a : std::isnan(b) ? b : a > b ? a : b)
FLOAT_RULE(minimumf, std::isnan(a) ? a : std::isnan(b) ? b : a < b ? a : b)
FLOAT_RULE(maxnumf, std::isnan(a) ? b : std::isnan(b) ? a : a > b ? a : b)
FLOAT_RULE(minnumf, std::isnan(a) ? b : std::isnan(b) ? a : a < b ? a : b)
#undef FLOAT_RULE

/// LangRef arith.negf: the sign bit, of NaN and zero too.
LogicalResult negf(Machine &machine, Operation *op) {
  Array result = machine.getArray(op->getOperand(0));
  for (float &value : result.floats)
    value = -value;
  for (double &value : result.doubles)
    value = -value;
  machine.set(op->getResult(0), std::move(result));
  return success();
}

template <typename Number>
bool compare(arith::CmpFPredicate predicate, Number a, Number b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::OEQ:
    return a == b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::ONE:
    return !unordered && a != b;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UEQ:
    return unordered || a == b;
  case arith::CmpFPredicate::UGT:
    return !(a <= b);
  case arith::CmpFPredicate::UGE:
    return !(a < b);
  case arith::CmpFPredicate::ULT:
    return !(a >= b);
  case arith::CmpFPredicate::ULE:
    return !(a > b);
  case arith::CmpFPredicate::UNE:
    return unordered || a != b;
  case arith::CmpFPredicate::UNO:
    return unordered;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  }
  return false;
}

/// LangRef arith.cmpf.
LogicalResult compareFloats(Machine &machine, arith::CmpFOp op) {
  const Array &a = machine.getArray(op.getLhs());
  const Array &b = machine.getArray(op.getRhs());
  Array result(ElementType::integer(1), getCommonCount({&a, &b}));
  auto function = [&](auto x, auto y) {
    return -int64_t(compare(op.getPredicate(), x, y));
  };
  if (a.type.storage() == Storage::Double)
    mapBinary(result.integers, a.doubles, b.doubles, function);
  else
    mapBinary(result.integers, a.floats, b.floats, function);
  addPoison(result, a);
  addPoison(result, b);
  deriveBounds(machine, op, result);
  machine.set(op.getResult(), std::move(result));
  return success();
}

/// LangRef arith.extf, arith.truncf; one rounding, narrow formats saturate
/// (Language.md, "Element types").
LogicalResult convertFloat(Machine &machine, Operation *op) {
  machine.set(op->getResult(0),
              convert(machine.getArray(op->getOperand(0)), getResultType(op)));
  return success();
}

/// Rounds an integer once to `format`. Integers of more bits than a double's go
/// through a rounding to odd, which keeps what the last rounding has to know.
double fromInteger(bool negative, uint64_t magnitude, FloatFormat format) {
  if (format == FloatFormat::F64) {
    double value = static_cast<double>(magnitude);
    return negative ? -value : value;
  }
  if (magnitude >> 53) {
    constexpr int shift = 11;
    uint64_t lost = magnitude & ((uint64_t(1) << shift) - 1);
    uint64_t kept = (magnitude >> shift) | (lost != 0);
    double value = std::ldexp(static_cast<double>(kept), shift);
    return roundTo(negative ? -value : value, format);
  }
  double value = static_cast<double>(magnitude);
  return roundTo(negative ? -value : value, format);
}

/// LangRef arith.sitofp, arith.uitofp; one rounding (Language.md, "Element
/// types").
LogicalResult integerToFloat(Machine &machine, Operation *op) {
  bool isSigned = isa<arith::SIToFPOp>(op);
  const Array &a = machine.getArray(op->getOperand(0));
  Array result(getResultType(op), a.count);
  result.poison = a.poison;
  // Narrow floats are reached through f32 (Language.md, "Element types").
  bool isNarrow = result.type.bits <= 8;
  for (int64_t i = 0; i < a.count; ++i) {
    int64_t value = a.integers[i];
    bool negative = isSigned && value < 0;
    uint64_t magnitude = isSigned ? (negative ? 0 - static_cast<uint64_t>(value)
                                              : static_cast<uint64_t>(value))
                                  : zeroExtend(value, a.type.bits);
    double number = fromInteger(
        negative, magnitude, isNarrow ? FloatFormat::F32 : result.type.format);
    if (isNarrow)
      number = roundTo(number, result.type.format);
    result.setDouble(i, number);
  }
  deriveBounds(machine, op, result);
  machine.set(op->getResult(0), std::move(result));
  return success();
}

/// LangRef arith.fptosi, arith.fptoui. Out of range there is no value (Language.md,
/// "Aliasing and order"). What lanes compute that are not active concerns nobody.
LogicalResult floatToInteger(Machine &machine, Operation *op) {
  bool isSigned = isa<arith::FPToSIOp>(op);
  const Array &a = machine.getArray(op->getOperand(0));
  Array result(getResultType(op), a.count);
  result.poison = a.poison;
  result.takeOrigin(a);
  unsigned bits = result.type.bits;
  double upper = std::ldexp(1.0, isSigned ? bits - 1 : bits);
  double lower = isSigned ? -upper : 0.0;
  bool hasLanes = machine.isInParallel() && a.count > 1;
  for (int64_t i = 0; i < a.count; ++i) {
    double value = std::trunc(a.getDouble(i));
    if (value >= lower && value < upper) {
      int64_t integer =
          value < 0 ? static_cast<int64_t>(value)
                    : static_cast<int64_t>(static_cast<uint64_t>(value));
      result.integers[i] = signExtend(integer, bits);
    } else if (!result.isPoison(i) && (!hasLanes || machine.isActive(i))) {
      if (!result.origin.op)
        result.origin = {op, /*isInFlight=*/false,
                         "a float out of the integer's range"};
      result.setPoison(i);
    }
  }
  deriveBounds(machine, op, result);
  machine.set(op->getResult(0), std::move(result));
  return success();
}

/// LangRef arith.bitcast.
LogicalResult bitcast(Machine &machine, Operation *op) {
  const Array &a = machine.getArray(op->getOperand(0));
  Array result(getResultType(op), a.count);
  result.poison = a.poison;
  for (int64_t i = 0; i < a.count; ++i)
    result.setBits(i, a.getBits(i));
  deriveBounds(machine, op, result);
  machine.set(op->getResult(0), std::move(result));
  return success();
}

} // namespace

void mlir::tile::reference::addArithFloatRules(RuleTable &table) {
  table.addAll<arith::AddFOp>(addf);
  table.addAll<arith::SubFOp>(subf);
  table.addAll<arith::MulFOp>(mulf);
  table.addAll<arith::DivFOp>(divf);
  table.addAll<arith::RemFOp>(remf);
  table.addAll<arith::MaximumFOp>(maximumf);
  table.addAll<arith::MinimumFOp>(minimumf);
  table.addAll<arith::MaxNumFOp>(maxnumf);
  table.addAll<arith::MinNumFOp>(minnumf);
  table.addAll<arith::NegFOp>(negf);
  table.addAll<arith::ExtFOp, arith::TruncFOp>(convertFloat);
  table.addAll<arith::SIToFPOp, arith::UIToFPOp>(integerToFloat);
  table.addAll<arith::FPToSIOp, arith::FPToUIOp>(floatToInteger);
  table.addAll<arith::BitcastOp>(bitcast);
  table.add(compareFloats);
}
