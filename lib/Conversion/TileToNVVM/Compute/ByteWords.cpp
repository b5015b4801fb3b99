//===- ByteWords.cpp - Four bytes in a word -------------------------------===//

#include "ByteWords.h"

using namespace mlir;
using namespace mlir::tile;

Value tile::joinInVector(ThreadEmitter &emitter, ArrayRef<Value> values) {
  Value vector = emitter.poison(VectorType::get(
      {static_cast<int64_t>(values.size())}, values.front().getType()));
  for (auto [index, value] : llvm::enumerate(values))
    vector = LLVM::InsertElementOp::create(emitter.builder, emitter.loc, vector,
                                           value, emitter.i32(index));
  return vector;
}

void tile::appendElements(ThreadEmitter &emitter, Value vector,
                          SmallVectorImpl<Value> &elements) {
  int64_t count = cast<VectorType>(vector.getType()).getNumElements();
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(LLVM::ExtractElementOp::create(
        emitter.builder, emitter.loc, vector, emitter.i32(i)));
}

Value tile::joinBytes(ThreadEmitter &emitter, ArrayRef<Value> bytes) {
  OpBuilder &builder = emitter.builder;
  SmallVector<Value> four(bytes);
  four.resize(bytesPerWord, emitter.constant(builder.getI8Type(), 0));
  // A byte that is no number must not spoil the others.
  Value vector =
      LLVM::FreezeOp::create(builder, emitter.loc, joinInVector(emitter, four));
  return LLVM::BitcastOp::create(builder, emitter.loc, builder.getI32Type(),
                                 vector);
}

Value tile::permuteBytes(ThreadEmitter &emitter, Value low, Value high,
                         int64_t selector) {
  return emitter.callIntrinsic("llvm.nvvm.prmt", emitter.builder.getI32Type(),
                               {low, high, emitter.i32(selector)});
}
