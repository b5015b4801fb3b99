//===- MulticastCopies.cpp - What blocks of a cluster bring together ------===//
//
// Requires and keeps synchronized. In a launch whose blocks stand in clusters
// and have producers, a copy that names one box in n blocks is brought by all
// of them, 1/n each, to all of them:
//
//     rank 0    rows 0 .. 63   of the box   -> slot of rank 0, slot of rank 1
//     rank 1    rows 64 .. 127              -> slot of rank 0, slot of rank 1
//
// Who writes to a slot of another block has to know that it is free, and the
// number of its use. So the blocks must make the same uses of the ring in the
// same order: what decides how often and when is proved to be the same in them
// (tile/Analysis/ClusterFacts.h). What words and arrivals follow from that is
// read off the copies when threads are made (docs/decisions/0011).
//
// Here and not earlier: what the passes before pack and put in order is the
// program of one block, which does not change. Here and not later: the copies
// of the producer are still those of the program.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ClusterFacts.h"
#include "tile/Analysis/MulticastCheck.h"
#include "tile/Analysis/ProducerSlice.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/SpanCopies.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-multicast-copies"

namespace mlir::tile {
#define GEN_PASS_DEF_MULTICASTCOPIES
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
/// A copy and the blocks that share it.
struct SharedCopy {
  TensorCopyOpInterface copy;
  SmallVector<int64_t> masks; ///< by rank
};

/// What is decided for a launch.
struct MulticastPlan {
  SmallVector<SharedCopy> shared;
  /// Copies of one box that are not shared, and why.
  SmallVector<std::pair<Operation *, std::string>> declined;
};
} // namespace

/// For each rank the ranks in whose blocks a value is the same.
static SmallVector<int64_t> getMasks(const ClusterValue &value) {
  SmallVector<int64_t> masks;
  for (int64_t own : value.offsets) {
    int64_t mask = 0;
    for (auto [rank, other] : llvm::enumerate(value.offsets))
      mask |= int64_t(own == other) << rank;
    masks.push_back(mask);
  }
  return masks;
}

static int64_t countBlocks(int64_t mask) {
  return llvm::popcount(static_cast<uint64_t>(mask));
}

/// Whether any block has company.
static bool areShared(ArrayRef<int64_t> masks) {
  return llvm::any_of(masks,
                      [](int64_t mask) { return countBlocks(mask) > 1; });
}

/// Why blocks that have one box do not bring it together; nothing if they do.
static std::optional<std::string> findObstacle(TensorCopyOpInterface copy,
                                               ArrayRef<int64_t> masks) {
  if (!areShared(masks))
    return "how often, or when, its ring is filled is not known to be the same "
           "in these blocks: bounds and conditions around it must not depend "
           "on the place in the cluster";
  if (masks.size() > 16)
    return "a mask names 16 blocks, and the cluster has " +
           std::to_string(masks.size());
  int64_t count = countBlocks(masks.front());
  if (llvm::any_of(masks,
                   [&](int64_t mask) { return countBlocks(mask) != count; }))
    return "not every block shares it with equally many others";
  const tilec::CopyInstruction *row = copy.getInstructionAttr().getCopy();
  if (!needsTensorMap(copy))
    return "it is a copy of bytes, and what blocks share are parts of boxes";
  auto boxes = getBulkBoxes(copy);
  if (!boxes)
    return boxes.reason();
  auto split = tilec::splitBoxes(*row, *boxes, count);
  return split ? std::nullopt : std::optional(split.reason());
}

static MulticastPlan planMulticast(LaunchOp launch) {
  MulticastPlan plan;
  ClusterFacts facts(launch);
  launch.walk([&](TensorCopyOpInterface copy) {
    RingAcquireOp acquire =
        isBulkLoad(copy) ? getAcquire(copy) : RingAcquireOp();
    RingOp ring = acquire ? getRing(acquire.getRing()) : RingOp();
    // Masks that are written already are obeyed or refused.
    if (!ring || !ring.getBarriers() || copy.getMulticastAttr())
      return;
    ClusterValue place = facts.getPlace(copy);
    if (!areShared(getMasks(place)))
      return;
    ClusterValue control =
        ClusterFacts::meet(facts.getControl(copy), facts.getRingControl(ring));
    SmallVector<int64_t> masks = getMasks(ClusterFacts::meet(place, control));
    if (auto reason = findObstacle(copy, masks))
      plan.declined.push_back({copy, *reason});
    else
      plan.shared.push_back({copy, masks});
  });
  return plan;
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static void reportMissed(LaunchOp launch, Location loc, StringRef reason) {
  remark::missed(loc, remark::RemarkOpts::name("NotMulticast")
                          .category(DEBUG_TYPE)
                          .function(launch.getKernel().value_or("")))
      << remark::reason("blocks of a cluster do not share it: {0}", reason);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Whether any copy became one for several blocks.
static bool multicastCopies(LaunchOp launch) {
  if (llvm::product_of(getClusterShape(launch)) == 1 ||
      !launch.getBody().getOps<SpecializeOp>().empty())
    return false;
  if (!launch.getRoles()) {
    reportMissed(launch, launch.getLoc(),
                 "a launch without a producer brings what each block needs by "
                 "itself");
    return false;
  }
  if (computeProducerSlice(launch).obstacle)
    return false;
  if (hasThreadFill(launch.getBody())) {
    reportMissed(launch, launch.getLoc(),
                 "threads of the producer copy something, too, and do not end "
                 "in step");
    return false;
  }
  MulticastPlan plan = planMulticast(launch);
  for (const SharedCopy &shared : plan.shared) {
    TensorCopyOpInterface copy = shared.copy;
    copy.setMulticastAttr(
        DenseI64ArrayAttr::get(copy.getContext(), shared.masks));
  }
  for (const auto &[copy, reason] : plan.declined)
    reportMissed(launch, copy->getLoc(), reason);
  if (plan.shared.empty() && plan.declined.empty())
    reportMissed(launch, launch.getLoc(),
                 "no copy is known to have the same place in two blocks");
  return !plan.shared.empty();
}

namespace {
struct MulticastCopies : tile::impl::MulticastCopiesBase<MulticastCopies> {
  using MulticastCopiesBase::MulticastCopiesBase;

  void runOnOperation() override {
    auto launches = getLaunches(getOperation(), getArgument());
    if (failed(launches))
      return signalPassFailure();
    bool hasChanged = false;
    for (LaunchOp launch : *launches)
      hasChanged |= enable && multicastCopies(launch);
    // Masks that stood there before are held against the facts as well.
    for (LaunchOp launch : *launches)
      if (failed(verifySharedCopies(launch)))
        return signalPassFailure();
    if (!hasChanged)
      markAllAnalysesPreserved();
  }
};
} // namespace
