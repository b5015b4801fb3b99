//===- Views.cpp - Views of memrefs ---------------------------------------===//
//
// Views cost nothing at run time beyond the arithmetic of their offsets. Those
// of global memory follow upstream's meaning of strides.
//
//===----------------------------------------------------------------------===//

#include "SharedViews.h"

#include "tile/Dialect/Tile/SubViews.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tile;

static Value getIndex(ThreadEmitter &emitter, OpFoldResult index) {
  if (auto constant = getConstantIntValue(index))
    return emitter.i64(*constant);
  return emitter.getScalar(cast<Value>(index));
}

/// Moves a view by `offset` (i64, null for none) elements of `elementType`.
static void moveView(ThreadEmitter &emitter, GlobalView &view, Value offset,
                     Type elementType) {
  if (emitter.isNarrow(elementType))
    view.offset = offset;
  else if (offset)
    view.pointer = emitter.advance(
        view.pointer,
        emitter.multiply(offset, emitter.getMemoryBytes(elementType)));
}

// The view that an operation makes of global memory. Casts and assumptions are
// the memref itself.

static GlobalView takeGlobal(ThreadEmitter &, memref::CastOp,
                             const GlobalView &source) {
  return source;
}
static GlobalView takeGlobal(ThreadEmitter &, AssumeOp,
                             const GlobalView &source) {
  return source;
}

static GlobalView takeGlobal(ThreadEmitter &emitter, memref::SubViewOp op,
                             const GlobalView &source) {
  GlobalView view;
  llvm::SmallBitVector dropped = getDroppedDims(op);
  Value offset;
  auto sizes = op.getMixedSizes(), strides = op.getMixedStrides();
  for (auto [dim, start] : llvm::enumerate(op.getMixedOffsets())) {
    offset = emitter.add(offset, emitter.multiply(getIndex(emitter, start),
                                                  source.strides[dim]));
    if (dropped.test(dim))
      continue;
    view.sizes.push_back(getIndex(emitter, sizes[dim]));
    view.strides.push_back(
        emitter.multiply(getIndex(emitter, strides[dim]), source.strides[dim]));
  }
  view.base = source.base;
  view.pointer = source.pointer;
  moveView(emitter, view, emitter.add(source.offset, offset),
           op.getType().getElementType());
  return view;
}

static GlobalView takeGlobal(ThreadEmitter &emitter,
                             memref::ReinterpretCastOp op,
                             const GlobalView &source) {
  GlobalView view;
  view.base = view.pointer = source.base;
  moveView(emitter, view, getIndex(emitter, op.getMixedOffsets().front()),
           op.getType().getElementType());
  for (OpFoldResult size : op.getMixedSizes())
    view.sizes.push_back(getIndex(emitter, size));
  for (OpFoldResult stride : op.getMixedStrides())
    view.strides.push_back(getIndex(emitter, stride));
  return view;
}

static GlobalView takeGlobal(ThreadEmitter &emitter, memref::ExpandShapeOp op,
                             const GlobalView &source) {
  GlobalView view = source;
  view.sizes.clear();
  for (OpFoldResult size : getMixedValues(op.getStaticOutputShape(),
                                          op.getOutputShape(), emitter.builder))
    view.sizes.push_back(getIndex(emitter, size));
  view.strides.assign(view.sizes.size(), Value());
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    Value stride = source.strides[dim];
    for (int64_t inner : llvm::reverse(group)) {
      view.strides[inner] = stride;
      stride = emitter.multiply(stride, view.sizes[inner]);
    }
  }
  return view;
}

static GlobalView takeGlobal(ThreadEmitter &emitter, memref::CollapseShapeOp op,
                             const GlobalView &source) {
  GlobalView view = source;
  view.sizes.clear();
  view.strides.clear();
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    Value size = emitter.i64(1), stride;
    for (int64_t inner : llvm::reverse(group)) {
      size = emitter.multiply(size, source.sizes[inner]);
      // A unit dimension's stride says nothing.
      if (!stride && op.getSrcType().getDimSize(inner) != 1)
        stride = source.strides[inner];
    }
    view.sizes.push_back(size);
    view.strides.push_back(stride ? stride : emitter.i64(1));
  }
  return view;
}

