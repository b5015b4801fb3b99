//===- Block.cpp - What the block does as one -----------------------------===//
//
// Scalar accesses to memory (at block level every thread reads the same
// element; in `tile.parallel` each iteration its own), `tile.once`, block
// indices and assertions.
//
//===----------------------------------------------------------------------===//

#include "SharedAddresses.h"
#include "../ThreadEmitter.h"

using namespace mlir;
using namespace mlir::tile;

Value ThreadEmitter::getElementPointer(Value memref, ValueRange indices) {
  auto type = cast<MemRefType>(memref.getType());
  if (isSharedMemory(type)) {
    SmallVector<SmallVector<RuntimeTerm>> terms(indices.size());
    SmallVector<int64_t> constants(indices.size(), 0);
    for (auto [dim, index] : llvm::enumerate(indices)) {
      APInt constant;
      if (matchPattern(index, m_ConstantInt(&constant)))
        constants[dim] = constant.getSExtValue();
      else
        terms[dim].push_back({narrow(index), {}, 1});
    }
    return SharedAddresses(*this, getShared(memref), terms)
        .getPointer(constants);
  }
  const GlobalView &view = getGlobal(memref);
  Value offset;
  for (auto [index, stride] : llvm::zip(indices, view.strides))
    offset = add(offset, multiply(index, stride));
  int64_t bytes = getMemoryBytes(type.getElementType());
  APInt constant;
  if (!offset)
    return view.pointer;
  if (matchPattern(offset, m_ConstantInt(&constant)))
    return advance(view.pointer, constant.getSExtValue() * bytes);
  return advance(view.pointer, multiply(offset, bytes));
}

LogicalResult ThreadEmitter::emitScalarLoad(memref::LoadOp op) {
  Type elementType = op.getMemRefType().getElementType();
  Type memoryType = convertMemoryType(elementType);
  if (!memoryType)
    return notImplemented(op, "memref.load of ") << elementType;
  SmallVector<Value> indices;
  for (Value index : op.getIndices())
    indices.push_back(getScalar(index));
  Value value = load(getElementPointer(op.getMemRef(), indices), memoryType, 1);
  bind(op.getResult(), fromMemory(value, elementType));
  return success();
}

LogicalResult ThreadEmitter::emitScalarStore(memref::StoreOp op) {
  Type elementType = op.getMemRefType().getElementType();
  Type memoryType = convertMemoryType(elementType);
  if (!memoryType)
    return notImplemented(op, "memref.store of ") << elementType;
  SmallVector<Value> indices;
  for (Value index : op.getIndices())
    indices.push_back(getScalar(index));
  emitUnder(getEffectGuard(), [&] {
    store(toMemory(getScalar(op.getValueToStore()), elementType),
          getElementPointer(op.getMemRef(), indices), memoryType);
  });
  return success();
}

LogicalResult ThreadEmitter::emitOnce(OnceOp op) {
  Value isFirst = compare(arith::CmpIPredicate::eq, threadId, i32(0));
  LogicalResult result = success();
  emitUnder(isFirst, [&] { result = emitBlock(op.getBody().front()); });
  return result;
}

LogicalResult ThreadEmitter::emitBlockId(gpu::BlockIdOp op) {
  Value id;
  Type i32 = builder.getI32Type();
  switch (op.getDimension()) {
  case gpu::Dimension::x:
    id = NVVM::BlockIdXOp::create(builder, loc, i32);
    break;
  case gpu::Dimension::y:
    id = NVVM::BlockIdYOp::create(builder, loc, i32);
    break;
  case gpu::Dimension::z:
    id = NVVM::BlockIdZOp::create(builder, loc, i32);
    break;
  }
  bind(op.getResult(), widen(id));
  return success();
}

LogicalResult ThreadEmitter::emitAssert(AssertOp op) {
  Value isWrong = builder.createOrFold<arith::XOrIOp>(
      loc, getScalar(op.getCondition()), constant(builder.getI1Type(), 1));
  emitUnder(isWrong, [&] { LLVM::Trap::create(builder, loc); });
  return success();
}
