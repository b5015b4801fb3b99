//===- NarrowFloats.cpp - fp8, fp6 and fp4 to wider floats and back -------===//
//
// They travel as their bits (MemoryEmitter.h). fp8 go several at a time: e5m2 is the
// upper byte of an f16, and `prmt` puts two in their places; chips from sm_89 on have
// instructions for two e4m3, and for two of either back. Elsewhere e4m3 are widened
// four in a word. With s the sign, e the exponent, m the mantissa and n the mark of a NaN,
// each lacks one shift to the right, which takes its last bit out of its byte:
//
//     byte             s eeee mmm
//     f16              s neeee mm  m0000000       times 2^8
//     word, rotated    .. | m' neeee mm | ..      m' of the byte above
//
// A NaN is the magnitude to which 1 adds the eighth bit: as the first of the exponent, it
// makes that of a NaN.
//
//===----------------------------------------------------------------------===//

#include "NarrowFloats.h"

#include "BitTricks.h"
#include "ByteWords.h"
#include "tile/Hardware/ScalarInstruction.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
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

bool tile::isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

bool tile::isBelowHalf(Type type) { return getFormat(type).has_value(); }

/// Whether the chip converts two floats of `type` at once.
static bool hasInstruction(ThreadEmitter &emitter, Type type) {
  return isFloat8(type) &&
         tilec::float8Casts.isAvailable(emitter.target, /*ptxVersion=*/0);
}

/// The intrinsic from a pair of `from` to one of `to`.
static std::string getIntrinsicName(StringRef from, StringRef to) {
  return ("llvm.nvvm." + from + ".to." + to + ".rn").str();
}

static StringRef getPairName(Type type) {
  return isa<Float8E4M3FNType>(type) ? "e4m3x2" : "e5m2x2";
}

//===----------------------------------------------------------------------===//
// To f16
//===----------------------------------------------------------------------===//

/// fp6 and fp4. Shifted into place they are too small by 2^(15 - bias).
static Value widenAlone(ThreadEmitter &emitter, Value value, Type from) {
  constexpr int f16Bits = 16, f16Mantissa = 10, f16Bias = 15;
  Bits bits{emitter};
  OpBuilder &builder = emitter.builder;
  Type i16 = builder.getI16Type(), f16 = builder.getF16Type();
  Value word = builder.createOrFold<arith::ExtUIOp>(emitter.loc, i16, value);
  NarrowFormat format = *getFormat(from);
  Value sign =
      bits.shiftLeft(bits.band(word, format.getSign()), f16Bits - format.bits);
  Value magnitude = bits.band(word, format.getSign() - 1);
  Value shifted = bits.emit<arith::OrIOp>(
      sign, bits.shiftLeft(magnitude, f16Mantissa - format.mantissaBits));
  return builder.createOrFold<arith::MulFOp>(
      emitter.loc, bits.bitcast(shifted, f16),
      emitter.floatConstant(f16, 1 << (f16Bias - format.bias)));
}

/// Two pairs of f16 from two words of bytes: `prmt` selects those of each.
static std::array<Value, 2> permuteToHalves(ThreadEmitter &emitter, Value low,
                                            Value high,
                                            std::array<int64_t, 2> selectors) {
  auto type = VectorType::get({2}, emitter.builder.getF16Type());
  auto toPair = [&](int64_t selector) -> Value {
    return LLVM::BitcastOp::create(emitter.builder, emitter.loc, type,
                                   permuteBytes(emitter, low, high, selector));
  };
  return {toPair(selectors[0]), toPair(selectors[1])};
}

/// Four e4m3 in logic, as the head of the file draws it.
static std::array<Value, 2> widenByLogic(ThreadEmitter &emitter, Value word) {
  constexpr int64_t eachByte = 0x01010101;
  constexpr auto signBits = static_cast<int32_t>(0x80808080);
  // Byte 3 of the rotated word has the last bit of byte 0.
  constexpr std::array<int64_t, 2> selectors = {0x5043, 0x7261};
  constexpr double tooSmall = 256.0;
  Bits bits{emitter};
  OpBuilder &builder = emitter.builder;
  Value magnitudes = bits.band(word, ~signBits);
  Value marks = bits.band(emitter.addConstant(magnitudes, eachByte), signBits);
  Value marked = bits.emit<arith::OrIOp>(magnitudes, marks);
  Value rotated = emitter.callIntrinsic("llvm.fshr", word.getType(),
                                        {marked, marked, emitter.i32(1)});
  Value upper = bits.emit<arith::OrIOp>(bits.band(word, signBits),
                                        bits.band(rotated, ~signBits));
  auto halves =
      permuteToHalves(emitter, bits.band(rotated, signBits), upper, selectors);
  auto type = cast<VectorType>(halves[0].getType());
  Value factor = emitter.constant(DenseElementsAttr::get(
      type, builder.getFloatAttr(type.getElementType(), tooSmall)));
  for (Value &pair : halves)
    pair = builder.createOrFold<arith::MulFOp>(emitter.loc, pair, factor);
  return halves;
}

/// Four e4m3 by the instruction for two.
static std::array<Value, 2> widenByInstruction(ThreadEmitter &emitter,
                                               Value word, Type from) {
  OpBuilder &builder = emitter.builder;
  Value pairs = LLVM::BitcastOp::create(
      builder, emitter.loc, VectorType::get({2}, builder.getI16Type()), word);
  auto widen = [&](int64_t i) {
    Value pair = LLVM::ExtractElementOp::create(builder, emitter.loc, pairs,
                                                emitter.i32(i));
    return emitter.callIntrinsic(getIntrinsicName(getPairName(from), "f16x2"),
                                 VectorType::get({2}, builder.getF16Type()),
                                 pair);
  };
  return {widen(0), widen(1)};
}