//===----------------------------------------------------------------------===//
// Any memref
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult lowerMemRefView(ThreadEmitter &emitter, OpT op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  auto type = dyn_cast<MemRefType>(source.getType());
  if (!type || !isa<MemRefType>(result.getType()))
    return emitter.notImplemented(op, "memrefs without a rank");
  if (isSharedMemory(type)) {
    FailureOr<SharedView> view =
        takeShared(emitter, op, emitter.getShared(source));
    if (failed(view))
      return emitter.notImplemented(op, "this view of a shared buffer");
    emitter.bind(result, std::move(*view));
    return success();
  }
  emitter.bind(result, takeGlobal(emitter, op, emitter.getGlobal(source)));
  return success();
}

/// Adds to `isWrong` where one of `values` is not divisible.
static Value addIndivisible(ThreadEmitter &emitter, Value isWrong,
                            ArrayRef<Value> values,
                            std::optional<ArrayRef<int64_t>> divisors) {
  for (auto [value, divisor] :
       llvm::zip(values, divisors.value_or(ArrayRef<int64_t>()))) {
    if (divisor == 1)
      continue;
    Value rest = emitter.remainder(value, divisor);
    Value isOne = emitter.compare(arith::CmpIPredicate::ne, rest,
                                  emitter.zero(rest.getType()));
    isWrong = isWrong ? emitter.builder.createOrFold<arith::OrIOp>(
                            emitter.loc, isWrong, isOne)
                      : isOne;
  }
  return isWrong;
}

/// In shared memory everything is known, and was verified.
static LogicalResult lowerAssertFacts(ThreadEmitter &emitter,
                                      AssertFactsOp op) {
  if (isSharedMemory(cast<MemRefType>(op.getSource().getType())))
    return success();
  const GlobalView &view = emitter.getGlobal(op.getSource());
  Value isWrong = addIndivisible(emitter, {}, view.sizes, op.getSizes());
  isWrong = addIndivisible(emitter, isWrong, view.strides, op.getStrides());
  if (std::optional<uint64_t> alignment = op.getAlignment()) {
    Value address =
        LLVM::PtrToIntOp::create(emitter.builder, emitter.loc,
                                 emitter.builder.getI64Type(), view.pointer);
    isWrong = addIndivisible(emitter, isWrong, address,
                             ArrayRef(static_cast<int64_t>(*alignment)));
  }
  if (isWrong)
    emitter.emitUnder(
        isWrong, [&] { LLVM::Trap::create(emitter.builder, emitter.loc); });
  return success();
}

static LogicalResult lowerDim(ThreadEmitter &emitter, memref::DimOp op) {
  auto type = dyn_cast<MemRefType>(op.getSource().getType());
  if (!type)
    return emitter.notImplemented(op, "memref.dim of an unranked memref");
  SmallVector<Value> sizes;
  if (isSharedMemory(type))
    for (int64_t size : type.getShape())
      sizes.push_back(emitter.i64(size));
  else
    sizes = emitter.getGlobal(op.getSource()).sizes;
  if (std::optional<int64_t> dim = op.getConstantIndex()) {
    if (*dim < 0 || *dim >= type.getRank())
      return op.emitError("dimension ")
             << *dim << " of a memref of rank " << type.getRank();
    emitter.bind(op.getResult(), sizes[*dim]);
    return success();
  }
  Value index = emitter.getScalar(op.getIndex()), result = emitter.i64(0);
  for (auto [dim, size] : llvm::enumerate(sizes))
    result = emitter.select(
        emitter.compare(arith::CmpIPredicate::eq, index, emitter.i64(dim)),
        size, result);
  emitter.bind(op.getResult(), result);
  return success();
}

void tile::registerViewLowerings(LoweringTable &table) {
  table.add(lowerMemRefView<AssumeOp>);
  table.add(lowerAssertFacts);
  table.add(lowerMemRefView<memref::CastOp>);
  table.add(lowerMemRefView<memref::CollapseShapeOp>);
  table.add(lowerMemRefView<memref::ExpandShapeOp>);
  table.add(lowerMemRefView<memref::ReinterpretCastOp>);
  table.add(lowerMemRefView<memref::SubViewOp>);
  table.add(lowerDim);
}
