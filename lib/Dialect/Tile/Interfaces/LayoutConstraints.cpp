//===- LayoutConstraints.cpp - What an operation asks of layouts ----------===//

#include "tile/Dialect/Tile/LayoutConstraints.h"
#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

void LayoutConstraints::takeSame(OpOperand &use, LayoutEnd source,
                                 Relabelling relabelling) {
  same.push_back({&use, source});
  taken.push_back({&use, source, tilec::LayoutMap(), relabelling});
}

FragmentAttr tile::getFragmentAt(LayoutEnd end) {
  if (auto value = dyn_cast<Value>(end))
    return getFragment(value.getType());
  if (auto *use = dyn_cast<OpOperand *>(end))
    return getFragment(use->get().getType());
  return cast<ParallelOp>(cast<Operation *>(end)).getLayoutAttr();
}

/// One layout for all fragments of an elementwise operation.
static void addElementwise(Operation *op, LayoutConstraints &constraints) {
  auto isFragment = [](Value value) {
    return isa<RankedTensorType>(value.getType());
  };
  if (op->getNumResults() == 0 || !isFragment(op->getResult(0)))
    return;
  Value first = op->getResult(0);
  for (Value result : op->getResults().drop_front())
    constraints.same.push_back({first, result});
  for (OpOperand &use : op->getOpOperands())
    if (isFragment(use.get()))
      constraints.takeSame(use, first);
}

LayoutConstraints tile::getLayoutConstraints(Operation *op) {
  LayoutConstraints constraints;
  if (auto statement = dyn_cast<LayoutConstraintsOpInterface>(op))
    statement.getLayoutConstraints(constraints);
  else if (op->hasTrait<OpTrait::Elementwise>())
    addElementwise(op, constraints);
  return constraints;
}
