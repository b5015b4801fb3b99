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
#include "ScalarOperations.h"

#include <limits>
#include <numbers>

using namespace mlir;
using namespace mlir::tile;

namespace {
/// How a function of floats is computed. Names of libdevice end in `f` for f32.
struct MathFunction {
  StringRef name;           ///< of the operation
  StringRef libdevice;      ///< without the `__nv_` and the `f`
  StringRef approximation;  ///< an intrinsic on f32, used under `afn`
  double argumentScale = 1; ///< what the approximation's argument and result
  double resultScale = 1;   ///< are multiplied by
};
} // namespace

static const MathFunction functions[] = {
    {"math.exp", "exp", "llvm.nvvm.ex2.approx.ftz", std::numbers::log2e},
    {"math.exp2", "exp2", "llvm.nvvm.ex2.approx.ftz"},
    {"math.expm1", "expm1", ""},
    {"math.log", "log", "llvm.nvvm.lg2.approx.ftz.f", 1, std::numbers::ln2},
    {"math.log2", "log2", "llvm.nvvm.lg2.approx.ftz.f"},
    {"math.log1p", "log1p", ""},
    {"math.sin", "sin", "llvm.nvvm.sin.approx.ftz.f"},
    {"math.cos", "cos", "llvm.nvvm.cos.approx.ftz.f"},
    {"math.tanh", "tanh", "llvm.tanh"},
    {"math.erf", "erf", ""},
    {"math.rsqrt", "rsqrt", "llvm.nvvm.rsqrt.approx.ftz.f"},
    {"math.powf", "pow", ""},
    {"arith.remf", "fmod", ""},
};

static const MathFunction *findFunction(StringRef name) {
  for (const MathFunction &function : functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

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
  return emitter.callLibdevice(name, type, operands);
}

//===----------------------------------------------------------------------===//
// What the backend has itself
//===----------------------------------------------------------------------===//

/// `isnan`, `isinf` and `isfinite` as comparisons.
static Value emitClassification(ThreadEmitter &emitter, Operation *op,
                                Value value) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  if (isa<math::IsNaNOp>(op))
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, value,
                                 value);
  Value magnitude = LLVM::FAbsOp::create(builder, loc, value);
  Value infinity = emitter.floatConstant(
      value.getType(), std::numeric_limits<double>::infinity());
  auto predicate = isa<math::IsInfOp>(op) ? arith::CmpFPredicate::OEQ
                                          : arith::CmpFPredicate::OLT;
  return arith::CmpFOp::create(builder, loc, predicate, magnitude, infinity);
}

/// Operations on f32 and f64 that LLVM turns into instructions; null if `op` is
/// none of them.
static Value emitNative(ThreadEmitter &emitter, Operation *op,
                        ValueRange operands) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Value value = operands.front();
  if (isa<math::CeilOp>(op))
    return LLVM::FCeilOp::create(builder, loc, value);
  if (isa<math::FloorOp>(op))
    return LLVM::FFloorOp::create(builder, loc, value);
  if (isa<math::TruncOp>(op))
    return LLVM::FTruncOp::create(builder, loc, value);
  if (isa<math::RoundOp>(op))
    return LLVM::RoundOp::create(builder, loc, value);
  if (isa<math::RoundEvenOp>(op))
    return LLVM::RoundEvenOp::create(builder, loc, value);
  if (isa<math::CopySignOp>(op))
    return LLVM::CopySignOp::create(builder, loc, value, operands[1]);
  if (isa<math::SqrtOp>(op)) {
    if (value.getType().isF32() && hasApproximationFlag(op))
      return emitter.callIntrinsic("llvm.nvvm.sqrt.approx.ftz.f",
                                   value.getType(), value);
    return LLVM::SqrtOp::create(builder, loc, value);
  }
  if (isa<math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>(op))
    return emitClassification(emitter, op, value);
  return {};
}

static Value emitInteger(ThreadEmitter &emitter, Operation *op, Value value) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Type type = value.getType();
  if (isa<math::AbsIOp>(op))
    return LLVM::AbsOp::create(builder, loc, type, value,
                               /*is_int_min_poison=*/false);
  if (isa<math::CountLeadingZerosOp>(op))
    return LLVM::CountLeadingZerosOp::create(builder, loc, type, value,
                                             /*is_zero_poison=*/false);
  if (isa<math::CtPopOp>(op))
    return LLVM::CtPopOp::create(builder, loc, type, value);
  return {};
}

//===----------------------------------------------------------------------===//
// Any type
//===----------------------------------------------------------------------===//

FailureOr<Value> tile::emitMath(ThreadEmitter &emitter, Operation *op,
                                ValueRange operands) {
  OpBuilder &builder = emitter.builder;
  Type type = operands.front().getType();
  auto unsupported = [&]() -> FailureOr<Value> {
    return emitter.notImplemented(op, "'" + op->getName().getStringRef() + "'");
  };
  if (isa<IntegerType>(type)) {
    Value result = emitInteger(emitter, op, operands.front());
    return result ? FailureOr<Value>(result) : unsupported();
  }
  if (isa<math::FmaOp>(op))
    return LLVM::FMAOp::create(builder, emitter.loc, operands[0], operands[1],
                               operands[2])
        .getResult();
  if (isa<math::AbsFOp>(op))
    return LLVM::FAbsOp::create(builder, emitter.loc, operands.front())
        .getResult();

  Type computed = type.isF64() ? type : Type(builder.getF32Type());
  SmallVector<Value> widened;
  for (Value operand : operands)
    widened.push_back(
        convertFloat(emitter, operand, operand.getType(), computed));
  Value result = emitNative(emitter, op, widened);
  if (!result) {
    const MathFunction *function = findFunction(op->getName().getStringRef());
    if (!function)
      return unsupported();
    result = emitFunction(emitter, op, *function, widened);
  }
  if (isa<FloatType>(result.getType()))
    result = convertFloat(emitter, result, computed, type);
  return result;
}
