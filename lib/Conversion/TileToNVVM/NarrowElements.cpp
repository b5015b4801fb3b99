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
// words (docs/KernelABI.md). Where others may do so meanwhile, all accesses of
// less than a word are of this size and atomic: accesses that overlap in part
// would be races (decision 0018).
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

ElementPlace MemoryEmitter::getNarrowPlace(Value pointer, Value elements,
                                           bool isInCommonWord) {
  if (!elements)
    return {pointer, Value(), isInCommonWord};
  Value bytes = builder.createOrFold<arith::ShRSIOp>(loc, elements, i64(1));
  return {advance(pointer, bytes), narrow(remainder(elements, 2)),
          isInCommonWord};
}

/// How the bits of `count` elements travel: as one integer, or in words.
static Type getWordType(OpBuilder &builder, int64_t count) {
  int64_t bits = count * narrowBits;
  return builder.getIntegerType(std::min(bits, wordBits));
}

/// Whether an access of `count` elements is made by the word around them.
static bool isByWord(const ElementPlace &place, int64_t count) {
  return place.isInCommonWord && count * narrowBits < wordBits;
}

SmallVector<Value> MemoryEmitter::loadNarrow(const ElementPlace &place,
                                             Type elementType, int64_t count) {
  Type type = convertScalarType(elementType);
  auto cut = [&](Value word, Value amount) -> Value {
    if (amount)
      word = builder.createOrFold<arith::ShRUIOp>(loc, word, amount);
    return builder.createOrFold<arith::TruncIOp>(loc, type, word);
  };
  if (count == 1 && !isByWord(place, count)) {
    Value byte = builder.createOrFold<arith::ExtUIOp>(
        loc, builder.getI32Type(), load(place.pointer, builder.getI8Type(), 1));
    return {cut(byte, place.half ? multiply(place.half, narrowBits) : Value())};
  }
  Type wordType = isByWord(place, count) ? builder.getI32Type()
                                         : getWordType(builder, count);
  int64_t perWord =
      std::min(count, wordType.getIntOrFloatBitWidth() / narrowBits);
  int64_t words = count / perWord;
  Value raw = isByWord(place, count) ? loadWord(place)
                                     : load(place.pointer, wordType, words);
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

Value MemoryEmitter::packNarrow(ArrayRef<Value> elements, Type type) {
  Value word;
  for (auto [index, element] : llvm::enumerate(elements)) {
    Value bits = builder.createOrFold<arith::ExtUIOp>(loc, type, element);
    if (index != 0)
      bits = builder.createOrFold<arith::OrIOp>(
          loc, word,
          builder.createOrFold<arith::ShLIOp>(
              loc, bits, constant(type, index * narrowBits)));
    word = bits;
  }
  return word;
}

void MemoryEmitter::storeNarrow(ArrayRef<Value> elements,
                                const ElementPlace &place) {
  size_t count = elements.size();
  if (count == 1 || isByWord(place, count))
    return storeInWord(elements, place);
  Type wordType = getWordType(builder, count);
  size_t perWord = wordType.getIntOrFloatBitWidth() / narrowBits;
  SmallVector<Value> words;
  for (size_t first = 0; first < count; first += perWord)
    words.push_back(packNarrow(elements.slice(first, perWord), wordType));
  store(words, place.pointer, wordType);
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

std::pair<Value, Value> MemoryEmitter::getWord(const ElementPlace &place) {
  Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                           place.pointer);
  Value byte = remainder(address, wordBits / 8);
  Value back = builder.createOrFold<arith::SubIOp>(loc, i64(0), byte);
  Value amount = multiply(narrow(byte), 8);
  if (place.half)
    amount = add(amount, multiply(place.half, narrowBits));
  return {advance(place.pointer, back), amount};
}

/// The word, with the element at `place` in its low bits.
Value MemoryEmitter::loadWord(const ElementPlace &place) {
  auto [pointer, amount] = getWord(place);
  Value word = LLVM::LoadOp::create(
      builder, loc, builder.getI32Type(), pointer, wordBits / 8,
      /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, "device");
  return builder.createOrFold<arith::ShRUIOp>(loc, word, amount);
}

void MemoryEmitter::storeInWord(ArrayRef<Value> elements,
                                const ElementPlace &place) {
  auto [pointer, amount] = getWord(place);
  auto shift = [&, amount = amount](Value bits) {
    return builder.createOrFold<arith::ShLIOp>(loc, bits, amount);
  };
  int64_t ones = (1 << elements.size() * narrowBits) - 1;
  Value others =
      builder.createOrFold<arith::XOrIOp>(loc, shift(i32(ones)), i32(-1));
  Value bits = shift(packNarrow(elements, builder.getI32Type()));
  for (auto [kind, operand] : {std::pair(LLVM::AtomicBinOp::_and, others),
                               std::pair(LLVM::AtomicBinOp::_or, bits)})
    LLVM::AtomicRMWOp::create(builder, loc, kind, pointer, operand,
                              LLVM::AtomicOrdering::monotonic, "device");
}
