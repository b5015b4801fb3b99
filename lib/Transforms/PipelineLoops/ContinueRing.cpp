//===- ContinueRing.cpp - A second loop on the ring of a first ------------===//

#include "ContinueRing.h"
#include "LoopStatements.h"
#include "ViewRebaser.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/NestedAccesses.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/RingNumbers.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Which ring
//===----------------------------------------------------------------------===//

/// Whether `slot` is that of use `number` of `ring`: what was waited for, directly
/// or in the last iteration of a loop.
static bool isSlotOfUse(Value slot, Value number, RingOp ring) {
  Operation *op = slot.getDefiningOp();
  if (getRingUseKind(op) == RingUseKind::Wait)
    return getRing(op->getOperand(0)) == ring &&
           getRingNumber(op->getOperand(1)) == getRingNumber(number);
  auto loop = slot.getDefiningOp<scf::ForOp>();
  if (!loop || number.getDefiningOp() != op)
    return false;
  unsigned slotIndex = cast<OpResult>(slot).getResultNumber();
  unsigned numberIndex = cast<OpResult>(number).getResultNumber();
  ValueRange yields = loop.getYieldedValues();
  return isSlotOfUse(yields[slotIndex], yields[numberIndex], ring) &&
         isSlotOfUse(loop.getInitArgs()[slotIndex],
                     loop.getInitArgs()[numberIndex], ring);
}

/// The one release of `ring` that stands behind `loop` in its block; null if there
/// is none, or several.
static RingReleaseOp findRelease(scf::ForOp loop, RingOp ring) {
  RingReleaseOp found;
  for (auto release : loop->getBlock()->getOps<RingReleaseOp>()) {
    if (getRing(release.getRing()) != ring || !loop->isBeforeInBlock(release))
      continue;
    if (found)
      return {};
    found = release;
  }
  return found;
}

/// Whether `memref` is `view` or one of it.
static bool isOfView(Value memref, memref::SubViewOp view) {
  while (memref != view.getResult()) {
    auto own = memref.getDefiningOp<ViewLikeOpInterface>();
    if (!own)
      return false;
    memref = own.getViewSource();
  }
  return true;
}

/// The last view of `slots` in front of `loop`, in its block, if the loop sees them
/// through that one only; else null.
static memref::SubViewOp findView(scf::ForOp loop, AllocOp slots) {
  memref::SubViewOp found;
  for (auto view : loop->getBlock()->getOps<memref::SubViewOp>())
    if (view.getSource() == slots.getResult() && view->isBeforeInBlock(loop))
      found = view;
  bool isSeenOtherwise =
      !found ||
      llvm::any_of(getNestedAccesses(loop), [&](const BlockAccess &access) {
        return isIn(access, slots) && !isOfView(access.memref, found);
      });
  return isSeenOtherwise ? memref::SubViewOp() : found;
}

static bool isUsedIn(scf::ForOp loop, RingOp ring) {
  return llvm::any_of(ring->getUsers(),
                      [&](Operation *user) { return loop->isAncestor(user); });
}

bool tile::countsOn(Operation *user) {
  return user->hasTrait<OpTrait::IsTerminator>() ||
         (isMemoryEffectFree(user) && user->getNumRegions() == 0 &&
          llvm::all_of(user->getUsers(), [](Operation *end) {
            return end->hasTrait<OpTrait::IsTerminator>();
          }));
}

/// Whether another ring has the number of the use that is held, with which both
/// count on from one time that their loop runs to the next.
static bool countsForOthers(RingReleaseOp release) {
  bool isCountedOn = false, hasOthers = false;
  for (Operation *user : release.getNumber().getUsers()) {
    isCountedOn |= countsOn(user);
    hasOthers |= user != release && getRingUseKind(user).has_value();
  }
  return isCountedOn && hasOthers;
}

