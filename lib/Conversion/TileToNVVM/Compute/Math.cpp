//===- Math.cpp - Mathematical functions by our own table -----------------===//
//
// One line per function: what computes it in f32 under `afn` (an approximating
// instruction), and otherwise (LLVM's own operation where the backend has one,
// a function of libdevice where not). f16 and bf16 compute in f32 and round
// once; `fma` is one rounding at every type. Upstream's conversion is not used:
// it turns `exp2` with `afn` into a call, and calls serialise wgmma.
//
// libdevice (CUDA math API, "Mathematical functions accuracy") is within 2 ulp
// in f32 for all of these, powf within 4.
//
//===----------------------------------------------------------------------===//

#include "Cast.h"
#include "ScalarLowerings.h"

#include <limits>
#include <numbers>

using namespace mlir;
using namespace mlir::tile;

namespace {
/// How a function of floats is computed. Names of libdevice end in `f` for f32.
struct MathFunction {
  StringRef libdevice;          ///< without the `__nv_` and the `f`
  StringRef approximation = {}; ///< an intrinsic on f32, used under `afn`
  double argumentScale = 1;     ///< what the approximation's argument and
  double resultScale = 1;       ///< result are multiplied by
};
} // namespace

static bool hasApproximationFlag(Operation *op) {
  auto interface = dyn_cast<arith::ArithFastMathInterface>(op);
  return interface &&
         bitEnumContainsAll(interface.getFastMathFlagsAttr().getValue(),
                            arith::FastMathFlags::afn);
}

static Value scale(ThreadEmitter &emitter, Value value, double factor) {
  if (factor == 1)
    return value;
  return emitter.builder.createOrFold<arith::MulFOp>(
      emitter.loc, value, emitter.floatConstant(value.getType(), factor));
}

/// A function of the table at f32 or f64.
static Value emitFunction(ThreadEmitter &emitter, Operation *op,
                          const MathFunction &function, ValueRange operands) {
  Type type = operands.front().getType();
  if (type.isF32() && hasApproximationFlag(op) &&
      !function.approximation.empty()) {
    Value argument = scale(emitter, operands.front(), function.argumentScale);
    StringRef name = function.approximation;
    Value result = emitter.callIntrinsic(name, type, argument);
    // The generic llvm.tanh becomes tanh.approx only under the flag.
    result.getDefiningOp<LLVM::CallIntrinsicOp>().setFastmathFlags(
        LLVM::FastmathFlags::afn);
    return scale(emitter, result, function.resultScale);
  }
  std::string name = ("__nv_" + function.libdevice).str();
  if (type.isF32())
    name += "f";
  // Its code branches (ValueMap.h).
  SmallVector<Value> numbers;
  for (Value operand : operands)
    numbers.push_back(emitter.freeze(operand));
  return emitter.callLibdevice(name, type, numbers);
}

//===----------------------------------------------------------------------===//
// What the backend has itself
//===----------------------------------------------------------------------===//

/// The intrinsic of LLVM that is the operation.
template <typename IntrinsicT>
static Value emitIntrinsic(ThreadEmitter &emitter, Operation *,
                           ValueRange operands) {
  return IntrinsicT::create(emitter.builder, emitter.loc,
                            operands.front().getType(), operands);
}

static Value emitSquareRoot(ThreadEmitter &emitter, Operation *op,
                            ValueRange operands) {
  Type type = operands.front().getType();
  if (type.isF32() && hasApproximationFlag(op))
    return emitter.callIntrinsic("llvm.nvvm.sqrt.approx.ftz.f", type, operands);
  return emitIntrinsic<LLVM::SqrtOp>(emitter, op, operands);
}

static Value emitIsNaN(ThreadEmitter &emitter, Operation *,
                       ValueRange operands) {
  return arith::CmpFOp::create(emitter.builder, emitter.loc,
                               arith::CmpFPredicate::UNO, operands.front(),
                               operands.front());
}

/// `isinf` and `isfinite`: how the magnitude compares with infinity.
template <arith::CmpFPredicate predicate>
static Value emitToInfinity(ThreadEmitter &emitter, Operation *op,
                            ValueRange operands) {
  Value magnitude = emitIntrinsic<LLVM::FAbsOp>(emitter, op, operands);
  Value infinity = emitter.floatConstant(
      magnitude.getType(), std::numeric_limits<double>::infinity());
  return arith::CmpFOp::create(emitter.builder, emitter.loc, predicate,
                               magnitude, infinity);
}

