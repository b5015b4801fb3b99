//===- MemRefRules.cpp - memref on host and in launches ------------------===//
//
// Views are arithmetic on offset, sizes and strides; nothing is copied. What
// the types promise (a static size, a view that lies inside its source) is
// checked. Loads, stores and atomics on single elements need indices in bounds,
// unlike the tile operations.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "tile/Contract/Views.h"
#include "tile/Dialect/Tile/FixedLayout.h"
#include "tile/Dialect/Tile/SubViews.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile::reference;

namespace {

//===----------------------------------------------------------------------===//
// Allocation and copies on the host
//===----------------------------------------------------------------------===//

/// LangRef memref.alloc; on the host only (Language.md, "Legal operations").
LogicalResult alloc(Machine &machine, memref::AllocOp op) {
  FailureOr<SmallVector<int64_t>> sizes =
      machine.getMixed(op, op.getType().getShape(), op.getDynamicSizes(),
                       "a size of the allocation");
  if (failed(sizes))
    return failure();
  for (int64_t size : *sizes)
    if (size < 0)
      return machine.error(op)
             << "a size of the allocation is " << size << ", below zero";
  std::optional<ElementType> element = ElementType::get(op.getType());
  if (!element || !op.getType().getLayout().isIdentity())
    return machine.error(op) << "an allocation of type " << op.getType()
                             << " has no meaning in a tile program";
  if (std::string problem = checkAllocation(*element, *sizes); !problem.empty())
    return machine.error(op)
           << "the allocation of type " << op.getType() << " " << problem;
  machine.set(op.getResult(),
              allocate("memref.alloc", op.getLoc(), *element, *sizes));
  return success();
}

/// LangRef memref.dealloc.
LogicalResult dealloc(Machine &machine, memref::DeallocOp op) {
  Buffer &buffer = *machine.getMemRef(op.getMemref()).buffer;
  if (buffer.isFreed)
    return machine.error(op)
           << "buffer '" << buffer.name << "' is deallocated twice";
  buffer.isFreed = true;
  return success();
}

/// LangRef memref.dim.
LogicalResult dim(Machine &machine, memref::DimOp op) {
  const MemRef &memref = machine.getMemRef(op.getSource());
  FailureOr<int64_t> index =
      machine.getUniform(op, op.getIndex(), "the dimension");
  if (failed(index))
    return failure();
  if (std::string problem = tilec::checkDim(*index, memref.getRank());
      !problem.empty())
    return machine.error(op) << problem;
  machine.set(op.getResult(), Array::integer(memref.sizes[*index]));
  return success();
}

/// LangRef memref.copy. Undefined elements stay undefined.
LogicalResult copy(Machine &machine, memref::CopyOp op) {
  const MemRef &source = machine.getMemRef(op.getSource());
  const MemRef &target = machine.getMemRef(op.getTarget());
  if (source.sizes != target.sizes) {
    auto print = [](InFlightDiagnostic &diagnostic, ArrayRef<int64_t> sizes) {
      diagnostic << "[";
      llvm::interleave(
          sizes, [&](int64_t size) { diagnostic << size; },
          [&] { diagnostic << ", "; });
      diagnostic << "]";
    };
    InFlightDiagnostic diagnostic = machine.error(op);
    diagnostic << "copies between memrefs of sizes ";
    print(diagnostic, source.sizes);
    diagnostic << " and ";
    print(diagnostic, target.sizes);
    return diagnostic;
  }
  if (source.buffer->isFreed || target.buffer->isFreed)
    return machine.error(op) << "copies from or to a deallocated buffer";
  for (const MemRef &side : {source, target})
    if (side.buffer->deviceBytes)
      return machine.error(op)
             << "copies " << side.buffer->name
             << ", which lies in the memory of a GPU, on the host; copy it in "
                "a tile.launch, or give an array of the host";
  writeAll(target, readAll(source));
  return success();
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Whether the static parts of a memref type hold for a value.
LogicalResult checkType(Machine &machine, Operation *op, const MemRef &memref,
                        MemRefType type) {
  FailureOr<tile::FixedLayout> layout = tile::getFixedLayout(type);
  if (failed(layout))
    return machine.error(op) << "type " << type << " has no strided layout";
  std::string problem = tilec::checkType(layout->getShape(), getView(memref));
  if (!problem.empty())
    return machine.error(op) << problem;
  return success();
}

/// LangRef memref.cast.
LogicalResult castOp(Machine &machine, memref::CastOp op) {
  auto type = dyn_cast<MemRefType>(op.getType());
  if (!type)
    return machine.error(op) << "unranked memrefs are not in the language";
  const MemRef &memref = machine.getMemRef(op.getSource());
  if (failed(checkType(machine, op, memref, type)))
    return failure();
  machine.set(op.getResult(), machine.get(op.getSource()));
  return success();
}

/// LangRef memref.subview; inside its source (Language.md, "Out of bounds").
LogicalResult subview(Machine &machine, memref::SubViewOp op) {
  MemRef source = machine.getMemRef(op.getSource());
  FailureOr<SmallVector<int64_t>> offsets = machine.getMixed(
      op, op.getStaticOffsets(), op.getOffsets(), "an offset of the view");
  FailureOr<SmallVector<int64_t>> sizes = machine.getMixed(
      op, op.getStaticSizes(), op.getSizes(), "a size of the view");
  FailureOr<SmallVector<int64_t>> strides = machine.getMixed(
      op, op.getStaticStrides(), op.getStrides(), "a stride of the view");
  if (failed(offsets) || failed(sizes) || failed(strides))
    return failure();
  MemRef view = source;
  view.sizes.clear();
  view.strides.clear();
  llvm::SmallBitVector dropped = tile::getDroppedDims(op);
  for (int64_t d = 0; d < source.getRank(); ++d) {
    int64_t offset = (*offsets)[d], size = (*sizes)[d], stride = (*strides)[d];
    if (std::string problem =
            tilec::checkSubview(d, offset, size, stride, source.sizes[d]);
        !problem.empty())
      return machine.error(op) << problem;
    view.offset += offset * source.strides[d];
    if (dropped.test(d))
      continue;
    view.sizes.push_back(size);
    view.strides.push_back(stride * source.strides[d]);
  }
  machine.set(op.getResult(), std::move(view));
  return success();
}

/// LangRef memref.reinterpret_cast.
LogicalResult reinterpretCast(Machine &machine, memref::ReinterpretCastOp op) {
  if (!isa<MemRefType>(op.getSource().getType()))
    return machine.error(op) << "unranked memrefs are not in the language";
  MemRef view = machine.getMemRef(op.getSource());
  FailureOr<SmallVector<int64_t>> offsets = machine.getMixed(
      op, op.getStaticOffsets(), op.getOffsets(), "the offset of the view");
  FailureOr<SmallVector<int64_t>> sizes = machine.getMixed(
      op, op.getStaticSizes(), op.getSizes(), "a size of the view");
  FailureOr<SmallVector<int64_t>> strides = machine.getMixed(
      op, op.getStaticStrides(), op.getStrides(), "a stride of the view");
  if (failed(offsets) || failed(sizes) || failed(strides))
    return failure();
  view.offset = offsets->front();
  view.sizes.assign(sizes->begin(), sizes->end());
  view.strides.assign(strides->begin(), strides->end());
  int64_t first = view.offset, last = view.offset;
  for (int64_t d = 0; d < view.getRank(); ++d) {
    if (view.sizes[d] < 0)
      return machine.error(op) << "size " << view.sizes[d] << " in dimension "
                               << d << " is below zero";
    int64_t span = (view.sizes[d] - 1) * view.strides[d];
    (span < 0 ? first : last) += span;
  }
  if (view.getNumElements() != 0 && (first < 0 || last >= view.getCapacity()))
    return machine.error(op) << "the view spans elements " << first << " to "
                             << last << " of buffer '" << view.buffer->name
                             << "', which has " << view.getCapacity();
  machine.set(op.getResult(), std::move(view));
  return success();
}

/// LangRef memref.expand_shape.
LogicalResult expandShape(Machine &machine, memref::ExpandShapeOp op) {
  const MemRef &source = machine.getMemRef(op.getSrc());
  FailureOr<SmallVector<int64_t>> sizes =
      machine.getMixed(op, op.getStaticOutputShape(), op.getOutputShape(),
                       "a size of the result");
  if (failed(sizes))
    return failure();
  MemRef view = source;
  view.sizes.assign(sizes->begin(), sizes->end());
  view.strides.assign(sizes->size(), 1);
  for (auto [d, group] : llvm::enumerate(op.getReassociationIndices())) {
    int64_t stride = source.strides[d], product = 1;
    for (int64_t member : llvm::reverse(group)) {
      view.strides[member] = stride;
      stride *= view.sizes[member];
      product *= view.sizes[member];
    }
    if (product != source.sizes[d])
      return machine.error(op)
             << "dimension " << d << " of size " << source.sizes[d]
             << " is expanded to sizes whose product is " << product;
  }
  machine.set(op.getResult(), std::move(view));
  return success();
}

/// LangRef memref.collapse_shape.
LogicalResult collapseShape(Machine &machine, memref::CollapseShapeOp op) {
  const MemRef &source = machine.getMemRef(op.getSrc());
  MemRef view = source;
  view.sizes.clear();
  view.strides.clear();
  // Where there are no elements, none follows another.
  bool isEmpty = source.getNumElements() == 0;
  for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
    int64_t size = 1, stride = 1;
    bool hasStride = false;
    for (int64_t member : llvm::reverse(group)) {
      if (source.sizes[member] != 1) {
        if (hasStride && !isEmpty && source.strides[member] != stride * size)
          return machine.error(op)
                 << "dimension " << member << " has stride "
                 << source.strides[member] << ", but dimensions that collapse "
                 << "must follow each other, which needs " << stride * size;
        if (!hasStride)
          stride = source.strides[member];
        hasStride = true;
      }
      size *= source.sizes[member];
    }
    view.sizes.push_back(size);
    view.strides.push_back(stride);
  }
  machine.set(op.getResult(), std::move(view));
  return success();
}

//===----------------------------------------------------------------------===//
// Single elements
//===----------------------------------------------------------------------===//

LogicalResult refuseOnHost(Machine &machine, Operation *op) {
  if (machine.blockState)
    return success();
  return machine.error(op) << "touches an element of device memory on the "
                              "host; do it in a tile.launch";
}

/// LangRef memref.load; once for the block or by iteration (Language.md, "Legal
/// operations").
LogicalResult loadElement(Machine &machine, memref::LoadOp op) {
  if (failed(refuseOnHost(machine, op)))
    return failure();
  const MemRef &memref = machine.getMemRef(op.getMemref());
  FailureOr<std::vector<int64_t>> elements =
      machine.getElements(op, memref, op.getIndices());
  if (failed(elements))
    return failure();
  FailureOr<Array> values = machine.load(op, memref, *elements);
  if (failed(values))
    return failure();
  machine.set(op.getResult(), std::move(*values));
  return success();
}

/// LangRef memref.store; once for the block or by iteration.
LogicalResult storeElement(Machine &machine, memref::StoreOp op) {
  if (failed(refuseOnHost(machine, op)))
    return failure();
  const MemRef &memref = machine.getMemRef(op.getMemref());
  FailureOr<std::vector<int64_t>> elements =
      machine.getElements(op, memref, op.getIndices());
  if (failed(elements))
    return failure();
  return machine.store(op, memref, *elements,
                       machine.getArray(op.getValueToStore()));
}

/// LangRef memref.atomic_rmw; orders: Language.md, "Aliasing and order".
LogicalResult atomicElement(Machine &machine, memref::AtomicRMWOp op) {
  if (failed(refuseOnHost(machine, op)))
    return failure();
  const MemRef &memref = machine.getMemRef(op.getMemref());
  FailureOr<std::vector<int64_t>> elements =
      machine.getElements(op, memref, op.getIndices());
  if (failed(elements))
    return failure();
  // Atomics of iterations are relaxed; a block's own orders it with others.
  bool isOrdering = !machine.isInParallel();
  if (isOrdering)
    machine.checker.acquire(memref, elements->front());
  FailureOr<Array> before = machine.atomicUpdate(
      op, memref, *elements, machine.getArray(op.getValue()), op.getKind());
  if (failed(before))
    return failure();
  if (isOrdering)
    machine.checker.release(memref, elements->front());
  machine.set(op.getResult(), std::move(*before));
  return success();
}

} // namespace

void mlir::tile::reference::addMemRefRules(RuleTable &table) {
  table.add(alloc);
  table.add(dealloc);
  table.add(dim);
  table.add(copy);
  table.add(castOp);
  table.add(subview);
  table.add(reinterpretCast);
  table.add(expandShape);
  table.add(collapseShape);
  table.add(loadElement);
  table.add(storeElement);
  table.add(atomicElement);
}
