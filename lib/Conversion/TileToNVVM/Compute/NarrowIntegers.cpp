//===- NarrowIntegers.cpp - i4 and i8 to floats by logic ------------------===//
//
// Conversions from integers are a quarter as fast as additions, or slower. The
// bits of an i4 in the last places of a large number add to it:
//
//     unsigned   bits(1024) | x         =  1024 + x
//     signed     bits(1024) | (x ^ 8)   =  1024 + 8 + x
//
// and what is too much is subtracted, exactly. Of 16 bits two are converted at
// once. 1024 is the number of f16 whose last place is 1; of bf16 it is 128, of
// f32 2^23.
//
// Bytes come four in a word, and `prmt` puts each below the upper half of such a
// number; signed ones are made unsigned first, by the sign bit. Those of bf16 have
// no room for a byte: they are the upper halves of the f32, exactly.
//
//     x3 x2 x1 x0   ->   64 x1 64 x0,  64 x3 64 x2          f16
//                   ->   4b 00 00 x0,  4b 00 00 x1, ..      f32
//
//===----------------------------------------------------------------------===//

#include "ByteWords.h"
#include "Cast.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// A number whose last place is 1.
struct Anchor {
  int64_t bits;
  double value;
};
} // namespace

static std::optional<Anchor> getAnchor(Type type) {
  if (type.isF16())
    return Anchor{0x6400, 1024.0};
  if (type.isBF16())
    return Anchor{0x4300, 128.0};
  if (type.isF32())
    return Anchor{0x4b000000, 8388608.0};
  return std::nullopt;
}

/// `vector` of floats plus `number`, exactly. Not every chip adds bf16.
static Value addExactly(ThreadEmitter &emitter, Value vector, double number) {
  OpBuilder &builder = emitter.builder;
  auto type = cast<VectorType>(vector.getType());
  auto splat = [&](double value) -> Value {
    return emitter.constant(DenseElementsAttr::get(
        type, builder.getFloatAttr(type.getElementType(), value)));
  };
  return LLVM::FMAOp::create(builder, emitter.loc, vector, splat(1.0),
                             splat(number));
}

