//===- Cast.cpp - Conversions between element types --------------------===//
//
// Every conversion rounds once, to nearest even; those to fp8 saturate and keep
// NaN. fp8 travels as its bits in i8 and is widened and narrowed here: by the
// `cvt` of sm_89 and later, in integer arithmetic before. Copies convert as the
// casts do, except that i1 widens as 0 or 1.
//
//===----------------------------------------------------------------------===//

#include "Cast.h"

#include "ScalarOperations.h"
#include "tile/Hardware/ScalarInstruction.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Builds the bit tricks of one conversion.
struct Bits {
  ThreadEmitter &emitter;
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;

  template <typename OpT>
  Value emit(Value lhs, Value rhs) {
    return builder.createOrFold<OpT>(loc, lhs, rhs);
  }
  Value bitcast(Value value, Type type) {
    return builder.createOrFold<arith::BitcastOp>(loc, type, value);
  }
  Value integer(Value like, int64_t value) {
    return emitter.constant(like.getType(), value);
  }
  Value band(Value lhs, int64_t rhs) {
    return emit<arith::AndIOp>(lhs, integer(lhs, rhs));
  }
  Value shiftLeft(Value lhs, int64_t rhs) {
    return emit<arith::ShLIOp>(lhs, integer(lhs, rhs));
  }
  Value shiftRight(Value lhs, int64_t rhs) {
    return emit<arith::ShRUIOp>(lhs, integer(lhs, rhs));
  }
  Value isAbove(Value lhs, int64_t rhs) {
    return emitter.compare(arith::CmpIPredicate::ugt, lhs, integer(lhs, rhs));
  }
};

/// What distinguishes the two fp8 formats, and f32's bits at their edges.
struct Fp8Format {
  int mantissaBits;
  int bias;
  int64_t largest; ///< encoding of the largest finite number
  int64_t nan;
};
} // namespace

static bool isFp8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

static Fp8Format getFormat(Type type) {
  return isa<Float8E4M3FNType>(type) ? Fp8Format{3, 7, 0x7e, 0x7f}
                                     : Fp8Format{2, 15, 0x7b, 0x7e};
}

//===----------------------------------------------------------------------===//
// fp8
//===----------------------------------------------------------------------===//

/// fp8 to f16, exactly. e5m2 is the upper half of an f16; e4m3 shifted into
/// place is too small by 2^(15 - 7), and only its NaN needs a word of its own.
static Value widenFp8(ThreadEmitter &emitter, Value value, Type from) {
  Bits bits{emitter};
  OpBuilder &builder = emitter.builder;
  Type i16 = builder.getI16Type(), f16 = builder.getF16Type();
  Value word = builder.createOrFold<arith::ExtUIOp>(emitter.loc, i16, value);
  if (isa<Float8E5M2Type>(from))
    return bits.bitcast(bits.shiftLeft(word, 8), f16);
  Value sign = bits.shiftLeft(bits.band(word, 0x80), 8);
  Value magnitude = bits.band(word, 0x7f);
  Value shifted = bits.emit<arith::OrIOp>(sign, bits.shiftLeft(magnitude, 7));
  Value scaled = builder.createOrFold<arith::MulFOp>(
      emitter.loc, bits.bitcast(shifted, f16),
      emitter.floatConstant(f16, 256.0));
  Value isNan = emitter.compare(arith::CmpIPredicate::eq, magnitude,
                                bits.integer(magnitude, 0x7f));
  Value nan = bits.bitcast(bits.integer(word, 0x7e00), f16);
  return emitter.select(isNan, nan, scaled);
}

/// f32 to fp8 by `cvt.rn.satfinite`, which converts two at a time.
static Value narrowByInstruction(ThreadEmitter &emitter, Value value, Type to) {
  OpBuilder &builder = emitter.builder;
  StringRef name = isa<Float8E4M3FNType>(to) ? "llvm.nvvm.ff.to.e4m3x2.rn"
                                             : "llvm.nvvm.ff.to.e5m2x2.rn";
  Value pair = emitter.callIntrinsic(
      name, builder.getI16Type(),
      {emitter.floatConstant(builder.getF32Type(), 0.0), value});
  return builder.createOrFold<arith::TruncIOp>(emitter.loc, builder.getI8Type(),
                                               pair);
}

