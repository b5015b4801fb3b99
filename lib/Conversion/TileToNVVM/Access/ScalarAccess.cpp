//===- ScalarAccess.cpp - Accesses to one element -------------------------===//
//
// `memref.load` and `memref.store`. At block level every thread reads the same
// element; in `tile.parallel` each iteration its own.
//
//===----------------------------------------------------------------------===//

#include "ScalarAccess.h"

#include "CommonWords.h"
#include "SharedAddresses.h"

#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

ElementPlace tile::getElementPlace(ThreadEmitter &emitter, Value memref,
                                   ValueRange indices) {
  auto type = cast<MemRefType>(memref.getType());
  if (isSharedMemory(type)) {
    SmallVector<SmallVector<RuntimeTerm>> terms(indices.size());
    SmallVector<int64_t> constants(indices.size(), 0);
    for (auto [dim, index] : llvm::enumerate(indices)) {
      APInt constant;
      if (matchPattern(index, m_ConstantInt(&constant)))
        constants[dim] = constant.getSExtValue();
      else
        terms[dim].push_back({emitter.narrow(index), {}, 1});
    }
    return SharedAddresses(emitter, emitter.getShared(memref), terms)
        .getPlace(constants);
  }
  const GlobalView &view = emitter.getGlobal(memref);
  Value offset;
  for (auto [index, stride] : llvm::zip(indices, view.strides))
    offset = emitter.add(offset, emitter.multiply(index, stride));
  if (emitter.isNarrow(type.getElementType()))
    return emitter.getNarrowPlace(view.pointer,
                                  emitter.add(offset, view.offset),
                                  mayHaveCommonWords(emitter, memref));
  int64_t bytes = emitter.getMemoryBytes(type.getElementType());
  APInt constant;
  if (!offset)
    return {view.pointer, Value()};
  if (matchPattern(offset, m_ConstantInt(&constant)))
    return {emitter.advance(view.pointer, constant.getSExtValue() * bytes),
            Value()};
  return {emitter.advance(view.pointer, emitter.multiply(offset, bytes)),
          Value()};
}

static LogicalResult lowerScalarLoad(ThreadEmitter &emitter,
                                     memref::LoadOp op) {
  Type elementType = op.getMemRefType().getElementType();
  if (!emitter.convertMemoryType(elementType))
    return emitter.notImplemented(op, "memref.load of ") << elementType;
  SmallVector<Value> indices;
  for (Value index : op.getIndices())
    indices.push_back(emitter.getScalar(index));
  ElementPlace place = getElementPlace(emitter, op.getMemRef(), indices);
  // Other iterations may store elements beside this one.
  if (emitter.iteration.loop &&
      emitter.iteration.loop.getIterationEffects().mustRunOnce())
    place.isInCommonWord = true;
  emitter.bind(op.getResult(), emitter.loadElements(place, elementType, 1));
  return success();
}

static LogicalResult lowerScalarStore(ThreadEmitter &emitter,
                                      memref::StoreOp op) {
  Type elementType = op.getMemRefType().getElementType();
  if (!emitter.convertMemoryType(elementType))
    return emitter.notImplemented(op, "memref.store of ") << elementType;
  SmallVector<Value> indices;
  for (Value index : op.getIndices())
    indices.push_back(emitter.getScalar(index));
  emitter.emitUnder(emitter.iteration.effectGuard, [&] {
    Value value =
        emitter.toMemory(emitter.getScalar(op.getValueToStore()), elementType);
    emitter.storeElements(
        value, getElementPlace(emitter, op.getMemRef(), indices), elementType);
  });
  return success();
}

void tile::registerScalarAccessLowerings(LoweringTable &table) {
  table.add(lowerScalarLoad);
  table.add(lowerScalarStore);
}
