//===- MemRefRoots.cpp - Where memrefs come from --------------------------===//

#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tile;

/// The values that `value` is one of, looking through one operation; empty
/// where `value` is a root.
static SmallVector<Value> getOrigins(Value value) {
  Operation *op = value.getDefiningOp();
  if (op) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      return {view.getViewSource()};
    if (isa<AssumeOp>(op))
      return {op->getOperand(0)};
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return {select.getTrueValue(), select.getFalseValue()};
  }
  Operation *owner =
      op ? op : cast<BlockArgument>(value).getOwner()->getParentOp();
  auto branch = dyn_cast_or_null<RegionBranchOpInterface>(owner);
  if (!branch)
    return {};
  RegionBranchInverseSuccessorMapping inputs;
  branch.getSuccessorInputOperandMapping(inputs);
  SmallVector<Value> origins;
  for (OpOperand *operand : inputs.lookup(value))
    origins.push_back(operand->get());
  return origins;
}

SmallVector<Value> tile::getMemRefRoots(Value memref) {
  llvm::SetVector<Value> seen;
  SmallVector<Value> roots;
  seen.insert(memref);
  for (size_t next = 0; next < seen.size(); ++next) {
    SmallVector<Value> origins = getOrigins(seen[next]);
    if (origins.empty())
      roots.push_back(seen[next]);
    seen.insert(origins.begin(), origins.end());
  }
  return roots;
}

Value tile::getSharedRoot(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (isa<AllocOp, ViewOp, ArenaOp>(op))
      return memref;
    SmallVector<Value> origins = getOrigins(memref);
    if (origins.size() != 1)
      return {};
    memref = origins.front();
  }
  return {};
}

bool tile::mayAliasOthers(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    auto function = dyn_cast_or_null<FunctionOpInterface>(
        argument.getOwner()->getParentOp());
    return !function ||
           function.getArgAttr(argument.getArgNumber(),
                               TileDialect::MayAliasAttrHelper::getNameStr());
  }
  return !isa<memref::AllocOp>(root.getDefiningOp());
}
