//===- MemoryEmitter.h - Types in memory, pointers, accesses ----*- C++ -*-===//
//
// How an element of the language looks in a register and in memory, and the
// loads and stores of one thread. In a register `index` is i64, and floats
// narrower than f16 are their bits: fp8 and fp6 in i8, fp4 in i4. In memory i1
// takes a byte besides, and i4 and fp4 are *narrow*: two share a byte, the low
// half first (NarrowElements.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_MEMORYEMITTER_H
#define TILE_LIB_CONVERSION_TILETONVVM_MEMORYEMITTER_H

#include "ScalarEmitter.h"

namespace mlir::tile {

/// Where an element lies. Only narrow ones may begin in the middle of a byte.
struct ElementPlace {
  Value pointer;
  Value
      half; ///< i32, 1 in the upper half of the byte; null if that is never so
  /// Of narrow ones: others may store elements of its word meanwhile, by atomics
  /// (CommonWords.h).
  bool isInCommonWord = false;
};

class MemoryEmitter : public ScalarEmitter {
public:
  using ScalarEmitter::ScalarEmitter;

  /// The type of a scalar in a register; null for types without a lowering.
  Type convertScalarType(Type type);
  /// The type of an element in memory: as in a register, but i1 takes a byte.
  Type convertMemoryType(Type type);
  /// Of `count` elements that begin and end with a byte.
  int64_t getMemoryBytes(Type elementType, int64_t count = 1);
  /// Whether two elements share a byte.
  static bool isNarrow(Type elementType);
  /// Between the two: only i1 changes.
  Value toMemory(Value scalar, Type elementType);
  Value fromMemory(Value inMemory, Type elementType);
  /// A parameter of a kernel, of which a narrow one takes a byte.
  Value fromParameter(Value parameter, Type type);

  /// `bytes` beyond `pointer`; the pointer itself where `bytes` is null.
  Value advance(Value pointer, Value bytes);
  Value advance(Value pointer, int64_t bytes);
  /// Where the narrow element lies that is `elements` (i64) behind the one with
  /// which the byte at `pointer` begins.
  ElementPlace getNarrowPlace(Value pointer, Value elements,
                              bool isInCommonWord);
  /// One access of `count` elements (count 1: a scalar) that are not narrow.
  Value load(Value pointer, Type memoryType, int64_t count);
  void store(ArrayRef<Value> elements, Value pointer, Type memoryType);

  /// `count` elements that lie together from `place` on, as they stand in
  /// registers, by one access. Several narrow ones are whole bytes; fewer than a
  /// word of a common one are read with it.
  SmallVector<Value> loadElements(const ElementPlace &place, Type elementType,
                                  int64_t count);
  /// Stores elements, as they are in memory, in the same way. One narrow element
  /// alone changes its half of the byte whoever else changes the other; fewer than
  /// a word of a common one change nothing else in it.
  void storeElements(ArrayRef<Value> elements, const ElementPlace &place,
                     Type elementType);

  /// Narrow elements in the low bits of a word of `type`, the first one lowest.
  Value packNarrow(ArrayRef<Value> elements, Type type);

private:
  /// `elements` as words of 32 bits, where each two are the halves of one pair.
  SmallVector<Value> joinPairs(ArrayRef<Value> elements);
  SmallVector<Value> loadNarrow(const ElementPlace &place, Type elementType,
                                int64_t count);
  void storeNarrow(ArrayRef<Value> elements, const ElementPlace &place);
  /// The word of 32 bits around `place` and the number of the bit (i32) at which
  /// the element there begins.
  std::pair<Value, Value> getWord(const ElementPlace &place);
  Value loadWord(const ElementPlace &place);
  void storeInWord(ArrayRef<Value> elements, const ElementPlace &place);
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_MEMORYEMITTER_H
