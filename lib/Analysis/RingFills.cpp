//===- RingFills.cpp - Which copies fill which use of a ring --------------===//

#include "tile/Analysis/RingFills.h"

#include "tile/Analysis/RingNumbers.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

std::optional<RingUseKind> tile::getRingUseKind(Operation *op) {
  using Kind = std::optional<RingUseKind>;
  if (!op)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Kind>(op)
      .Case([](RingAcquireOp) { return RingUseKind::Acquire; })
      .Case([](RingCommitOp) { return RingUseKind::Commit; })
      .Case([](RingWaitOp) { return RingUseKind::Wait; })
      .Case([](RingReleaseOp) { return RingUseKind::Release; })
      .Default(std::nullopt);
}

RingOp tile::getRing(Value ring) { return ring.getDefiningOp<RingOp>(); }

RingOp tile::getRingOfBuffer(Value buffer) {
  for (Operation *user : buffer.getUsers())
    if (auto ring = dyn_cast<RingOp>(user))
      if (llvm::is_contained(ring.getBuffers(), buffer))
        return ring;
  return {};
}

bool tile::isOfMbarriers(Value ring) {
  RingOp op = getRing(ring);
  return op && op.getBarriers();
}

/// The block of `op` that `inner`, an operation in it, is in, where `op` runs it
/// once at most; null otherwise.
static Block *getConditionalBlock(Operation *op, Operation *inner) {
  if (op == inner || !isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return nullptr;
  Region *region = inner->getParentRegion();
  while (region->getParentOp() != op)
    region = region->getParentRegion();
  return &region->front();
}

bool tile::isBehindRing(Operation *op, Operation *ring) {
  // Down to where uses and `op` are apart, through conditions around both:
  // whoever is in a branch behind all uses comes to no other.
  for (Block *block = ring->getBlock(); block;) {
    Operation *own = block->findAncestorOpInBlock(*op);
    if (!own)
      return false;
    bool isAroundUse = false;
    for (Operation *use : ring->getUsers()) {
      Operation *around = block->findAncestorOpInBlock(*use);
      isAroundUse |= around == own;
      if (!around || (around != own && !around->isBeforeInBlock(own)))
        return false;
    }
    if (!isAroundUse)
      return true;
    block = getConditionalBlock(own, op);
  }
  return false;
}

bool tile::isMbarrierUse(Operation *op) {
  return getRingUseKind(op) && isOfMbarriers(op->getOperand(0));
}

RingOp tile::getMbarrierRing(const BlockAccess &access) {
  if (!access.memref || !isa<MemRefType>(access.memref.getType()))
    return {};
  Value root = getSharedRoot(access.memref);
  RingOp ring = root ? getRingOfBuffer(root) : RingOp();
  return ring && ring.getBarriers() ? ring : RingOp();
}

//===----------------------------------------------------------------------===//
// From a copy to its use
//===----------------------------------------------------------------------===//

Value tile::getSlotValue(Value memref) {
  Value root = getSharedRoot(memref);
  while (root && memref != root) {
    auto view = memref.getDefiningOp<ViewLikeOpInterface>();
    if (!view)
      return {};
    auto slice = dyn_cast<memref::SubViewOp>(view.getOperation());
    if (slice && slice.getSource() == root)
      return isConstantIntValue(slice.getMixedSizes().front(), 1)
                 ? dyn_cast<Value>(slice.getMixedOffsets().front())
                 : Value();
    memref = view.getViewSource();
  }
  return {};
}

RingAcquireOp tile::getAcquire(CopyOp copy) {
  Value slot = getSlotValue(copy.getDest());
  return slot ? slot.getDefiningOp<RingAcquireOp>() : RingAcquireOp();
}

RingAcquireOp tile::getFill(const BlockAccess &access) {
  CopyOp copy = access.op ? getBulkCopy(access.op) : CopyOp();
  if (!copy || access.completion != tilec::Completion::Mbarrier)
    return {};
  RingAcquireOp acquire = getAcquire(copy);
  return acquire && isOfMbarriers(acquire.getRing()) ? acquire
                                                     : RingAcquireOp();
}

//===----------------------------------------------------------------------===//
// From a use to its copies
//===----------------------------------------------------------------------===//

/// Adds the bulk loads into `memref` and into views of it.
static void addBulkLoads(Value memref, SmallVectorImpl<CopyOp> &loads) {
  for (Operation *user : memref.getUsers()) {
    if (isa<ViewLikeOpInterface>(user))
      addBulkLoads(user->getResult(0), loads);
    else if (CopyOp copy = getBulkCopy(user))
      if (copy.getDest() == memref && isBulkLoad(copy))
        loads.push_back(copy);
  }
}

SmallVector<CopyOp> tile::getBulkLoads(RingAcquireOp acquire) {
  SmallVector<CopyOp> loads, ordered;
  for (Operation *user : acquire.getSlot().getUsers())
    if (auto slice = dyn_cast<memref::SubViewOp>(user))
      if (getSlotValue(slice.getResult()) == acquire.getSlot())
        addBulkLoads(slice.getResult(), loads);
  llvm::SmallPtrSet<Operation *, 4> known(loads.begin(), loads.end());
  acquire->getParentOp()->walk([&](CopyOp copy) {
    if (known.contains(copy))
      ordered.push_back(copy);
  });
  return ordered;
}

RingAcquireOp tile::getAcquireWithLoads(RingCommitOp commit) {
  RingNumber number = getRingNumber(commit.getNumber());
  for (Operation *op = commit->getPrevNode(); op; op = op->getPrevNode()) {
    auto acquire = dyn_cast<RingAcquireOp>(op);
    if (!acquire || acquire.getRing() != commit.getRing() ||
        getRingNumber(acquire.getNumber()) != number)
      continue;
    bool areBetween = llvm::all_of(getBulkLoads(acquire), [&](CopyOp copy) {
      return copy->getBlock() == commit->getBlock() &&
             copy->isBeforeInBlock(commit);
    });
    return areBetween ? acquire : RingAcquireOp();
  }
  return {};
}

bool tile::isCountedAtOnce(RingAcquireOp acquire) {
  return llvm::any_of(acquire.getRing().getUsers(), [&](Operation *user) {
    auto commit = dyn_cast<RingCommitOp>(user);
    return commit && getAcquireWithLoads(commit) == acquire;
  });
}