/// Four fp8 as two pairs of f16.
static std::array<Value, 2> widenWord(ThreadEmitter &emitter, Value word,
                                      Type from) {
  constexpr std::array<int64_t, 2> asUpperBytes = {0x1404, 0x3424};
  if (isa<Float8E5M2Type>(from))
    return permuteToHalves(emitter, word, emitter.i32(0), asUpperBytes);
  if (hasInstruction(emitter, from))
    return widenByInstruction(emitter, word, from);
  return widenByLogic(emitter, word);
}

/// Two e5m2, each loaded into a register of its own: it is some number.
static Value widenApart(ThreadEmitter &emitter, Value low, Value high) {
  constexpr int64_t asUpperBytes = 0x4101;
  OpBuilder &builder = emitter.builder;
  auto toWord = [&](Value byte) {
    return builder.createOrFold<arith::ExtUIOp>(emitter.loc,
                                                builder.getI32Type(), byte);
  };
  return LLVM::BitcastOp::create(
      builder, emitter.loc, VectorType::get({2}, builder.getF16Type()),
      permuteBytes(emitter, toWord(low), toWord(high), asUpperBytes));
}

SmallVector<Value> tile::widenToHalves(ThreadEmitter &emitter,
                                       ArrayRef<Value> values, Type from,
                                       bool areApart) {
  SmallVector<Value> halves;
  size_t count = values.size();
  if (!isFloat8(from)) {
    for (Value value : values)
      halves.push_back(widenAlone(emitter, value, from));
  } else if (areApart && isa<Float8E5M2Type>(from)) {
    for (size_t i = 0; i < count; i += 2)
      emitter.appendElements(
          widenApart(emitter, values[i], values[std::min(i + 1, count - 1)]),
          halves);
  } else {
    for (size_t i = 0; i < count; i += bytesPerWord) {
      Value word = joinBytes(emitter, values.slice(i).take_front(bytesPerWord));
      for (Value pair : widenWord(emitter, word, from))
        emitter.appendElements(pair, halves);
    }
  }
  halves.truncate(count);
  return halves;
}

//===----------------------------------------------------------------------===//
// From f16 and f32
//===----------------------------------------------------------------------===//

/// Two f16 or f32 to two fp8 in 16 bits, by `cvt.rn.satfinite`. A number that is none
/// must not spoil its neighbour.
static Value narrowPair(ThreadEmitter &emitter, Value low, Value high,
                        Type to) {
  Type i16 = emitter.builder.getI16Type();
  if (low.getType().isF32())
    return emitter.callIntrinsic(getIntrinsicName("ff", getPairName(to)), i16,
                                 {emitter.freeze(high), emitter.freeze(low)});
  Value pair = emitter.joinInVector({low, high});
  return emitter.callIntrinsic(
      getIntrinsicName("f16x2", getPairName(to)), i16,
      {LLVM::FreezeOp::create(emitter.builder, emitter.loc, pair)});
}

/// f16 or f32 to fp8, four in a word.
static SmallVector<Value> narrowByInstruction(ThreadEmitter &emitter,
                                              ArrayRef<Value> values, Type to) {
  OpBuilder &builder = emitter.builder;
  auto bytes = VectorType::get({bytesPerWord}, builder.getI8Type());
  SmallVector<Value> padded(values), results;
  padded.resize(llvm::alignTo<bytesPerWord>(values.size()),
                emitter.zero(values.front().getType()));
  for (size_t first = 0; first < padded.size(); first += bytesPerWord) {
    ArrayRef<Value> four = ArrayRef(padded).slice(first, bytesPerWord);
    Value pairs =
        emitter.joinInVector({narrowPair(emitter, four[0], four[1], to),
                              narrowPair(emitter, four[2], four[3], to)});
    Value word = LLVM::BitcastOp::create(builder, emitter.loc, bytes, pairs);
    // LLVM must not see which bytes are one number's: it would take them apart.
    word = LLVM::FreezeOp::create(builder, emitter.loc, word);
    emitter.appendElements(word, results);
  }
  results.truncate(values.size());
  return results;
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

/// Says once for each place of the source that integer operations convert to `to`.
static void remarkOnSoftware(ThreadEmitter &emitter, Type to) {
  if (!emitter.narrowedInSoftware.insert(emitter.loc).second)
    return;
  const auto &chips = tilec::getKnownTargets();
  auto first = llvm::find_if(chips, [](const tilec::GpuTarget &chip) {
    return tilec::float8Casts.isAvailable(chip, /*ptxVersion=*/0);
  });
  std::string reason =
      isFloat8(to)
          ? llvm::formatv("{0} has no instruction for it; {1} is the first "
                          "chip that has",
                          emitter.target.name, first->name)
                .str()
          : "the compiler uses no instruction for it on any chip";
  std::string type;
  llvm::raw_string_ostream(type) << to;
  remark::missed(emitter.loc, remark::RemarkOpts::name("SoftwareConversion")
                                  .category("convert-tile-to-nvvm")
                                  .function(emitter.kernel.getName()))
      << remark::reason("each element becomes {0} by some 20 operations on "
                        "integers: {1}",
                        type, reason);
}

SmallVector<Value> tile::narrowToBits(ThreadEmitter &emitter,
                                      ArrayRef<Value> values, Type to) {
  if (hasInstruction(emitter, to))
    return narrowByInstruction(emitter, values, to);
  remarkOnSoftware(emitter, to);
  OpBuilder &builder = emitter.builder;
  SmallVector<Value> results;
  for (Value value : values) {
    if (!value.getType().isF32())
      value = builder.createOrFold<arith::ExtFOp>(emitter.loc,
                                                  builder.getF32Type(), value);
    results.push_back(narrowInSoftware(emitter, value, to));
  }
  return results;
}
