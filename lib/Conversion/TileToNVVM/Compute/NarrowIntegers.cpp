//===- NarrowIntegers.cpp - i4 to floats by logic -------------------------===//
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
//===----------------------------------------------------------------------===//

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
  for (int64_t i = 0; i < count; ++i)
    floats.push_back(
        LLVM::ExtractElementOp::create(builder, loc, sum, emitter.i32(i)));
}

LogicalResult tile::convertNarrowIntegers(ThreadEmitter &emitter, Operation *op,
                                          bool isSigned) {
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  if (!from.isInteger(4) || !getAnchor(to))
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
