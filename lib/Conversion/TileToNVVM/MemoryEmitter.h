//===- MemoryEmitter.h - Types in memory, pointers, accesses ----*- C++ -*-===//
//
// How an element of the language looks in a register and in memory, and the
// loads and stores of one thread. In a register `index` is i64 and fp8 its bits
// in i8; in memory i1 takes a byte besides.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_MEMORYEMITTER_H
#define TILE_LIB_CONVERSION_TILETONVVM_MEMORYEMITTER_H

#include "ScalarEmitter.h"

namespace mlir::tile {

class MemoryEmitter : public ScalarEmitter {
public:
  using ScalarEmitter::ScalarEmitter;

  /// The type of a scalar in a register; null for types without a lowering.
  Type convertScalarType(Type type);
  /// The type of an element in memory: as in a register, but i1 takes a byte.
  Type convertMemoryType(Type type);
  int64_t getMemoryBytes(Type elementType);
  /// Between the two: only i1 changes.
  Value toMemory(Value scalar, Type elementType);
  Value fromMemory(Value inMemory, Type elementType);

  /// `bytes` beyond `pointer`; the pointer itself where `bytes` is null.
  Value advance(Value pointer, Value bytes);
  Value advance(Value pointer, int64_t bytes);
  /// One access of `count` elements (count 1: a scalar).
  Value load(Value pointer, Type memoryType, int64_t count);
  void store(ArrayRef<Value> elements, Value pointer, Type memoryType);
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_MEMORYEMITTER_H
