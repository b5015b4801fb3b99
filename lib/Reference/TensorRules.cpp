//===- TensorRules.cpp - tensor operations on fragments ------------------===//
//
// A fragment is its elements in row-major order, so reshapes change nothing and
// slices are lists of positions.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

using namespace mlir;
using namespace mlir::tile::reference;

namespace {

/// LangRef tensor.extract; at any index in bounds, one a lane (Language.md,
/// "tile.parallel").
LogicalResult extract(Machine &machine, tensor::ExtractOp op) {
  const Array &source = machine.getArray(op.getTensor());
  ArrayRef<int64_t> shape = op.getTensor().getType().getShape();
  SmallVector<int64_t, 4> strides = getStrides(shape);
  SmallVector<const Array *> indices;
  for (Value index : op.getIndices())
    indices.push_back(&machine.getArray(index));
  int64_t count = getCommonCount(indices);
  std::vector<int64_t> positions(count, 0);
  for (int64_t lane = 0; lane < count; ++lane) {
    if (count > 1 && !machine.isActive(lane))
      continue;
    for (auto [dim, index] : llvm::enumerate(indices)) {
      int64_t from = index->count == 1 ? 0 : lane;
      if (index->isPoison(from))
        return machine.undefinedAt(op, lane, *index)
               << "index " << dim << " depends on memory that nobody wrote";
      if (index->getBound(from) != 0.0)
        machine.leaveOpen(op);
      int64_t at = index->integers[from];
      if (at < 0 || at >= shape[dim])
        return machine.errorAt(op, lane)
               << "index " << dim << " is " << at << ", outside of [0, "
               << shape[dim] << ")";
      positions[lane] += at * strides[dim];
    }
  }
  machine.set(op.getResult(), gather(source, positions));
  return success();
}

/// LangRef tensor.splat.
LogicalResult splat(Machine &machine, tensor::SplatOp op) {
  machine.set(op.getAggregate(), broadcast(machine.getArray(op.getInput()),
                                           getElementCount(op.getType())));
  return success();
}

/// LangRef tensor.from_elements.
LogicalResult fromElements(Machine &machine, tensor::FromElementsOp op) {
  Array result(getResultType(op), getElementCount(op.getType()));
  for (auto [i, element] : llvm::enumerate(op.getElements()))
    result.setFrom(i, machine.getArray(element), 0);
  machine.set(op.getResult(), std::move(result));
  return success();
}

/// LangRef tensor.expand_shape, tensor.collapse_shape.
LogicalResult reshape(Machine &machine, Operation *op) {
  machine.set(op->getResult(0), machine.get(op->getOperand(0)));
  return success();
}

/// The positions of a slice in the row-major order of the whole.
std::vector<int64_t> getSlice(ArrayRef<int64_t> shape,
                              ArrayRef<int64_t> offsets,
                              ArrayRef<int64_t> sizes,
                              ArrayRef<int64_t> strides) {
  std::vector<int64_t> positions{0};
  SmallVector<int64_t, 4> pitches = getStrides(shape);
  for (size_t d = 0; d < shape.size(); ++d) {
    std::vector<int64_t> next;
    next.reserve(positions.size() * sizes[d]);
    for (int64_t position : positions)
      for (int64_t i = 0; i < sizes[d]; ++i)
        next.push_back(position + (offsets[d] + i * strides[d]) * pitches[d]);
    positions = std::move(next);
  }
  return positions;
}

template <typename Op>
LogicalResult checkSlice(Machine &machine, Op op) {
  if (!op.getOffsets().empty() || !op.getSizes().empty() ||
      !op.getStrides().empty())
    return machine.error(op)
           << "slices of fragments have static offsets, sizes and strides";
  return success();
}

/// LangRef tensor.extract_slice; static (Language.md, "Legal operations").
LogicalResult extractSlice(Machine &machine, tensor::ExtractSliceOp op) {
  if (failed(checkSlice(machine, op)))
    return failure();
  machine.set(
      op.getResult(),
      gather(machine.getArray(op.getSource()),
             getSlice(op.getSourceType().getShape(), op.getStaticOffsets(),
                      op.getStaticSizes(), op.getStaticStrides())));
  return success();
}

/// LangRef tensor.insert_slice; static (Language.md, "Legal operations").
LogicalResult insertSlice(Machine &machine, tensor::InsertSliceOp op) {
  if (failed(checkSlice(machine, op)))
    return failure();
  Array result = machine.getArray(op.getDest());
  const Array &source = machine.getArray(op.getSource());
  std::vector<int64_t> positions =
      getSlice(op.getDestType().getShape(), op.getStaticOffsets(),
               op.getStaticSizes(), op.getStaticStrides());
  for (int64_t i = 0; i < source.count; ++i)
    result.setFrom(positions[i], source, i);
  machine.set(op.getResult(), std::move(result));
  return success();
}

} // namespace

void mlir::tile::reference::addTensorRules(RuleTable &table) {
  table.add(extract);
  table.add(splat);
  table.add(fromElements);
  table.addAll<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(reshape);
  table.add(extractSlice);
  table.add(insertSlice);
}
