//===- Runtime.h - Calls of libtileRt ---------------------------*- C++ -*-===//
//
// Builds what host code says to the runtime (tile-rt/abi.h): values as words of 64 bits
// in an array on the stack, and calls.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_HOSTCODE_RUNTIME_H
#define TILE_LIB_HOSTCODE_RUNTIME_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::tile {

class Runtime {
public:
  explicit Runtime(OpBuilder &builder) : builder(builder) {}

  /// Calls a function of the runtime, which has one result or none.
  Value call(Location loc, StringRef name, Type result, ValueRange operands);

  /// An i64 with the bits of a number.
  Value makeWord(Location loc, Value number);
  Value makeWord(Location loc, int64_t number);
  /// Adds the words of a value: of a memref 2 + 2 * rank, of others one.
  void addWords(Location loc, Value value, SmallVectorImpl<Value> &words);
  /// A memref at `pointer`; sizes, strides and the offset are words.
  Value makeMemRef(Location loc, MemRefType type, Value pointer, Value offset,
                   ValueRange sizes, ValueRange strides);
  /// Row-major ones.
  SmallVector<Value> makeStrides(Location loc, ValueRange sizes);
  /// The address of an array of these words, in the frame of the function around.
  Value store(Location loc, ValueRange words);

  Type getPointerType() {
    return LLVM::LLVMPointerType::get(builder.getContext());
  }

private:
  OpBuilder &builder;
};

} // namespace mlir::tile

#endif // TILE_LIB_HOSTCODE_RUNTIME_H
