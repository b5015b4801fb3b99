//===- Cast.cpp - Casts between element types --------------------------===//
//
// Every cast rounds once, to nearest even; those to fp8, fp6 and fp4 saturate and
// keep NaN where there is one (NarrowFloats.h). Copies convert as the casts do, except
// that i1 widens as 0 or 1.
//
//===----------------------------------------------------------------------===//

#include "Cast.h"

#include "BitTricks.h"
#include "ByteWords.h"
#include "NarrowFloats.h"
#include "ScalarLowerings.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Rounding to odd
//===----------------------------------------------------------------------===//

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

/// Between f64, f32, f16 and bf16.
static Value convertWide(ThreadEmitter &emitter, Value value, Type to) {
  OpBuilder &builder = emitter.builder;
  unsigned fromBits = value.getType().getIntOrFloatBitWidth(),
           toBits = to.getIntOrFloatBitWidth();
  if (value.getType() == to)
    return value;
  if (fromBits == toBits) { // f16 and bf16
    value = builder.createOrFold<arith::ExtFOp>(emitter.loc,
                                                builder.getF32Type(), value);
    fromBits = 32;
  }
  if (fromBits < toBits)
    return builder.createOrFold<arith::ExtFOp>(emitter.loc, to, value);
  return builder.createOrFold<arith::TruncFOp>(emitter.loc, to, value);
}

/// A wide float, or a power of two, to one that rounds on to `to` as it would: f16 or
/// f32.
static Value toRoundOn(ThreadEmitter &emitter, Value value) {
  if (value.getType().isF64())
    return narrowToOdd(emitter, value);
  if (value.getType().isBF16())
    return convertWide(emitter, value, emitter.builder.getF32Type());
  return value;
}

/// f32 to f16 or bf16, two at a time where that comes out even: one instruction converts
/// both.
static SmallVector<Value> truncateInPairs(ThreadEmitter &emitter,
                                          ArrayRef<Value> singles, Type to) {
  SmallVector<Value> results;
  if (singles.size() % 2 != 0) {
    for (Value single : singles)
      results.push_back(convertWide(emitter, single, to));
    return results;
  }
  for (; !singles.empty(); singles = singles.drop_front(2)) {
    Value pair = emitter.joinInVector(singles.take_front(2));
    pair = arith::TruncFOp::create(emitter.builder, emitter.loc,
                                   VectorType::get({2}, to), pair);
    emitter.appendElements(pair, results);
  }
  return results;
}

SmallVector<Value> tile::convertFloats(ThreadEmitter &emitter,
                                       ArrayRef<Value> values, Type from,
                                       Type to, bool areApart) {
  if (from == to)
    return SmallVector<Value>(values);
  Type f32 = emitter.builder.getF32Type();
  SmallVector<Value> wide = isBelowHalf(from)
                                ? widenToHalves(emitter, values, from, areApart)
                                : SmallVector<Value>(values);
  auto convertEach = [&](auto convert) {
    for (Value &value : wide)
      value = convert(value);
  };
  if (isa<Float8E8M0FNUType>(from))
    convertEach([&](Value value) { return widenPower(emitter, value); });
  if (isBelowHalf(to)) {
    convertEach([&](Value value) { return toRoundOn(emitter, value); });
    return narrowToBits(emitter, wide, to);
  }
  if (isa<Float8E8M0FNUType>(to)) {
    convertEach([&](Value value) {
      value = toRoundOn(emitter, value);
      return narrowToPower(emitter, convertWide(emitter, value, f32));
    });
    return wide;
  }
  Type present = wide.front().getType();
  bool is16Bits = to.isF16() || to.isBF16();
  if (is16Bits && present != to && !present.isF64()) {
    convertEach([&](Value value) { return convertWide(emitter, value, f32); });
    return truncateInPairs(emitter, wide, to);
  }
  convertEach([&](Value value) { return convertWide(emitter, value, to); });
  return wide;
}

Value tile::convertFloat(ThreadEmitter &emitter, Value value, Type from,
                         Type to) {
  return convertFloats(emitter, value, from, to).front();
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

int64_t tile::getConvertedAtOnce(Type from, Type to) {
  return from != to && (isFloat8(from) || isFloat8(to)) ? bytesPerWord : 1;
}

SmallVector<Value> tile::convertElements(ThreadEmitter &emitter,
                                         ArrayRef<Value> values, Type from,
                                         Type to, bool areApart) {
  if (getConvertedAtOnce(from, to) > 1)
    return convertFloats(emitter, values, from, to, areApart);
  bool arePairs = isa<FloatType>(from) && values.size() % 2 == 0;
  if (!arePairs)
    return llvm::map_to_vector(values, [&](Value value) {
      return convertElement(emitter, value, from, to);
    });
  // The last ones first: ptxas takes fewer registers for the vectors of a store so.
  SmallVector<Value> results(values);
  for (size_t left = values.size(); left > 0; left -= 2)
    llvm::copy(convertFloats(emitter, values.slice(left - 2, 2), from, to),
               &results[left - 2]);
  return results;
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
template <typename OpT>
static LogicalResult lowerFloatCast(ThreadEmitter &emitter, OpT op) {
  Type from = getElementTypeOrSelf(op.getIn().getType());
  Type to = getElementTypeOrSelf(op.getType());
  if (!emitter.convertScalarType(to))
    return emitter.notImplemented(op, "values of type ") << to;
  if (isa<RankedTensorType>(op.getType()))
    emitter.bind(
        op.getOut(),
        convertFloats(emitter, emitter.getValues(op.getIn()), from, to));
  else
    emitter.bind(
        op.getOut(),
        convertFloat(emitter, emitter.getScalar(op.getIn()), from, to));
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
  table.add(lowerFloatCast<arith::ExtFOp>);
  table.add(lowerFloatCast<arith::TruncFOp>);
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
