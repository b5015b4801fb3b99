//===- MbarrierRings.cpp - Rings that mbarriers carry out -----------------===//

#include "MbarrierRings.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/NestedAccesses.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/ThreadCopy.h"
#include "tile/Dialect/Tile/MemRefRoots.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Who fills the slots of a ring, one of each kind.
struct RingWriters {
  Operation *bulk = nullptr, *other = nullptr;
  Operation *inPlace = nullptr; ///< who changes them in place
  /// Copies among those that are done after a wait.
  SmallVector<Operation *> underWay;
};
} // namespace

/// The ring whose slot an access fills: between acquire and commit.
static RingOp getFilledRing(const BlockAccess &access) {
  if (!access.writes || !access.memref)
    return {};
  Value slot = getSlotValue(access.memref);
  auto acquire = slot ? slot.getDefiningOp<RingAcquireOp>() : RingAcquireOp();
  return acquire ? getRing(acquire.getRing()) : RingOp();
}

/// The ring whose slot an access of threads changes in place: one that is not
/// filled by it.
static RingOp getChangedRing(const BlockAccess &access) {
  bool isByThreads = access.writes && access.memref &&
                     isa<MemRefType>(access.memref.getType()) &&
                     access.proxy == tilec::Proxy::Generic;
  Value root = isByThreads ? getSharedRoot(access.memref) : Value();
  RingOp ring = root ? getRingOfBuffer(root) : RingOp();
  return ring == getFilledRing(access) ? RingOp() : ring;
}

static llvm::MapVector<Operation *, RingWriters> findWriters(LaunchOp launch) {
  llvm::MapVector<Operation *, RingWriters> writers;
  launch.walk([&](Operation *op) {
    if (op->getNumRegions() > 0)
      return;
    for (const BlockAccess &access : getBlockAccesses(op)) {
      if (RingOp ring = getChangedRing(access)) {
        writers[ring].inPlace = op;
        if (access.completion != tilec::Completion::Immediate)
          writers[ring].underWay.push_back(op);
      }
      if (RingOp ring = getFilledRing(access))
        (isBulkFill(access) ? writers[ring].bulk : writers[ring].other) = op;
    }
  });
  return writers;
}

static LogicalResult verifyWriters(RingOp ring, const RingWriters &writers) {
  if (writers.other) {
    InFlightDiagnostic error = ring.emitOpError(
        "is filled by bulk copies and in other ways; each fills a ring of its "
        "own");
    error.attachNote(writers.bulk->getLoc()) << "a bulk copy";
    error.attachNote(writers.other->getLoc()) << "another fill";
    return error;
  }
  if (ring->getParentOp() == ring->getParentOfType<LaunchOp>())
    return success();
  return ring.emitOpError("is filled by bulk copies, so that its mbarriers are "
                          "set once: it stands in the body of the launch, in "
                          "front of the loops that use it, and its numbers go "
                          "on from one round to the next");
}

static void addWords(RingOp ring) {
  OpBuilder builder(ring);
  constexpr int64_t wordBits = 64;
  int64_t slots = ring.getType().getSlots();
  SmallVector<int64_t> shape = {2, slots};
  auto space =
      cast<MemRefType>(ring.getBuffers().front().getType()).getMemorySpace();
  auto type = MemRefType::get(shape, builder.getIntegerType(wordBits),
                              MemRefLayoutAttrInterface(), space);
  auto layout = tilec::SharedLayout::linear({2, slots}, {1, 0},
                                            /*padElements=*/0, wordBits);
  assert(layout && "rows of words");
  auto words = AllocOp::create(builder, ring.getLoc(), type,
                               SharedAttr::get(builder.getContext(), *layout),
                               builder.getI64IntegerAttr(wordBits / 8));
  ring.getBarriersMutable().assign(words.getResult());
  ring.setModulo(true);
}

/// Copies into a slot that is waited for are done when the slot is released:
/// nothing but the ring's own loads is under way then.
static void completeInPlace(ArrayRef<Operation *> copies) {
  for (Operation *op : copies)
    setCompletion(op, tilec::Completion::Immediate);
}

/// What threads wrote to a slot they show to the copy engine before the slot is
/// released: the next fill comes behind it.
static void addFences(RingOp ring) {
  for (Operation *use : ring->getUsers())
    if (getRingUseKind(use) == RingUseKind::Release) {
      OpBuilder builder(use);
      ProxyFenceOp::create(builder, use->getLoc());
    }
}

LogicalResult tile::addMbarriers(LaunchOp launch) {
  llvm::MapVector<Operation *, RingWriters> writers = findWriters(launch);
  for (const auto &[ring, own] : writers)
    if (own.bulk && failed(verifyWriters(cast<RingOp>(ring), own)))
      return failure();
  launch.walk([&](RingOp ring) {
    RingWriters own = writers.lookup(ring);
    if (!own.bulk || ring.getBarriers())
      return;
    addWords(ring);
    if (own.inPlace)
      addFences(ring);
    completeInPlace(own.underWay);
  });
  return success();
}
