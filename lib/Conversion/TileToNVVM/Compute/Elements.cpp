//===- Elements.cpp - Fragments made of and cut into elements -------------===//
//
// `tensor.splat`, `tensor.from_elements` and `tensor.extract`. A table of
// elements is spread over threads by a choice at run time: each compares its
// coordinate.
//
//===----------------------------------------------------------------------===//

#include "Distribution.h"

#include "tile/Dialect/Tile/OwnElement.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::FragmentLayout;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Whether this thread's part of `layout` is `position`; null if always.
static Value isThreadAt(ThreadEmitter &emitter, const FragmentLayout &layout,
                        const Coordinate &position) {
  Value condition;
  for (int dim = 0; dim < layout.getRank(); ++dim) {
    const ThreadCoordinate &thread =
        emitter.getScope().getCoordinate(layout, dim);
    if (thread.value)
      condition = emitter.both(
          condition, emitter.compare(arith::CmpIPredicate::eq, thread.value,
                                     emitter.i32(position[dim])));
  }
  return condition;
}

/// Every thread part that `layout` has, each once.
static SmallVector<Coordinate> getThreadParts(ThreadEmitter &emitter,
                                              const FragmentLayout &layout) {
  SmallVector<Coordinate> parts = {Coordinate()};
  for (int dim = 0; dim < layout.getRank(); ++dim) {
    SmallVector<Coordinate> longer;
    for (const Coordinate &part : parts)
      for (int64_t value :
           emitter.getScope().getCoordinate(layout, dim).values) {
        longer.push_back(part);
        longer.back().push_back(value);
      }
    parts = std::move(longer);
  }
  return parts;
}

SmallVector<Value> tile::emitDistribution(ThreadEmitter &emitter,
                                          const FragmentLayout &layout,
                                          ArrayRef<Value> elements) {
  SmallVector<Coordinate> parts = getThreadParts(emitter, layout);
  SmallVector<Value> conditions, registers;
  for (const Coordinate &part : parts)
    conditions.push_back(isThreadAt(emitter, layout, part));
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg) {
    Value value;
    for (auto [part, condition] : llvm::zip(parts, conditions)) {
      Coordinate coordinate = getRegisterCoordinate(layout, reg);
      int64_t position = 0;
      for (int dim = 0; dim < layout.getRank(); ++dim) {
        coordinate[dim] += part[dim];
        position = position * layout.getShape()[dim] + coordinate[dim];
      }
      if (!layout.isInShape(coordinate))
        continue;
      value = value && condition
                  ? emitter.select(condition, elements[position], value)
                  : elements[position];
    }
    registers.push_back(value ? value
                              : emitter.padding(elements.front().getType()));
  }
  return registers;
}

static LogicalResult lowerFromElements(ThreadEmitter &emitter,
                                       tensor::FromElementsOp op) {
  SmallVector<Value> elements;
  for (Value element : op.getElements())
    elements.push_back(emitter.getScalar(element));
  emitter.bind(
      op.getResult(),
      emitDistribution(emitter, emitter.getLayout(op.getResult()), elements));
  return success();
}

static LogicalResult lowerSplat(ThreadEmitter &emitter, tensor::SplatOp op) {
  int64_t count = emitter.getLayout(op.getAggregate()).getRegisterCount();
  emitter.bind(op.getAggregate(),
               SmallVector<Value>(count, emitter.getScalar(op.getInput())));
  return success();
}

//===----------------------------------------------------------------------===//
// Extraction
//===----------------------------------------------------------------------===//

/// At block level an element that every thread holds in a known register, in
/// `tile.parallel` the iteration's own (stage `materialized`).
static LogicalResult lowerExtract(ThreadEmitter &emitter,
                                  tensor::ExtractOp op) {
  const FragmentLayout &layout = emitter.getLayout(op.getTensor());
  Coordinate coordinate;
  if (ParallelOp loop = emitter.iteration.loop) {
    Coordinate iteration = getRegisterCoordinate(
        emitter.getLayout(loop.getLayoutAttr()), emitter.iteration.reg);
    std::optional<SmallVector<int>> dims = getOwnElementDims(op, loop);
    assert(dims && "guaranteed by stage 'materialized'");
    for (int dim : *dims)
      coordinate.push_back(iteration[dim]);
  } else {
    for (auto [index, extent] :
         llvm::zip_equal(op.getIndices(), layout.getShape())) {
      std::optional<int64_t> position = getConstantIntValue(index);
      if (!position || *position < 0 || *position >= extent)
        return op.emitError("reads outside of the fragment, which has ")
               << extent << " elements along this dimension";
      coordinate.push_back(*position);
    }
  }
  emitter.bind(
      op.getResult(),
      emitter.getElement(op.getTensor(), getRegister(layout, coordinate)));
  return success();
}

void tile::registerElementLowerings(LoweringTable &table) {
  table.add(lowerFromElements);
  table.add(lowerSplat);
  table.add(lowerExtract);
}
