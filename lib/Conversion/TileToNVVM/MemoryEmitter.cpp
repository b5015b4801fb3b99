//===- MemoryEmitter.cpp - Types in memory, pointers, accesses ------------===//

#include "MemoryEmitter.h"

#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type MemoryEmitter::convertScalarType(Type type) {
  if (type.isIndex())
    return builder.getI64Type();
  if (isa<Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType, Float6E2M3FNType,
          Float6E3M2FNType>(type))
    return builder.getI8Type();
  if (isa<Float4E2M1FNType>(type))
    return builder.getIntegerType(4);
  if (type.isF16() || type.isBF16() || type.isF32() || type.isF64())
    return type;
  auto integer = dyn_cast<IntegerType>(type);
  if (integer && llvm::is_contained({1, 4, 8, 16, 32, 64}, integer.getWidth()))
    return type;
  return {};
}

Type MemoryEmitter::convertMemoryType(Type type) {
  return type.isInteger(1) ? builder.getI8Type() : convertScalarType(type);
}

int64_t MemoryEmitter::getMemoryBytes(Type elementType, int64_t count) {
  return getMemoryBits(elementType) * count / 8;
}

bool MemoryEmitter::isNarrow(Type elementType) {
  return getMemoryBits(elementType) < 8;
}

Value MemoryEmitter::toMemory(Value scalar, Type elementType) {
  if (!elementType.isInteger(1))
    return scalar;
  return builder.createOrFold<arith::ExtUIOp>(loc, builder.getI8Type(), scalar);
}

Value MemoryEmitter::fromMemory(Value inMemory, Type elementType) {
  if (!elementType.isInteger(1))
    return inMemory;
  return builder.createOrFold<arith::TruncIOp>(loc, builder.getI1Type(),
                                               inMemory);
}

//===----------------------------------------------------------------------===//
// Pointers and accesses
//===----------------------------------------------------------------------===//

Value MemoryEmitter::advance(Value pointer, Value bytes) {
  if (!bytes)
    return pointer;
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer, ValueRange(bytes));
}

Value MemoryEmitter::advance(Value pointer, int64_t bytes) {
  if (bytes == 0)
    return pointer;
  return LLVM::GEPOp::create(
      builder, loc, pointer.getType(), builder.getI8Type(), pointer,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
}

Value MemoryEmitter::load(Value pointer, Type memoryType, int64_t count) {
  int64_t bytes = memoryType.getIntOrFloatBitWidth() / 8 * count;
  Type type = count == 1 ? memoryType : VectorType::get({count}, memoryType);
  return LLVM::LoadOp::create(builder, loc, type, pointer, bytes);
}

/// The pair of 16-bit numbers of which `first` and `second` are the elements; null where
/// they are none.
static Value getPair(Value first, Value second) {
  auto low = first.getDefiningOp<LLVM::ExtractElementOp>();
  auto high = second.getDefiningOp<LLVM::ExtractElementOp>();
  if (!low || !high || low.getVector() != high.getVector())
    return {};
  auto type = cast<VectorType>(low.getVector().getType());
  bool isPair = type.getNumElements() == 2 &&
                type.getElementTypeBitWidth() == 16 &&
                matchPattern(low.getPosition(), m_Zero()) &&
                matchPattern(high.getPosition(), m_One());
  return isPair ? low.getVector() : Value();
}

SmallVector<Value> MemoryEmitter::joinPairs(ArrayRef<Value> elements) {
  SmallVector<Value> pairs;
  for (size_t first = 0; first + 1 < elements.size(); first += 2)
    pairs.push_back(getPair(elements[first], elements[first + 1]));
  if (elements.size() % 2 != 0 || llvm::is_contained(pairs, Value()))
    return llvm::to_vector(elements);
  return llvm::map_to_vector(pairs, [&](Value pair) -> Value {
    return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), pair);
  });
}

void MemoryEmitter::store(ArrayRef<Value> elements, Value pointer,
                          Type memoryType) {
  int64_t bytes = memoryType.getIntOrFloatBitWidth() / 8 * elements.size();
  SmallVector<Value> words = joinPairs(elements);
  Value value = words.size() == 1 ? words.front() : joinInVector(words);
  LLVM::StoreOp::create(builder, loc, value, pointer, bytes);
}

SmallVector<Value> MemoryEmitter::loadElements(const ElementPlace &place,
                                               Type elementType,
                                               int64_t count) {
  if (isNarrow(elementType))
    return loadNarrow(place, elementType, count);
  Value raw = load(place.pointer, convertMemoryType(elementType), count);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < count; ++i) {
    Value element =
        count == 1
            ? raw
            : Value(LLVM::ExtractElementOp::create(builder, loc, raw, i32(i)));
    elements.push_back(fromMemory(element, elementType));
  }
  return elements;
}

void MemoryEmitter::storeElements(ArrayRef<Value> elements,
                                  const ElementPlace &place, Type elementType) {
  if (isNarrow(elementType))
    return storeNarrow(elements, place);
  store(elements, place.pointer, convertMemoryType(elementType));
}
