//===- MathRules.cpp - The math dialect ----------------------------------===//
//
// f32 and narrower are computed in f64 and rounded to f32, then to the type, as
// "computes in f32 and rounds once" says; f64 is the C library's. `math.fma` is
// one rounding of the exact value at every type. Fast-math flags permit other
// results; the reference never uses them.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include <bit>
#include <cmath>

using namespace mlir;
using namespace mlir::tile::reference;

namespace {

/// LangRef math.absf, math.ceil, math.cos, math.erf, math.exp, math.exp2,
/// math.expm1, math.floor, math.log, math.log1p, math.log2, math.round,
/// math.roundeven, math.rsqrt, math.sin, math.sqrt, math.tanh, math.trunc; f16
/// and bf16: Language.md, "Element types".
template <double (*function)(double)>
LogicalResult unary(Machine &machine, Operation *op) {
  const Array &a = machine.getArray(op->getOperand(0));
  Array result(a.type, a.count);
  result.poison = a.poison;
  if (a.type.storage() == Storage::Double)
    mapUnary(result.doubles, a.doubles, function);
  else
    mapUnary(result.floats, a.floats, [&](float x) {
      return roundTo(static_cast<float>(function(x)), a.type.format);
    });
  deriveBounds(machine, op, result);
  machine.set(op->getResult(0), std::move(result));
  return success();
}

double inverseSquareRoot(double x) { return 1.0 / std::sqrt(x); }
/// rint under the default rounding mode: halfway cases to even.
double roundEven(double x) { return std::rint(x); }

template <typename Function>
LogicalResult binary(Machine &machine, Operation *op, Function function) {
  const Array &a = machine.getArray(op->getOperand(0));
  const Array &b = machine.getArray(op->getOperand(1));
  Array result(a.type, getCommonCount({&a, &b}));
  if (a.type.storage() == Storage::Double)
    mapBinary(result.doubles, a.doubles, b.doubles, function);
  else
    mapBinary(result.floats, a.floats, b.floats, [&](float x, float y) {
      return roundTo(static_cast<float>(function(x, y)), a.type.format);
    });
  addPoison(result, a);
  addPoison(result, b);
  deriveBounds(machine, op, result);
  machine.set(op->getResult(0), std::move(result));
  return success();
}

/// LangRef math.copysign.
LogicalResult copySign(Machine &machine, Operation *op) {
  return binary(machine, op,
                [](double x, double y) { return std::copysign(x, y); });
}

/// LangRef math.powf.
LogicalResult power(Machine &machine, Operation *op) {
  return binary(machine, op, [](double x, double y) { return std::pow(x, y); });
}

/// LangRef math.fma; one rounding at every type (Language.md, "Element types").
LogicalResult fma(Machine &machine, math::FmaOp op) {
  const Array &a = machine.getArray(op.getA());
  const Array &b = machine.getArray(op.getB());
  const Array &c = machine.getArray(op.getC());
  Array result(a.type, getCommonCount({&a, &b, &c}));
  bool isDouble = a.type.storage() == Storage::Double;
  for (int64_t i = 0; i < result.count; ++i) {
    int64_t ia = a.count == 1 ? 0 : i, ib = b.count == 1 ? 0 : i,
            ic = c.count == 1 ? 0 : i;
    if (isDouble)
      result.doubles[i] = std::fma(a.doubles[ia], b.doubles[ib], c.doubles[ic]);
    else
      result.floats[i] = fusedMultiplyAdd(a.floats[ia], b.floats[ib],
                                          c.floats[ic], a.type.format);
  }
  for (const Array *operand : {&a, &b, &c})
    addPoison(result, *operand);
  deriveBounds(machine, op, result);
  machine.set(op.getResult(), std::move(result));
  return success();
}

/// LangRef math.absi.
LogicalResult absoluteInteger(Machine &machine, math::AbsIOp op) {
  Array result = machine.getArray(op.getOperand());
  for (int64_t &value : result.integers)
    if (value < 0)
      value = signExtend(static_cast<int64_t>(0 - static_cast<uint64_t>(value)),
                         result.type.bits);
  deriveBounds(machine, op, result);
  machine.set(op.getResult(), std::move(result));
  return success();
}

/// LangRef math.ctlz, math.ctpop.
LogicalResult countBits(Machine &machine, Operation *op) {
  Array result = machine.getArray(op->getOperand(0));
  unsigned bits = result.type.bits;
  for (int64_t &value : result.integers) {
    uint64_t unsignedValue = zeroExtend(value, bits);
    int count = std::popcount(unsignedValue);
    if (isa<math::CountLeadingZerosOp>(op))
      count = std::countl_zero(unsignedValue) - (64 - static_cast<int>(bits));
    value = signExtend(count, bits);
  }
  deriveBounds(machine, op, result);
  machine.set(op->getResult(0), std::move(result));
  return success();
}

/// LangRef math.isnan, math.isinf, math.isfinite.
LogicalResult classify(Machine &machine, Operation *op) {
  const Array &a = machine.getArray(op->getOperand(0));
  Array result(ElementType::integer(1), a.count);
  result.poison = a.poison;
  for (int64_t i = 0; i < a.count; ++i) {
    double value = a.getDouble(i);
    bool holds = isa<math::IsNaNOp>(op)   ? std::isnan(value)
                 : isa<math::IsInfOp>(op) ? std::isinf(value)
                                          : std::isfinite(value);
    result.integers[i] = -int64_t(holds);
  }
  deriveBounds(machine, op, result);
  machine.set(op->getResult(0), std::move(result));
  return success();
}

} // namespace

void mlir::tile::reference::addMathRules(RuleTable &table) {
  table.addAll<math::AbsFOp>(unary<std::fabs>);
  table.addAll<math::CeilOp>(unary<std::ceil>);
  table.addAll<math::CosOp>(unary<std::cos>);
  table.addAll<math::ErfOp>(unary<std::erf>);
  table.addAll<math::ExpOp>(unary<std::exp>);
  table.addAll<math::Exp2Op>(unary<std::exp2>);
  table.addAll<math::ExpM1Op>(unary<std::expm1>);
  table.addAll<math::FloorOp>(unary<std::floor>);
  table.addAll<math::LogOp>(unary<std::log>);
  table.addAll<math::Log1pOp>(unary<std::log1p>);
  table.addAll<math::Log2Op>(unary<std::log2>);
  table.addAll<math::RoundOp>(unary<std::round>);
  table.addAll<math::RoundEvenOp>(unary<roundEven>);
  table.addAll<math::RsqrtOp>(unary<inverseSquareRoot>);
  table.addAll<math::SinOp>(unary<std::sin>);
  table.addAll<math::SqrtOp>(unary<std::sqrt>);
  table.addAll<math::TanhOp>(unary<std::tanh>);
  table.addAll<math::TruncOp>(unary<std::trunc>);
  table.addAll<math::CopySignOp>(copySign);
  table.addAll<math::PowFOp>(power);
  table.addAll<math::CtPopOp, math::CountLeadingZerosOp>(countBits);
  table.addAll<math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>(classify);
  table.add(fma);
  table.add(absoluteInteger);
}