/// As many neighbours as fill 32 bits, or one.
static void convertTogether(ThreadEmitter &emitter, ArrayRef<Value> integers,
                            Type type, bool isSigned,
                            SmallVectorImpl<Value> &floats) {
  constexpr int64_t signBit = 8;
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Anchor anchor = *getAnchor(type);
  int64_t count = integers.size(), width = type.getIntOrFloatBitWidth();
  Type wordType = builder.getIntegerType(width * count);
  int64_t pattern = anchor.bits ^ (isSigned ? signBit : 0);
  Value word;
  for (auto [index, value] : llvm::enumerate(integers)) {
    Value bits = builder.createOrFold<arith::ExtUIOp>(loc, wordType, value);
    bits = emitter.multiply(bits, int64_t(1) << (width * index));
    word = word ? builder.createOrFold<arith::OrIOp>(loc, word, bits) : bits;
    if (index > 0)
      pattern |= pattern << (width * index);
  }
  word = builder.createOrFold<arith::XOrIOp>(
      loc, word, emitter.constant(wordType, pattern));
  double excess = anchor.value + (isSigned ? signBit : 0);
  auto vectorType = VectorType::get({count}, type);
  Value sum = addExactly(
      emitter, LLVM::BitcastOp::create(builder, loc, vectorType, word),
      -excess);
  emitter.appendElements(sum, floats);
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// The elements of `word` as a vector of `count` floats.
static Value asFloats(ThreadEmitter &emitter, Value word, Type type,
                      int64_t count) {
  return LLVM::BitcastOp::create(emitter.builder, emitter.loc,
                                 VectorType::get({count}, type), word);
}

/// Four f32, each 2^23 + excess too large as it comes out of the word.
static SmallVector<Value> toSingles(ThreadEmitter &emitter, Value word,
                                    double excess) {
  OpBuilder &builder = emitter.builder;
  Type f32 = builder.getF32Type();
  Anchor anchor = *getAnchor(f32);
  SmallVector<Value> floats;
  for (int64_t i = 0; i < 4; ++i) {
    Value bits =
        permuteBytes(emitter, word, emitter.i32(anchor.bits), 0x7650 + i);
    Value number =
        builder.createOrFold<arith::BitcastOp>(emitter.loc, f32, bits);
    floats.push_back(builder.createOrFold<arith::SubFOp>(
        emitter.loc, number,
        emitter.floatConstant(f32, anchor.value + excess)));
  }
  return floats;
}

/// Four bytes of a word as pairs of f16: 1024 + excess too large at first.
static void toHalves(ThreadEmitter &emitter, Value word, double excess,
                     SmallVectorImpl<Value> &floats) {
  OpBuilder &builder = emitter.builder;
  Type f16 = builder.getF16Type();
  Anchor anchor = *getAnchor(f16);
  int64_t upper = anchor.bits >> 8;
  for (int64_t selector : {0x4140, 0x4342}) {
    Value bits = permuteBytes(emitter, word, emitter.i32(upper), selector);
    Value pair = addExactly(emitter, asFloats(emitter, bits, f16, 2),
                            -(anchor.value + excess));
    emitter.appendElements(pair, floats);
  }
}

/// The upper halves of f32 that have nothing below.
static void toBrainHalves(ThreadEmitter &emitter, ArrayRef<Value> singles,
                          SmallVectorImpl<Value> &floats) {
  OpBuilder &builder = emitter.builder;
  for (int64_t first : {0, 2}) {
    auto bits = [&](int64_t i) {
      return builder.createOrFold<arith::BitcastOp>(
          emitter.loc, builder.getI32Type(), singles[i]);
    };
    Value both = permuteBytes(emitter, bits(first), bits(first + 1), 0x7632);
    Value pair = asFloats(emitter, both, builder.getBF16Type(), 2);
    emitter.appendElements(pair, floats);
  }
}

/// Four neighbours.
static void convertWord(ThreadEmitter &emitter, ArrayRef<Value> integers,
                        Type type, bool isSigned,
                        SmallVectorImpl<Value> &floats) {
  constexpr auto signBits = static_cast<int32_t>(0x80808080);
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Value word = joinBytes(emitter, integers);
  if (isSigned)
    word =
        builder.createOrFold<arith::XOrIOp>(loc, word, emitter.i32(signBits));
  double excess = isSigned ? 128 : 0;
  if (type.isF16())
    return toHalves(emitter, word, excess, floats);
  SmallVector<Value> singles = toSingles(emitter, word, excess);
  if (type.isBF16())
    return toBrainHalves(emitter, singles, floats);
  llvm::append_range(floats, singles);
}

/// Whether each four registers of `fragment` hold neighbours.
static bool comesInWords(ThreadEmitter &emitter, Value fragment) {
  if (!isa<RankedTensorType>(fragment.getType()))
    return false;
  const tilec::Digits &registers =
      emitter.getLayout(fragment).getDigits(tilec::HardwareDim::Register);
  return !registers.empty() && !registers.front().replicates() &&
         registers.front().step == 1 && registers.front().extent % 4 == 0;
}

LogicalResult tile::convertNarrowIntegers(ThreadEmitter &emitter, Operation *op,
                                          bool isSigned) {
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  if (!getAnchor(to))
    return failure();
  if (from.isInteger(8) && comesInWords(emitter, op->getOperand(0))) {
    SmallVector<Value> floats;
    ArrayRef<Value> integers = emitter.getValues(op->getOperand(0));
    for (; !integers.empty(); integers = integers.drop_front(4))
      convertWord(emitter, integers.take_front(4), to, isSigned, floats);
    emitter.bind(op->getResult(0), std::move(floats));
    return success();
  }
  if (!from.isInteger(4))
    return failure();
  ArrayRef<Value> integers = emitter.getValues(op->getOperand(0));
  size_t together = 32 / to.getIntOrFloatBitWidth();
  SmallVector<Value> floats;
  while (!integers.empty()) {
    size_t count = std::min(together, integers.size());
    convertTogether(emitter, integers.take_front(count), to, isSigned, floats);
    integers = integers.drop_front(count);
  }
  emitter.bind(op->getResult(0), std::move(floats));
  return success();
}
