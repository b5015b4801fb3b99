//===- Cast.cpp - Casts between element types --------------------------===//
//
// Every cast rounds once, to nearest even; those to fp8, fp6 and fp4 saturate and
// keep NaN where there is one. These travel as their bits (MemoryEmitter.h) and
// are widened and narrowed here: fp8 by the `cvt` of sm_89 and later, else in
// integer arithmetic. Copies convert as the casts do, except that i1 widens as 0
// or 1.
//
//===----------------------------------------------------------------------===//

#include "Cast.h"

#include "ScalarLowerings.h"
#include "tile/Hardware/ScalarInstruction.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Builds the bit tricks of one cast.
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

/// What distinguishes the formats that are narrower than f16.
struct NarrowFormat {
  int bits;
  int mantissaBits;
  int bias;
  int64_t largest; ///< encoding of the largest finite number
  int64_t nan;     ///< what NaN becomes: the largest number where there is none

  bool hasNan() const { return nan != largest; }
  int64_t getSign() const { return int64_t(1) << (bits - 1); }
};
} // namespace

static bool isFp8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

static std::optional<NarrowFormat> getFormat(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return NarrowFormat{8, 3, 7, 0x7e, 0x7f};
  if (isa<Float8E5M2Type>(type))
    return NarrowFormat{8, 2, 15, 0x7b, 0x7e};
  if (isa<Float6E2M3FNType>(type))
    return NarrowFormat{6, 3, 1, 0x1f, 0x1f};
  if (isa<Float6E3M2FNType>(type))
    return NarrowFormat{6, 2, 3, 0x1f, 0x1f};
  if (isa<Float4E2M1FNType>(type))
    return NarrowFormat{4, 1, 1, 0x7, 0x7};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// fp8, fp6 and fp4
//===----------------------------------------------------------------------===//

/// To f16, exactly. e5m2 is the upper half of an f16; others shifted into place
/// are too small by 2^(15 - bias), and only NaN needs a word of its own.
static Value widenNarrow(ThreadEmitter &emitter, Value value, Type from) {
  Bits bits{emitter};
  OpBuilder &builder = emitter.builder;
  Type i16 = builder.getI16Type(), f16 = builder.getF16Type();
  Value word = builder.createOrFold<arith::ExtUIOp>(emitter.loc, i16, value);
  if (isa<Float8E5M2Type>(from))
    return bits.bitcast(bits.shiftLeft(word, 8), f16);
  constexpr int f16Bits = 16, f16Mantissa = 10, f16Bias = 15;
  NarrowFormat format = *getFormat(from);
  Value sign =
      bits.shiftLeft(bits.band(word, format.getSign()), f16Bits - format.bits);
  Value magnitude = bits.band(word, format.getSign() - 1);
  Value shifted = bits.emit<arith::OrIOp>(
      sign, bits.shiftLeft(magnitude, f16Mantissa - format.mantissaBits));
  Value scaled = builder.createOrFold<arith::MulFOp>(
      emitter.loc, bits.bitcast(shifted, f16),
      emitter.floatConstant(f16, 1 << (f16Bias - format.bias)));
  if (!format.hasNan())
    return scaled;
  Value isNan = emitter.compare(arith::CmpIPredicate::eq, magnitude,
                                bits.integer(magnitude, format.nan));
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

/// f32 to the bits of `to` in integers. Normal numbers: add half of the last place kept (and
/// its parity), cut, rebias. Below the smallest normal number adding 2^23 units
/// of the last place leaves the rounded encoding in the low bits of the sum.
static Value narrowInSoftware(ThreadEmitter &emitter, Value value, Type to) {
  NarrowFormat format = *getFormat(to);
  Bits bits{emitter};
  OpBuilder &builder = emitter.builder;
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  constexpr int f32Mantissa = 23, f32Bias = 127;
  int cut = f32Mantissa - format.mantissaBits;

  Value word = bits.bitcast(value, i32);
  Value magnitude = bits.band(word, 0x7fffffff);
  Value sign =
      bits.band(bits.shiftRight(word, 32 - format.bits), format.getSign());

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
  Value isNan = bits.isAbove(magnitude, 0x7f800000);
  encoding = emitter.select(isNan, emitter.i32(format.nan), encoding);
  // The number that NaN becomes is positive, as by the instructions, whatever its sign.
  if (!format.hasNan())
    sign = emitter.select(isNan, emitter.i32(0), sign);
  encoding = bits.emit<arith::OrIOp>(encoding, sign);
  return builder.createOrFold<arith::TruncIOp>(
      emitter.loc, emitter.convertScalarType(to), encoding);
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

//===----------------------------------------------------------------------===//
// Powers of two
//===----------------------------------------------------------------------===//

/// e8m0 to f32: the exponent in its place, with two exceptions. The smallest
/// power is a subnormal number, the largest encoding is NaN: both have the same bit
/// of the mantissa.
static Value widenPower(ThreadEmitter &emitter, Value value) {
  Bits bits{emitter};
  OpBuilder &builder = emitter.builder;
  Value power = builder.createOrFold<arith::ExtUIOp>(
      emitter.loc, builder.getI32Type(), value);
  auto is = [&](int64_t encoding) {
    return emitter.compare(arith::CmpIPredicate::eq, power,
                           emitter.i32(encoding));
  };
  Value word = bits.shiftLeft(power, 23);
  Value isEither = bits.emit<arith::OrIOp>(is(0), is(0xff));
  Value withBit = bits.emit<arith::OrIOp>(word, emitter.i32(0x00400000));
  return bits.bitcast(emitter.select(isEither, withBit, word),
                      builder.getF32Type());
}

/// The magnitude of an f32 to the nearest power of two, the larger one halfway,
/// none beyond the smallest and the largest.
static Value narrowToPower(ThreadEmitter &emitter, Value value) {
  Bits bits{emitter};
  OpBuilder &builder = emitter.builder;
  Value word = bits.bitcast(value, builder.getI32Type());
  Value magnitude = bits.band(word, 0x7fffffff);
  Value power = bits.shiftRight(emitter.addConstant(magnitude, 0x400000), 23);
  // Subnormal numbers: from 1.5 times the smallest power on the next one.
  Value small = emitter.select(bits.isAbove(magnitude, 0x5fffff),
                               emitter.i32(1), emitter.i32(0));
  power = emitter.select(bits.isAbove(magnitude, 0x7fffff), power, small);
  power = emitter.select(bits.isAbove(power, 0xfe), emitter.i32(0xfe), power);
  power = emitter.select(bits.isAbove(magnitude, 0x7f800000), emitter.i32(0xff),
                         power);
  return builder.createOrFold<arith::TruncIOp>(emitter.loc, builder.getI8Type(),
                                               power);
}

//===----------------------------------------------------------------------===//
// Between any two types
//===----------------------------------------------------------------------===//

static Value narrowToBits(ThreadEmitter &emitter, Value value, Type from,
                          Type to) {
  OpBuilder &builder = emitter.builder;
  if (from.isF64())
    value = narrowToOdd(emitter, value);
  else if (!from.isF32())
    value = builder.createOrFold<arith::ExtFOp>(emitter.loc,
                                                builder.getF32Type(), value);
  if (isa<Float8E8M0FNUType>(to))
    return narrowToPower(emitter, value);
  return isFp8(to) && tilec::float8Casts.isAvailable(emitter.target,
                                                     /*ptxVersion=*/0)
             ? narrowByInstruction(emitter, value, to)
             : narrowInSoftware(emitter, value, to);
}

Value tile::convertFloat(ThreadEmitter &emitter, Value value, Type from,
                         Type to) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  if (from == to)
    return value;
  if (getFormat(from)) {
    value = widenNarrow(emitter, value, from);
    from = builder.getF16Type();
    if (from == to)
      return value;
  }
  if (isa<Float8E8M0FNUType>(from)) {
    value = widenPower(emitter, value);
    from = builder.getF32Type();
    if (from == to)
      return value;
  }
  if (getFormat(to) || isa<Float8E8M0FNUType>(to))
    return narrowToBits(emitter, value, from, to);
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

/// f32 as two of `type`, f16 or bf16, at a time.
static SmallVector<Value> truncatePairs(ThreadEmitter &emitter,
                                        ArrayRef<Value> values, Type type) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  SmallVector<Value> narrow;
  for (size_t first = 0; first < values.size(); first += 2) {
    Value pair = emitter.poison(VectorType::get({2}, builder.getF32Type()));
    for (int i : {0, 1})
      pair = LLVM::InsertElementOp::create(builder, loc, pair,
                                           values[first + i], emitter.i32(i));
    pair =
        arith::TruncFOp::create(builder, loc, VectorType::get({2}, type), pair);
    for (int i : {0, 1})
      narrow.push_back(
          LLVM::ExtractElementOp::create(builder, loc, pair, emitter.i32(i)));
  }
  return narrow;
}

SmallVector<Value> tile::convertElements(ThreadEmitter &emitter,
                                         ArrayRef<Value> values, Type from,
                                         Type to) {
  if (values.size() % 2 == 0 && from.isF32() && (to.isF16() || to.isBF16()))
    return truncatePairs(emitter, values, to);
  return llvm::map_to_vector(values, [&](Value value) {
    return convertElement(emitter, value, from, to);
  });
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

static Type getRegisterType(ThreadEmitter &emitter, Operation *op) {
  return emitter.convertScalarType(
      getElementTypeOrSelf(op->getResult(0).getType()));
}

/// Between float types.
static Value emitFloatCast(ThreadEmitter &emitter, Operation *op,
                           ValueRange operands) {
  return convertFloat(emitter, operands[0],
                      getElementTypeOrSelf(op->getOperand(0).getType()),
                      getElementTypeOrSelf(op->getResult(0).getType()));
}

static LogicalResult lowerTruncation(ThreadEmitter &emitter,
                                     arith::TruncFOp op) {
  if (!isa<RankedTensorType>(op.getType()))
    return lowerElementwise(emitter, op, emitFloatCast);
  emitter.bind(op.getOut(),
               convertElements(emitter, emitter.getValues(op.getIn()),
                               getElementTypeOrSelf(op.getIn().getType()),
                               getElementTypeOrSelf(op.getType())));
  return success();
}

/// Between integer types: `ExtensionT` where the result is wider.
template <typename ExtensionT>
static Value emitIntegerCast(ThreadEmitter &emitter, Operation *op,
                             ValueRange operands) {
  Type type = getRegisterType(emitter, op);
  unsigned from = operands[0].getType().getIntOrFloatBitWidth(),
           to = type.getIntOrFloatBitWidth();
  if (from == to)
    return operands[0];
  if (from > to)
    return emitter.builder.createOrFold<arith::TruncIOp>(emitter.loc, type,
                                                         operands[0]);
  return emitter.builder.createOrFold<ExtensionT>(emitter.loc, type,
                                                  operands[0]);
}

template <bool isSigned>
static Value emitFromInteger(ThreadEmitter &emitter, Operation *op,
                             ValueRange operands) {
  return emitIntToFloat(emitter, operands[0], getRegisterType(emitter, op),
                        isSigned);
}

template <typename OpT, bool isSigned>
static LogicalResult lowerFromInteger(ThreadEmitter &emitter, OpT op) {
  if (succeeded(convertNarrowIntegers(emitter, op, isSigned)))
    return success();
  return lowerElementwise(emitter, op, emitFromInteger<isSigned>);
}

/// Out of range is an unspecified value of this element and nothing else.
template <typename OpT>
static Value emitToInteger(ThreadEmitter &emitter, Operation *op,
                           ValueRange operands) {
  Value result = emitter.builder.createOrFold<OpT>(
      emitter.loc, getRegisterType(emitter, op), operands[0]);
  return LLVM::FreezeOp::create(emitter.builder, emitter.loc, result);
}

static Value emitBitcast(ThreadEmitter &emitter, Operation *op,
                         ValueRange operands) {
  return emitter.builder.createOrFold<arith::BitcastOp>(
      emitter.loc, getRegisterType(emitter, op), operands[0]);
}

void tile::registerCastLowerings(LoweringTable &table) {
  addScalar<arith::ExtFOp>(table, emitFloatCast);
  table.add(lowerTruncation);
  addScalar<arith::ExtSIOp, arith::IndexCastOp, arith::TruncIOp>(
      table, emitIntegerCast<arith::ExtSIOp>);
  addScalar<arith::ExtUIOp, arith::IndexCastUIOp>(
      table, emitIntegerCast<arith::ExtUIOp>);
  table.add(lowerFromInteger<arith::SIToFPOp, /*isSigned=*/true>);
  table.add(lowerFromInteger<arith::UIToFPOp, /*isSigned=*/false>);
  addScalar<arith::FPToSIOp>(table, emitToInteger<arith::FPToSIOp>);
  addScalar<arith::FPToUIOp>(table, emitToInteger<arith::FPToUIOp>);
  addScalar<arith::BitcastOp>(table, emitBitcast);
}
