//===- RingFills.cpp - Which copies fill which use of a ring --------------===//

#include "tile/Analysis/RingFills.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/RingNumbers.h"
#include "tile/Analysis/ThreadCopy.h"
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

/// What a fill that mbarriers count writes; null where `op` is none.
static Value getFilled(Operation *op) {
  if (op->getNumRegions() > 0)
    return {};
  for (const BlockAccess &access : getBlockAccesses(op))
    if (access.writes && access.completion == tilec::Completion::Mbarrier)
      return access.memref;
  return {};
}

bool tile::isMbarrierFill(Operation *op) {
  return static_cast<bool>(getFilled(op));
}

bool tile::isThreadFill(Operation *op) {
  return isMbarrierFill(op) && !isBulkLoad(op);
}

bool tile::hasThreadFill(Region &program) {
  return program
      .walk([](Operation *op) {
        return isThreadFill(op) ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

RingAcquireOp tile::getAcquire(Operation *copy) {
  Value filled = getFilled(copy);
  Value slot = filled ? getSlotValue(filled) : Value();
  return slot ? slot.getDefiningOp<RingAcquireOp>() : RingAcquireOp();
}

RingAcquireOp tile::getFill(const BlockAccess &access) {
  if (!access.op || access.completion != tilec::Completion::Mbarrier)
    return {};
  RingAcquireOp acquire = getAcquire(access.op);
  return acquire && isOfMbarriers(acquire.getRing()) ? acquire
                                                     : RingAcquireOp();
}

//===----------------------------------------------------------------------===//
// From a use to its copies
//===----------------------------------------------------------------------===//

/// Adds the fills of `memref` and of views of it.
static void addFills(Value memref, llvm::SmallPtrSetImpl<Operation *> &fills) {
  for (Operation *user : memref.getUsers()) {
    if (isa<ViewLikeOpInterface>(user))
      addFills(user->getResult(0), fills);
    else if (getFilled(user) == memref)
      fills.insert(user);
  }
}

SmallVector<Operation *> tile::getFills(RingAcquireOp acquire) {
  llvm::SmallPtrSet<Operation *, 4> fills;
  for (Operation *user : acquire.getSlot().getUsers())
    if (auto slice = dyn_cast<memref::SubViewOp>(user))
      if (getSlotValue(slice.getResult()) == acquire.getSlot())
        addFills(slice.getResult(), fills);
  // Not far behind the acquire in a long launch.
  SmallVector<Operation *> ordered;
  for (Operation *op = acquire; ordered.size() < fills.size();
       op = op->getNextNode())
    op->walk([&](Operation *inner) {
      if (fills.contains(inner))
        ordered.push_back(inner);
    });
  return ordered;
}

SmallVector<TensorCopyOpInterface> tile::getBulkLoads(RingAcquireOp acquire) {
  SmallVector<TensorCopyOpInterface> loads;
  for (Operation *fill : getFills(acquire))
    if (TensorCopyOpInterface copy = getBulkCopy(fill))
      loads.push_back(copy);
  return loads;
}

FillArrivals tile::getFillArrivals(RingOp ring) {
  FillArrivals arrivals;
  for (Operation *user : ring->getUsers()) {
    if (getRingUseKind(user) != RingUseKind::Acquire)
      continue;
    for (Operation *fill : getFills(RingAcquireOp(user)))
      if (isBulkLoad(fill))
        arrivals.ofElected = true;
      else
        (passesRegisters(fill) ? arrivals.ofStores : arrivals.ofCopies) = true;
  }
  // Someone says that a slot is full.
  arrivals.ofElected |= !arrivals.areOfThreads();
  return arrivals;
}

RingAcquireOp tile::getAcquireWithLoads(RingCommitOp commit) {
  RingNumber number = getRingNumber(commit.getNumber());
  for (Operation *op = commit->getPrevNode(); op; op = op->getPrevNode()) {
    auto acquire = dyn_cast<RingAcquireOp>(op);
    if (!acquire || acquire.getRing() != commit.getRing() ||
        getRingNumber(acquire.getNumber()) != number)
      continue;
    bool areBetween = llvm::all_of(getBulkLoads(acquire), [&](Operation *copy) {
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
