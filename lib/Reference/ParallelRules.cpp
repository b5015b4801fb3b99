//===- ParallelRules.cpp - tile.parallel ---------------------------------===//
//
// The body is evaluated once, operation by operation, on arrays with an element
// per iteration of the box in row-major order. Buffers that the body writes are
// watched for elements shared between iterations.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "tile/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

SmallVector<Buffer *> getWrittenBuffers(Machine &machine, ParallelOp op) {
  SmallVector<Buffer *> buffers;
  op.getBody().walk([&](Operation *inner) {
    Value memref;
    if (auto store = dyn_cast<memref::StoreOp>(inner))
      memref = store.getMemref();
    else if (auto atomic = dyn_cast<memref::AtomicRMWOp>(inner))
      memref = atomic.getMemref();
    // Memrefs come from outside of the body, where nothing makes a view.
    if (memref && memref.getParentRegion()->isProperAncestor(&op.getBody()))
      buffers.push_back(machine.getMemRef(memref).buffer.get());
  });
  return buffers;
}

/// tile.parallel: Language.md, "tile.parallel".
LogicalResult parallel(Machine &machine, ParallelOp op) {
  ArrayRef<int64_t> shape = op.getShape();
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  SmallVector<int64_t, 4> strides = getStrides(shape);
  for (auto [dim, variable] : llvm::enumerate(op.getInductionVars())) {
    Array induction(ElementType::integer(64), count);
    for (int64_t i = 0; i < count; ++i)
      induction.integers[i] = i / strides[dim] % shape[dim];
    machine.set(variable, std::move(induction));
  }
  machine.checker.beginParallel(count, getWrittenBuffers(machine, op));
  LogicalResult result = machine.withLanes(
      count, [&] { return machine.runBlock(op.getBody().front()); });
  machine.checker.endParallel();
  if (failed(result))
    return failure();
  for (auto [value, yielded] :
       llvm::zip(op.getResults_(), op.getYield().getValues()))
    machine.set(value, broadcast(machine.getArray(yielded), count));
  return success();
}

} // namespace

void mlir::tile::reference::addParallelRules(RuleTable &table) {
  table.add(parallel);
}
