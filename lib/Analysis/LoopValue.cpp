//===- LoopValue.cpp - The loop that a value belongs to -------------------===//

#include "tile/Analysis/LoopValue.h"

using namespace mlir;
using namespace mlir::tile;

std::optional<LoopValue> tile::getLoopValue(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument) {
    auto loop = value.getDefiningOp<scf::ForOp>();
    if (!loop)
      return std::nullopt;
    return LoopValue{loop, cast<OpResult>(value).getResultNumber()};
  }
  auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop)
    return std::nullopt;
  if (argument == loop.getInductionVar())
    return LoopValue{loop, std::nullopt};
  return LoopValue{loop, argument.getArgNumber() - loop.getNumInductionVars()};
}