/// f32 to fp8 in integers. Normal numbers: add half of the last place kept (and
/// its parity), cut, rebias. Below the smallest normal number adding 2^23 units
/// of the last place leaves the rounded encoding in the low bits of the sum.
static Value narrowInSoftware(ThreadEmitter &emitter, Value value, Type to) {
  Fp8Format format = getFormat(to);
  Bits bits{emitter};
  OpBuilder &builder = emitter.builder;
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  constexpr int f32Mantissa = 23, f32Bias = 127;
  int cut = f32Mantissa - format.mantissaBits;

  Value word = bits.bitcast(value, i32);
  Value magnitude = bits.band(word, 0x7fffffff);
  Value sign = bits.band(bits.shiftRight(word, 24), 0x80);

  Value parity = bits.band(bits.shiftRight(magnitude, cut), 1);
  Value rounded = emitter.add(
      emitter.addConstant(magnitude, (int64_t(1) << (cut - 1)) - 1), parity);
  Value normal = emitter.addConstant(
      bits.shiftRight(rounded, cut),
      -(int64_t(f32Bias - format.bias) << format.mantissaBits));

  int smallestExponent = 1 - format.bias;
  int64_t magic =
      int64_t(f32Bias + smallestExponent - format.mantissaBits + f32Mantissa)
      << f32Mantissa;
  Value sum = builder.createOrFold<arith::AddFOp>(
      emitter.loc, bits.bitcast(magnitude, f32),
      bits.bitcast(bits.integer(magnitude, magic), f32));
  Value subnormal = emitter.addConstant(bits.bitcast(sum, i32), -magic);

  int64_t firstNormal = int64_t(f32Bias + smallestExponent) << f32Mantissa;
  Value encoding = emitter.select(bits.isAbove(magnitude, firstNormal - 1),
                                  normal, subnormal);
  int64_t largest =
      (format.largest + (int64_t(f32Bias - format.bias) << format.mantissaBits))
      << cut;
  encoding = emitter.select(bits.isAbove(magnitude, largest),
                            emitter.i32(format.largest), encoding);
  encoding = emitter.select(bits.isAbove(magnitude, 0x7f800000),
                            emitter.i32(format.nan), encoding);
  encoding = bits.emit<arith::OrIOp>(encoding, sign);
  return builder.createOrFold<arith::TruncIOp>(emitter.loc, builder.getI8Type(),
                                               encoding);
}

/// f64 to the f32 that rounds on as the f64 would: the last bit is set where
/// the conversion was inexact (rounding to odd).
static Value narrowToOdd(ThreadEmitter &emitter, Value value) {
  Bits bits{emitter};
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type(),
       f64 = builder.getF64Type();
  Value nearest = builder.createOrFold<arith::TruncFOp>(loc, f32, value);
  Value back = builder.createOrFold<arith::ExtFOp>(loc, f64, nearest);
  auto absolute = [&](Value number) {
    return LLVM::FAbsOp::create(builder, loc, number).getResult();
  };
  Value isInexact = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::ONE, back, value);
  Value isTooLarge = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OGT, absolute(back), absolute(value));
  Value word = bits.bitcast(nearest, i32);
  word = emitter.select(isTooLarge, emitter.addConstant(word, -1), word);
  Value odd = bits.emit<arith::OrIOp>(word, emitter.i32(1));
  return bits.bitcast(emitter.select(isInexact, odd, word), f32);
}

static Value narrowToFp8(ThreadEmitter &emitter, Value value, Type from,
                         Type to) {
  OpBuilder &builder = emitter.builder;
  if (from.isF64())
    value = narrowToOdd(emitter, value);
  else if (!from.isF32())
    value = builder.createOrFold<arith::ExtFOp>(emitter.loc,
                                                builder.getF32Type(), value);
  return tilec::float8Conversion.isAvailable(emitter.target, /*ptxVersion=*/0)
             ? narrowByInstruction(emitter, value, to)
             : narrowInSoftware(emitter, value, to);
}

//===----------------------------------------------------------------------===//
// Between any two types
//===----------------------------------------------------------------------===//

Value tile::convertFloat(ThreadEmitter &emitter, Value value, Type from,
                         Type to) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  if (from == to)
    return value;
  if (isFp8(from)) {
    value = widenFp8(emitter, value, from);
    from = builder.getF16Type();
    if (from == to)
      return value;
  }
  if (isFp8(to))
    return narrowToFp8(emitter, value, from, to);
  unsigned fromBits = from.getIntOrFloatBitWidth(),
           toBits = to.getIntOrFloatBitWidth();
  if (fromBits == toBits) { // f16 and bf16
    value =
        builder.createOrFold<arith::ExtFOp>(loc, builder.getF32Type(), value);
    fromBits = 32;
  }
  if (fromBits < toBits)
    return builder.createOrFold<arith::ExtFOp>(loc, to, value);
  return builder.createOrFold<arith::TruncFOp>(loc, to, value);
}