static Value emitAbsolute(ThreadEmitter &emitter, Operation *,
                          ValueRange operands) {
  return LLVM::AbsOp::create(emitter.builder, emitter.loc,
                             operands.front().getType(), operands.front(),
                             /*is_int_min_poison=*/false);
}

static Value emitLeadingZeros(ThreadEmitter &emitter, Operation *,
                              ValueRange operands) {
  return LLVM::CountLeadingZerosOp::create(
      emitter.builder, emitter.loc, operands.front().getType(),
      operands.front(), /*is_zero_poison=*/false);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// A row: the operation computes in f32, or in f64, by `emit`.
template <typename OpT>
static void addWidened(
    LoweringTable &table,
    std::function<Value(ThreadEmitter &, Operation *, ValueRange)> emit) {
  addScalar<OpT>(table, [=](ThreadEmitter &emitter, Operation *op,
                            ValueRange operands) {
    Type type = operands.front().getType();
    Type computed = type.isF64() ? type : Type(emitter.builder.getF32Type());
    SmallVector<Value> widened;
    for (Value operand : operands)
      widened.push_back(convertFloat(emitter, operand, type, computed));
    Value result = emit(emitter, op, widened);
    return isa<FloatType>(result.getType())
               ? convertFloat(emitter, result, computed, type)
               : result;
  });
}

template <typename OpT>
static void addFunction(LoweringTable &table, const MathFunction &function) {
  addWidened<OpT>(
      table, [=](ThreadEmitter &emitter, Operation *op, ValueRange operands) {
        return emitFunction(emitter, op, function, operands);
      });
}

static void registerFunctions(LoweringTable &table) {
  addFunction<math::ExpOp>(
      table, {"exp", "llvm.nvvm.ex2.approx.ftz", std::numbers::log2e});
  addFunction<math::Exp2Op>(table, {"exp2", "llvm.nvvm.ex2.approx.ftz"});
  addFunction<math::ExpM1Op>(table, {"expm1"});
  addFunction<math::LogOp>(
      table, {"log", "llvm.nvvm.lg2.approx.ftz.f", 1, std::numbers::ln2});
  addFunction<math::Log2Op>(table, {"log2", "llvm.nvvm.lg2.approx.ftz.f"});
  addFunction<math::Log1pOp>(table, {"log1p"});
  addFunction<math::SinOp>(table, {"sin", "llvm.nvvm.sin.approx.ftz.f"});
  addFunction<math::CosOp>(table, {"cos", "llvm.nvvm.cos.approx.ftz.f"});
  addFunction<math::TanhOp>(table, {"tanh", "llvm.tanh"});
  addFunction<math::ErfOp>(table, {"erf"});
  addFunction<math::RsqrtOp>(table, {"rsqrt", "llvm.nvvm.rsqrt.approx.ftz.f"});
  addFunction<math::PowFOp>(table, {"pow"});
  addFunction<arith::RemFOp>(table, {"fmod"});
}

void tile::registerMathLowerings(LoweringTable &table) {
  registerFunctions(table);
  addWidened<math::CeilOp>(table, emitIntrinsic<LLVM::FCeilOp>);
  addWidened<math::FloorOp>(table, emitIntrinsic<LLVM::FFloorOp>);
  addWidened<math::TruncOp>(table, emitIntrinsic<LLVM::FTruncOp>);
  addWidened<math::RoundOp>(table, emitIntrinsic<LLVM::RoundOp>);
  addWidened<math::RoundEvenOp>(table, emitIntrinsic<LLVM::RoundEvenOp>);
  addWidened<math::CopySignOp>(table, emitIntrinsic<LLVM::CopySignOp>);
  addWidened<math::SqrtOp>(table, emitSquareRoot);
  addWidened<math::IsNaNOp>(table, emitIsNaN);
  addWidened<math::IsInfOp>(table, emitToInfinity<arith::CmpFPredicate::OEQ>);
  addWidened<math::IsFiniteOp>(table,
                               emitToInfinity<arith::CmpFPredicate::OLT>);

  // At every type.
  addPaired<math::FmaOp>(table, emitIntrinsic<LLVM::FMAOp>);
  addPaired<math::AbsFOp>(table, emitIntrinsic<LLVM::FAbsOp>);
  addScalar<math::AbsIOp>(table, emitAbsolute);
  addScalar<math::CountLeadingZerosOp>(table, emitLeadingZeros);
  addScalar<math::CtPopOp>(table, emitIntrinsic<LLVM::CtPopOp>);
}
