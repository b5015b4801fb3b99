//===- LayoutConstraints.cpp - What an operation asks of layouts ----------===//

#include "tile/Dialect/Tile/LayoutConstraints.h"
#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

void LayoutConstraints::takeSame(OpOperand &use, LayoutEnd source,
                                 Relabelling relabelling) {
  same.push_back({&use, source});
  taken.push_back({&use, source, tilec::LayoutMap(), relabelling});
}

void LayoutConstraints::demandGroups(OpOperand &use, int64_t dim,
                                     int64_t count) {
  demandGroups(use, {{count, static_cast<int>(dim), 1}});
}

void LayoutConstraints::demandGroups(OpOperand &use, tilec::Digits numbering) {
  tilec::GroupDemand demand(std::move(numbering));
  if (demand.getCount() > 1 &&
      isSharedMemory(cast<MemRefType>(use.get().getType())))
    buffers.push_back({&use, std::move(demand)});
}

FragmentAttr tile::getFragmentAt(LayoutEnd end) {
  if (auto value = dyn_cast<Value>(end))
    return getFragment(value.getType());
  if (auto *use = dyn_cast<OpOperand *>(end))
    return getFragment(use->get().getType());
  return cast<IterationSpaceOpInterface>(cast<Operation *>(end))
      .getLayoutAttr();
}

SharedAttr tile::getBufferLayout(Value root) {
  return llvm::TypeSwitch<Operation *, SharedAttr>(root.getDefiningOp())
      .Case<AllocOp, ViewOp>([](auto op) { return op.getLayoutAttr(); })
      .Default(SharedAttr());
}

std::optional<tilec::BufferDemand>
tile::getDemandOnRoot(const DemandedBuffer &demanded) {
  Value memref = demanded.use->get();
  tilec::BufferDemand demand = demanded.demand;
  auto move = [&](int &dim) {
    auto rootDim = getRootDim(memref, dim);
    if (rootDim)
      dim = static_cast<int>(*rootDim);
    return rootDim.has_value();
  };
  bool isKnown = true;
  if (auto *group = std::get_if<tilec::GroupDemand>(&demand))
    isKnown = llvm::all_of(
        group->numbering, [&](tilec::Digit &digit) { return move(digit.dim); });
  else
    isKnown = llvm::all_of(std::get<tilec::PatternDemand>(demand).dims, move);
  return isKnown ? std::optional(std::move(demand)) : std::nullopt;
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
