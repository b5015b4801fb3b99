//===- ByteWords.cpp - Four bytes in a word -------------------------------===//

#include "ByteWords.h"

using namespace mlir;
using namespace mlir::tile;

Value tile::joinBytes(ThreadEmitter &emitter, ArrayRef<Value> bytes) {
  OpBuilder &builder = emitter.builder;
  SmallVector<Value> four(bytes);
  four.resize(bytesPerWord, emitter.constant(builder.getI8Type(), 0));
  // A byte that is no number must not spoil the others.
  Value vector =
      LLVM::FreezeOp::create(builder, emitter.loc, emitter.joinInVector(four));
  return LLVM::BitcastOp::create(builder, emitter.loc, builder.getI32Type(),
                                 vector);
}

Value tile::permuteBytes(ThreadEmitter &emitter, Value low, Value high,
                         int64_t selector) {
  return emitter.callIntrinsic("llvm.nvvm.prmt", emitter.builder.getI32Type(),
                               {low, high, emitter.i32(selector)});
}
