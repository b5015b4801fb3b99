//===- LateStores.cpp - Fills through registers ---------------------------===//

#include "LateStores.h"
#include "LoopStatements.h"

#include "tile/Analysis/NestedAccesses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tile;

/// Follows `value` back to loads in `block`; unless `mayBeShared`, of what only
/// one operation uses. What is shared is still what was loaded, element by
/// element; what combines elements is the loop's computation.
static bool trace(Value value, Block *block, LateStore &found,
                  bool mayBeShared = false) {
  Operation *op = value.getDefiningOp();
  // Scalars are computed again, constants and what is outside of the loop is
  // there anyhow.
  bool isFree =
      !isa<RankedTensorType>(value.getType()) ||
      (op && op->hasTrait<OpTrait::ConstantLike>()) ||
      !block->getParentOp()->isAncestor(value.getParentBlock()->getParentOp());
  if (isFree)
    return true;
  if (!op || op->getBlock() != block || (!mayBeShared && !value.hasOneUse()))
    return false;
  if (onlyReadsGlobal(op)) {
    found.loads.push_back(op);
    return true;
  }
  if (!isPure(op) || op->getNumRegions() > 0 ||
      (mayBeShared && !op->hasTrait<OpTrait::Elementwise>()))
    return false;
  found.between.push_back(op);
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return trace(operand, block, found, mayBeShared);
  });
}

std::optional<LateStore> tile::matchLateStore(Operation *op) {
  if (op->getNumResults() > 0)
    return std::nullopt;
  LateStore found;
  for (const BlockAccess &access : getNestedAccesses(op)) {
    bool isStore =
        access.isShared() && access.writes && !access.reads && access.fragment;
    if (!isStore || !trace(access.fragment, op->getBlock(), found))
      return std::nullopt;
  }
  WalkResult others = op->walk([](Operation *inner) {
    bool isNeutral = isMemoryEffectFree(inner) ||
                     !getNestedAccesses(inner).empty() ||
                     inner->hasTrait<OpTrait::IsTerminator>();
    return isNeutral ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (others.wasInterrupted() || found.loads.empty())
    return std::nullopt;
  return found;
}

bool tile::isComputedFromLoads(Value fragment, Block *block) {
  LateStore found;
  return trace(fragment, block, found, /*mayBeShared=*/true) &&
         !found.loads.empty();
}

bool tile::isBetweenLoadAndStore(Operation *op) {
  while (op->getNumResults() == 1 && op->getResult(0).hasOneUse() &&
         isPure(op) && op->getNumRegions() == 0)
    op = *op->getResult(0).getUsers().begin();
  return matchLateStore(op).has_value();
}
