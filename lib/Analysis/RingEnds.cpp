//===- RingEnds.cpp - The first and last uses of slots --------------------===//

#include "tile/Analysis/RingEnds.h"

#include "tile/Analysis/RingFills.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::tile;

/// Whether `second` may run behind `first`. Programs of several roles run at the same
/// time: what stands in two of them may come in any order.
static bool mayFollow(Operation *first, Operation *second) {
  for (Region *loop = getEnclosingRepetitiveRegion(first); loop;
       loop = getEnclosingRepetitiveRegion(loop->getParentOp()))
    if (loop->isAncestor(second->getParentRegion()))
      return true;
  for (Operation *own = first; own; own = own->getParentOp()) {
    Block *block = own->getBlock();
    Operation *other = block ? block->findAncestorOpInBlock(*second) : nullptr;
    if (!other)
      continue;
    return own == other ? !insideMutuallyExclusiveRegions(first, second)
                        : own->isBeforeInBlock(other);
  }
  return true;
}

/// The uses of the ring of `use` of one kind, `use` itself left out; nothing where
/// the ring is handed on by a region.
static std::optional<SmallVector<Operation *>>
getOthers(Operation *use, Value ring, RingUseKind kind) {
  RingOp op = getRing(ring);
  if (!op)
    return std::nullopt;
  SmallVector<Operation *> others;
  for (Operation *user : op->getUsers())
    if (user != use && getRingUseKind(user) == kind)
      others.push_back(user);
  return others;
}

bool tile::isOfFirstRound(RingAcquireOp acquire) {
  auto others = getOthers(acquire, acquire.getRing(), RingUseKind::Acquire);
  if (!others || getEnclosingRepetitiveRegion(acquire.getOperation()))
    return false;
  int64_t before = 0;
  for (Operation *other : *others) {
    if (!mayFollow(other, acquire))
      continue;
    if (getEnclosingRepetitiveRegion(other))
      return false;
    ++before;
  }
  return before < getRing(acquire.getRing()).getType().getSlots();
}

bool tile::isOfLastRound(RingReleaseOp release) {
  auto waits = getOthers(release, release.getRing(), RingUseKind::Wait);
  return waits && llvm::none_of(*waits, [&](Operation *wait) {
           return mayFollow(release, wait);
         });
}