static SmallVector<ContinuedRing> findContinuedRings(scf::ForOp loop) {
  SmallVector<ContinuedRing> rings;
  for (Value root : getWrittenBuffers(loop)) {
    auto slots = root.getDefiningOp<AllocOp>();
    RingOp ring = getRingOfBuffer(root);
    if (!slots || !ring || ring.getBuffers().size() != 1 ||
        isUsedIn(loop, ring))
      continue;
    RingReleaseOp release = findRelease(loop, ring);
    memref::SubViewOp held = findView(loop, slots);
    if (!release || !held || held.getOffsets().size() != 1 ||
        countsForOthers(release) ||
        !isSlotOfUse(held.getOffsets().front(), release.getNumber(), ring))
      continue;
    rings.push_back({ring, slots, held, release, AllocOp()});
  }
  return rings;
}

//===----------------------------------------------------------------------===//
// The slot as a buffer
//===----------------------------------------------------------------------===//

static void openHeldSlot(ContinuedRing &ring) {
  MemRefType type = ring.held.getType();
  IRRewriter rewriter(ring.held.getContext());
  rewriter.setInsertionPointAfter(ring.held);
  ring.buffer = AllocOp::create(
      rewriter, ring.held.getLoc(),
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace()),
      SharedAttr(), IntegerAttr());
  ViewRebaser rebaser(ring.held, ring.buffer, rewriter);
  for (Operation &op : *ring.held->getBlock())
    rebaser.rebase(&op);
}

SmallVector<ContinuedRing> tile::openHeldSlots(scf::ForOp loop) {
  SmallVector<ContinuedRing> rings = findContinuedRings(loop);
  for (ContinuedRing &ring : rings)
    openHeldSlot(ring);
  return rings;
}

void tile::closeHeldSlot(ContinuedRing &ring) {
  IRRewriter rewriter(ring.held.getContext());
  ViewRebaser rebaser(ring.buffer, ring.held, rewriter);
  for (Operation &op : llvm::make_early_inc_range(*ring.held->getBlock()))
    rebaser.rebase(&op);
  eraseUnused(ring.buffer, rewriter);
}

//===----------------------------------------------------------------------===//
// Other loops
//===----------------------------------------------------------------------===//

int64_t tile::countStagesBehind(scf::ForOp loop, AllocOp buffer) {
  TileDialect::StagesAttrHelper hint(loop.getContext());
  int64_t stages = 0;
  for (auto other : loop->getBlock()->getOps<scf::ForOp>())
    if (IntegerAttr own = hint.getAttr(other);
        own && loop->isBeforeInBlock(other) &&
        llvm::is_contained(getWrittenBuffers(other), buffer.getResult()))
      stages = std::max(stages, std::min(own.getInt(), maxStages));
  return stages;
}

/// Whether bulk copies fill slots of `ring`. What changes the slot that is held in
/// front of a loop, or behind it, is no fill.
static bool isFilledByBulk(RingOp ring) {
  return ring->getParentOfType<LaunchOp>()
      .walk([&](RingAcquireOp acquire) {
        bool fills =
            getRing(acquire.getRing()) == ring && !getFills(acquire).empty();
        return fills ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool tile::isFilledAlike(const ContinuedRing &ring,
                         ArrayRef<Operation *> writers) {
  bool isBulk = llvm::any_of(writers, [&](Operation *writer) {
    return isFilledByBulkIn(writer, ring.buffer);
  });
  return isBulk == isFilledByBulk(ring.ring);
}

/// The loop behind which what is in a ring's slots stays.
static Operation *getLoopInFront(RingOp ring) {
  for (Operation *user : ring->getUsers()) {
    Operation *around = ring->getBlock()->findAncestorOpInBlock(*user);
    if (isa<LoopLikeOpInterface>(around))
      return around;
  }
  return ring;
}

std::string tile::explainLead(const ContinuedRing &ring, Operation *filler,
                              int64_t lead) {
  return describe(filler) + " runs " + std::to_string(lead) +
         (lead == 1 ? " iteration" : " iterations") +
         " ahead: the ring that it goes on with, of " +
         describe(getLoopInFront(ring.ring)) + ", has " +
         std::to_string(ring.getSlotCount()) + " slots";
}

std::string tile::explainOtherRing(RingOp ring) {
  return "its slots are those of " + describe(getLoopInFront(ring)) +
         ", whose contents are read behind both loops; give each loop a buffer "
         "of its own";
}
