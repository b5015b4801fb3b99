//===- RegionValues.cpp - Values that regions pass on ---------------------===//

#include "RegionValues.h"

using namespace mlir;
using namespace mlir::tile;

/// The registers of a pending fragment: those that its product accumulates in,
/// two elements of 16 bits in one of 32.
static SmallVector<Type> getPendingRegisters(ThreadEmitter &emitter,
                                             PendingType pending) {
  RankedTensorType fragment = pending.getFragment();
  Type element = fragment.getElementType();
  int64_t count = emitter.getLayout(fragment).getRegisterCount();
  if (element.getIntOrFloatBitWidth() == 16)
    return SmallVector<Type>(count / 2, emitter.builder.getI32Type());
  return SmallVector<Type>(count, emitter.convertScalarType(element));
}

/// The offset that the type of a memref states, in elements.
static int64_t getOffset(MemRefType memref) {
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)memref.getStridesAndOffset(strides, offset);
  return offset;
}

/// Whether the pointer without offsets goes beside the one to the first element: where
/// no type tells how far they are apart.
static bool passesBase(ThreadEmitter &emitter, MemRefType memref) {
  return !emitter.isNarrow(memref.getElementType()) &&
         ShapedType::isDynamic(getOffset(memref));
}

FailureOr<SmallVector<Type>>
tile::flattenTypes(ThreadEmitter &emitter, TypeRange types, Operation *op) {
  SmallVector<Type> flat;
  for (Type type : types) {
    if (auto memref = dyn_cast<MemRefType>(type)) {
      SmallVector<int64_t> strides;
      int64_t offset;
      if (isSharedMemory(memref) ||
          failed(memref.getStridesAndOffset(strides, offset)))
        return op->emitError("a value of type ")
               << type << " cannot be passed between regions of a kernel";
      flat.append(1 + passesBase(emitter, memref),
                  LLVM::LLVMPointerType::get(op->getContext(), 1));
      flat.append(memref.getNumDynamicDims() +
                      llvm::count_if(strides, ShapedType::isDynamic) +
                      emitter.isNarrow(memref.getElementType()),
                  emitter.builder.getI64Type());
      continue;
    }
    if (auto pending = dyn_cast<PendingType>(type)) {
      llvm::append_range(flat, getPendingRegisters(emitter, pending));
      continue;
    }
    auto fragment = dyn_cast<RankedTensorType>(type);
    Type scalar =
        emitter.convertScalarType(fragment ? fragment.getElementType() : type);
    if (!scalar)
      return emitter.notImplemented(op, "values of type ") << type;
    flat.append(fragment ? emitter.getLayout(type).getRegisterCount() : 1,
                scalar);
  }
  return flat;
}

SmallVector<Value> tile::flatten(ThreadEmitter &emitter,
                                 ValueRange blockValues) {
  SmallVector<Value> flat;
  for (Value value : blockValues) {
    auto memref = dyn_cast<MemRefType>(value.getType());
    if (!memref) {
      llvm::append_range(flat, emitter.getValues(value));
      continue;
    }
    const GlobalView &view = emitter.getGlobal(value);
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)memref.getStridesAndOffset(strides, offset);
    flat.push_back(view.pointer);
    if (passesBase(emitter, memref))
      flat.push_back(view.base);
    if (emitter.isNarrow(memref.getElementType()))
      flat.push_back(view.offset ? view.offset : emitter.i64(0));
    for (auto [dim, size] : llvm::enumerate(view.sizes))
      if (memref.isDynamicDim(dim))
        flat.push_back(size);
    for (auto [stride, value] : llvm::zip(strides, view.strides))
      if (ShapedType::isDynamic(stride))
        flat.push_back(value);
  }
  return flat;
}

void tile::bindFlat(ThreadEmitter &emitter, ValueRange blockValues,
                    ValueRange flat) {
  size_t next = 0;
  for (Value value : blockValues) {
    auto memref = dyn_cast<MemRefType>(value.getType());
    if (!memref) {
      size_t count = 1;
      if (isa<RankedTensorType>(value.getType()))
        count = emitter.getLayout(value).getRegisterCount();
      else if (auto pending = dyn_cast<PendingType>(value.getType()))
        count = getPendingRegisters(emitter, pending).size();
      emitter.bind(value, llvm::to_vector(flat.slice(next, count)));
      next += count;
      continue;
    }
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)memref.getStridesAndOffset(strides, offset);
    GlobalView view;
    view.base = view.pointer = flat[next++];
    if (emitter.isNarrow(memref.getElementType()))
      view.offset = flat[next++];
    else if (passesBase(emitter, memref))
      view.base = flat[next++];
    else if (offset != 0)
      view.base = emitter.advance(
          view.pointer, emitter.i64(-offset * emitter.getMemoryBytes(
                                                  memref.getElementType())));
    for (int64_t size : memref.getShape())
      view.sizes.push_back(ShapedType::isDynamic(size) ? flat[next++]
                                                       : emitter.i64(size));
    for (int64_t stride : strides)
      view.strides.push_back(
          ShapedType::isDynamic(stride) ? flat[next++] : emitter.i64(stride));
    emitter.bind(value, std::move(view));
  }
}
