//===- LowerRings.cpp - Rings to what carries them out --------------------===//
//
// Requires and keeps scheduled. tile-pipeline-loops, or who writes a program,
// says by rings which copy is for which read. A ring that bulk copies fill is
// given its mbarriers and stays (MbarrierRings.h). Of others none is left: here
// that becomes what chips with cp.async have, groups of copies and waits for all
// but the youngest:
//
//     slot of use n      SlotNumbers.h     a constant or a counter
//     commit             CommittedGroups.h the end of a group
//     wait               CommittedGroups.h a wait for the group of the use
//     acquire, release   nothing
//     copies of no ring  LoneGroups.h      a group and a wait where those ahead
//                                          may stay in flight
//
// Barriers are none of its business: that a slot is published to all threads
// and that its next fill stays behind its last read follows from what is
// accessed, for which tile-insert-barriers is the one owner.
//
// After tile-pipeline-loops, which makes rings, and before placement, so that
// whoever plans memory and order sees buffers, copies, groups, and the words of
// mbarriers.
//
//===----------------------------------------------------------------------===//

#include "CommittedGroups.h"
#include "DeadCounters.h"
#include "LoneGroups.h"
#include "MbarrierRings.h"
#include "ProductsInFlight.h"
#include "SlotNumbers.h"

#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/RingProtocol.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#define DEBUG_TYPE "tile-lower-rings"

namespace mlir::tile {
#define GEN_PASS_DEF_LOWERRINGS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis: RingProtocol.h, CommittedGroups.h, SlotNumbers.h
//===----------------------------------------------------------------------===//

static bool hasRings(LaunchOp launch) {
  return launch.walk([](RingOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

static bool hasRoles(LaunchOp launch) {
  return !launch.getOps<SpecializeOp>().empty();
}

/// Groups of copies are waited for by who issued them.
static LogicalResult verifyBetweenRoles(LaunchOp launch) {
  WalkResult walk = launch.walk([&](RingOp ring) {
    if (ring.getBarriers())
      return WalkResult::advance();
    ring.emitOpError("not implemented yet: a ring between roles that no bulk "
                     "copy fills");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Only one consumer can empty a ring that one sequence of operations fills.
static LogicalResult verifyConsumers(LaunchOp launch) {
  WalkResult walk = launch.walk([&](RingOp ring) {
    if (ring.getConsumers() == 1)
      return WalkResult::advance();
    ring.emitOpError("has ")
        << ring.getConsumers()
        << " consumers, but a launch without roles is one; remove 'consumers'";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Puts a wait for groups behind each wait for a use.
static void
insertWaits(const llvm::MapVector<Operation *, int64_t> &groupsInFlight) {
  for (auto [wait, pending] : groupsInFlight) {
    OpBuilder builder(wait->getContext());
    builder.setInsertionPointAfter(wait);
    CopyWaitOp::create(builder, wait->getLoc(),
                       builder.getI64IntegerAttr(pending));
  }
}

/// Keeps the stricter of two waits between which nothing happens.
static void mergeWaits(LaunchOp launch) {
  llvm::MapVector<Operation *, CopyWaitOp> waits;
  launch.walk([&](CopyWaitOp wait) { waits[wait] = wait; });
  for (auto [op, wait] : waits) {
    Operation *next = wait->getNextNode();
    while (next && isPure(next))
      next = next->getNextNode();
    CopyWaitOp second = waits.lookup(next);
    if (!second || !wait.getPending())
      continue;
    if (second.getPending() && *wait.getPending() < *second.getPending())
      second.setPendingAttr(wait.getPendingAttr());
    wait.erase();
  }
}

/// Those that no mbarriers carry out.
static void eraseRings(LaunchOp launch) {
  launch.walk([](Operation *op) {
    std::optional<RingUseKind> kind = getRingUseKind(op);
    bool isEnd = kind == RingUseKind::Commit || kind == RingUseKind::Release;
    if (isEnd && !isOfMbarriers(op->getOperand(0)))
      op->erase();
  });
  launch.walk([](RingOp ring) {
    if (!ring.getBarriers())
      ring.erase();
  });
}

static void lowerRings(LaunchOp launch) {
  GroupEnds ends = lowerCommits(launch);
  commitLoneCopies(launch, ends);
  insertWaits(countGroupsInFlight(launch, ends));
  lowerSlots(launch);
  mergeWaits(launch);
  eraseRings(launch);
  removeDeadCounters(launch);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct LowerRings : tile::impl::LowerRingsBase<LowerRings> {
  void runOnOperation() override {
    auto lower = [](LaunchOp launch) -> LogicalResult {
      insertProductWaits(launch);
      if (!hasRings(launch))
        return success();
      bool isSpecialized = hasRoles(launch);
      if (!isSpecialized && (failed(verifyConsumers(launch)) ||
                             failed(verifyRingProtocol(launch))))
        return failure();
      if (failed(addMbarriers(launch)) ||
          (isSpecialized && failed(verifyBetweenRoles(launch))))
        return failure();
      lowerRings(launch);
      return success();
    };
    if (failed(transformLaunches(getOperation(), getArgument(), lower)))
      signalPassFailure();
  }
};
} // namespace
