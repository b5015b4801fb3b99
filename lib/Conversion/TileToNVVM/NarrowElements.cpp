//===- NarrowElements.cpp - Elements that share a byte --------------------===//
//
// Of i4 and fp4 two lie in a byte, the low half first. Several at once are whole
// bytes, which a thread takes apart and puts together in words:
//
//     word of 32 bits    e7 e6 e5 e4 e3 e2 e1 e0
//
// One alone is read with its byte. To store it, its half is cleared and set in
// the word of 32 bits around it, atomically: the other half, and the bytes
// beside it, may be another thread's. So the memory around such elements is whole
// words (docs/KernelABI.md).
//
//===----------------------------------------------------------------------===//

#include "MemoryEmitter.h"

#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

static constexpr int64_t narrowBits = 4, wordBits = 32;

Value MemoryEmitter::fromParameter(Value parameter, Type type) {
  if (!isNarrow(type))
    return fromMemory(parameter, type);
  return builder.createOrFold<arith::TruncIOp>(loc, convertScalarType(type),
                                               parameter);
}

ElementPlace MemoryEmitter::getNarrowPlace(Value pointer, Value elements) {
  if (!elements)
    return {pointer, Value()};
  Value bytes = builder.createOrFold<arith::ShRSIOp>(loc, elements, i64(1));
  return {advance(pointer, bytes), narrow(remainder(elements, 2))};
}

/// How the bits of `count` elements travel: as one integer, or in words.
static Type getWordType(OpBuilder &builder, int64_t count) {
  int64_t bits = count * narrowBits;
  return builder.getIntegerType(std::min(bits, wordBits));
}

SmallVector<Value> MemoryEmitter::loadNarrow(const ElementPlace &place,
                                             Type elementType, int64_t count) {
  Type type = convertScalarType(elementType);
  auto cut = [&](Value word, Value amount) -> Value {
    if (amount)
      word = builder.createOrFold<arith::ShRUIOp>(loc, word, amount);
    return builder.createOrFold<arith::TruncIOp>(loc, type, word);
  };
  if (count == 1) {
    Value byte = builder.createOrFold<arith::ExtUIOp>(
        loc, builder.getI32Type(), load(place.pointer, builder.getI8Type(), 1));
    return {cut(byte, place.half ? multiply(place.half, narrowBits) : Value())};
  }
  Type wordType = getWordType(builder, count);
  int64_t perWord = wordType.getIntOrFloatBitWidth() / narrowBits;
  int64_t words = count / perWord;
  Value raw = load(place.pointer, wordType, words);
  SmallVector<Value> elements;
  Value word = raw;
  for (int64_t i = 0; i < count; ++i) {
    // LLVM must not see where a word of several comes from: it would make a
    // vector of elements of it, and that to loads of bytes.
    if (words > 1 && i % perWord == 0)
      word = emitAssembly(
          "mov.b32 $0, $1;", "=r,r", wordType,
          LLVM::ExtractElementOp::create(builder, loc, raw, i32(i / perWord))
              .getResult(),
          /*hasEffects=*/false);
    int64_t amount = i % perWord * narrowBits;
    elements.push_back(
        cut(word, amount == 0 ? Value() : constant(wordType, amount)));
  }
  return elements;
}

void MemoryEmitter::storeNarrow(ArrayRef<Value> elements,
                                const ElementPlace &place) {
  int64_t count = elements.size();
  if (count == 1)
    return storeHalf(elements.front(), place);
  Type wordType = getWordType(builder, count);
  int64_t perWord = wordType.getIntOrFloatBitWidth() / narrowBits;
  SmallVector<Value> words;
  for (auto [index, element] : llvm::enumerate(elements)) {
    int64_t inWord = index % perWord;
    Value bits = builder.createOrFold<arith::ExtUIOp>(loc, wordType, element);
    if (inWord == 0) {
      words.push_back(bits);
      continue;
    }
    bits = builder.createOrFold<arith::ShLIOp>(
        loc, bits, constant(wordType, inWord * narrowBits));
    words.back() = builder.createOrFold<arith::OrIOp>(loc, words.back(), bits);
  }
  store(words, place.pointer, wordType);
}

void MemoryEmitter::storeHalf(Value element, const ElementPlace &place) {
  Type i32Type = builder.getI32Type(), i64Type = builder.getI64Type();
  Value address =
      LLVM::PtrToIntOp::create(builder, loc, i64Type, place.pointer);
  Value byte = narrow(remainder(address, wordBits / 8));
  Value back = builder.createOrFold<arith::SubIOp>(
      loc, i64(0), remainder(address, wordBits / 8));
  Value word = advance(place.pointer, back);
  Value amount = multiply(byte, 8);
  if (place.half)
    amount = add(amount, multiply(place.half, narrowBits));
  auto shift = [&](Value bits) {
    return builder.createOrFold<arith::ShLIOp>(loc, bits, amount);
  };
  Value others = builder.createOrFold<arith::XOrIOp>(
      loc, shift(i32((1 << narrowBits) - 1)), i32(-1));
  Value bits =
      shift(builder.createOrFold<arith::ExtUIOp>(loc, i32Type, element));
  for (auto [kind, operand] : {std::pair(LLVM::AtomicBinOp::_and, others),
                               std::pair(LLVM::AtomicBinOp::_or, bits)})
    LLVM::AtomicRMWOp::create(builder, loc, kind, word, operand,
                              LLVM::AtomicOrdering::monotonic, "device");
}