Value tile::convertElement(ThreadEmitter &emitter, Value value, Type from,
                           Type to) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  if (from == to)
    return value;
  if (isa<FloatType>(from))
    return convertFloat(emitter, value, from, to);
  Type type = emitter.convertScalarType(to);
  unsigned fromBits = value.getType().getIntOrFloatBitWidth(),
           toBits = type.getIntOrFloatBitWidth();
  if (fromBits == toBits)
    return value;
  if (fromBits > toBits)
    return builder.createOrFold<arith::TruncIOp>(loc, type, value);
  if (from.isInteger(1))
    return builder.createOrFold<arith::ExtUIOp>(loc, type, value);
  return builder.createOrFold<arith::ExtSIOp>(loc, type, value);
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// `value` of 64 bits with what f64 cannot hold folded into its last bit, so
/// that a conversion to f64 is exact and rounds on as `value` would.
static Value foldBelowDouble(ThreadEmitter &emitter, Value value,
                             bool isSigned) {
  constexpr int64_t exactBits = 53, belowMask = (1 << (64 - exactBits)) - 1;
  Bits bits{emitter};
  OpBuilder &builder = emitter.builder;
  auto i64 = [&](int64_t number) { return emitter.i64(number); };
  Value below = bits.emit<arith::AndIOp>(value, i64(belowMask));
  Value sticky = bits.emit<arith::AddIOp>(below, i64(belowMask));
  Value folded = bits.emit<arith::AndIOp>(
      bits.emit<arith::OrIOp>(value, sticky), i64(~belowMask));
  // Beyond f64's integers: the bits from 53 on are not all equal, or not zero.
  Value high =
      isSigned ? bits.emit<arith::AddIOp>(
                     bits.emit<arith::ShRSIOp>(value, i64(exactBits)), i64(1))
               : bits.emit<arith::ShRUIOp>(value, i64(exactBits));
  Value isLarge = builder.createOrFold<arith::CmpIOp>(
      emitter.loc, arith::CmpIPredicate::ugt, high, i64(isSigned ? 1 : 0));
  return emitter.select(isLarge, folded, value);
}

/// Integer to float. bf16 has no conversion of its own before sm_90, and LLVM
/// rounds twice on the way: through f64, then to odd, so that rounding to bf16
/// is the only one.
static Value emitIntToFloat(ThreadEmitter &emitter, Value value, Type to,
                            bool isSigned) {
  OpBuilder &builder = emitter.builder;
  unsigned width = value.getType().getIntOrFloatBitWidth();
  Type through = to;
  if (to.isBF16())
    through = width <= 16 ? Type(builder.getF32Type()) : builder.getF64Type();
  if (through.isF64() && to.isBF16() && width == 64)
    value = foldBelowDouble(emitter, value, isSigned);
  Value result =
      isSigned
          ? builder.createOrFold<arith::SIToFPOp>(emitter.loc, through, value)
          : builder.createOrFold<arith::UIToFPOp>(emitter.loc, through, value);
  if (through.isF64() && to.isBF16()) {
    result = narrowToOdd(emitter, result);
    through = builder.getF32Type();
  }
  return convertFloat(emitter, result, through, to);
}

FailureOr<Value> tile::emitCast(ThreadEmitter &emitter, Operation *op,
                                Value operand) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  Type type = emitter.convertScalarType(to);
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return convertFloat(emitter, operand, from, to);
  if (isa<arith::ExtSIOp, arith::IndexCastOp, arith::ExtUIOp,
          arith::IndexCastUIOp, arith::TruncIOp>(op)) {
    unsigned fromBits = operand.getType().getIntOrFloatBitWidth(),
             toBits = type.getIntOrFloatBitWidth();
    if (fromBits == toBits)
      return operand;
    if (fromBits > toBits)
      return builder.createOrFold<arith::TruncIOp>(loc, type, operand);
    if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
      return builder.createOrFold<arith::ExtUIOp>(loc, type, operand);
    return builder.createOrFold<arith::ExtSIOp>(loc, type, operand);
  }
  if (isFp8(from) || isFp8(to)) {
    if (isa<arith::BitcastOp>(op))
      return isa<FloatType>(type)
                 ? Value(arith::BitcastOp::create(builder, loc, type, operand))
                 : operand;
    return emitter.notImplemented(op, "'" + op->getName().getStringRef() +
                                          "' between integers and fp8");
  }
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return emitIntToFloat(emitter, operand, to, isa<arith::SIToFPOp>(op));
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    // Out of range is an unspecified value of this element and nothing else.
    Value result =
        isa<arith::FPToSIOp>(op)
            ? builder.createOrFold<arith::FPToSIOp>(loc, type, operand)
            : builder.createOrFold<arith::FPToUIOp>(loc, type, operand);
    return LLVM::FreezeOp::create(builder, loc, result).getResult();
  }
  if (isa<arith::BitcastOp>(op))
    return builder.createOrFold<arith::BitcastOp>(loc, type, operand);
  return emitter.notImplemented(op, "'" + op->getName().getStringRef() + "'");
}
