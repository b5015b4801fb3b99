//===- MulticastCheck.cpp - Whether blocks may share copies ---------------===//

#include "tile/Analysis/MulticastCheck.h"

#include "tile/Analysis/ClusterFacts.h"
#include "tile/Analysis/RingFills.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Two blocks of a cluster, by rank.
using BlockPair = std::pair<int64_t, int64_t>;

class SharingCheck {
public:
  SharingCheck(LaunchOp launch)
      : shape(getClusterShape(launch)), facts(launch) {}

  LogicalResult verify(TensorCopyOpInterface copy);

private:
  LogicalResult verifyBlocks(TensorCopyOpInterface copy, RingOp ring);
  /// Blocks that share `copy` by its masks and in which `value` may differ.
  static std::optional<BlockPair> findApart(TensorCopyOpInterface copy,
                                            const ClusterValue &value);
  /// `(1, 0)`, the place of a block in its cluster.
  std::string describe(int64_t rank);
  InFlightDiagnostic emitApart(TensorCopyOpInterface copy, BlockPair blocks);

  SmallVector<int64_t> shape;
  ClusterFacts facts;
};
} // namespace

std::optional<BlockPair> SharingCheck::findApart(TensorCopyOpInterface copy,
                                                 const ClusterValue &value) {
  ArrayRef<int64_t> masks = copy.getMulticastAttr();
  for (auto [rank, mask] : llvm::enumerate(masks))
    for (size_t other = rank + 1; other < masks.size(); ++other)
      if (mask >> other & 1 && value.offsets[rank] != value.offsets[other])
        return BlockPair(rank, other);
  return std::nullopt;
}

std::string SharingCheck::describe(int64_t rank) {
  SmallVector<std::string> place;
  for (int64_t extent : shape) {
    place.push_back(std::to_string(rank % extent));
    rank /= extent;
  }
  return "(" + llvm::join(place, ", ") + ")";
}

InFlightDiagnostic SharingCheck::emitApart(TensorCopyOpInterface copy,
                                           BlockPair blocks) {
  return copy->emitError("is shared by 'multicast' by the blocks ")
         << describe(blocks.first) << " and " << describe(blocks.second)
         << " of a cluster, in which ";
}

LogicalResult SharingCheck::verifyBlocks(TensorCopyOpInterface copy,
                                         RingOp ring) {
  for (OpOperand &operand : copy->getOpOperands()) {
    auto blocks = findApart(copy, facts.get(operand.get()));
    if (!blocks)
      continue;
    InFlightDiagnostic error =
        emitApart(copy, *blocks)
        << "operand #" << operand.getOperandNumber()
        << " is not known to be the same; blocks bring together what has one "
           "place for all of them, so take these out of one mask";
    error.attachNote(operand.get().getLoc()) << "the operand is this value";
    return failure();
  }
  ClusterValue control =
      ClusterFacts::meet(facts.getControl(copy), facts.getRingControl(ring));
  auto blocks = findApart(copy, control);
  if (!blocks)
    return success();
  InFlightDiagnostic error =
      emitApart(copy, *blocks)
      << "how often, or when, its ring is filled is not known to be the same; "
         "bounds and conditions around it must not depend on the place in the "
         "cluster";
  error.attachNote(ring.getLoc()) << "the ring is here";
  return failure();
}

LogicalResult SharingCheck::verify(TensorCopyOpInterface copy) {
  int64_t count = copy.getMulticastAttr().size();
  int64_t blocks = llvm::product_of(shape);
  if (count != blocks)
    return copy->emitError("has masks in 'multicast' for ")
           << count << " blocks, and the launch's clusters have " << blocks;
  RingAcquireOp acquire = getAcquire(copy);
  RingOp ring = acquire ? getRing(acquire.getRing()) : RingOp();
  if (!ring || !ring.getBarriers())
    return copy->emitError(
        "has 'multicast' and fills no slot of a ring with mbarriers, which "
        "count what other blocks bring");
  return verifyBlocks(copy, ring);
}

LogicalResult tile::verifySharedCopies(LaunchOp launch) {
  SmallVector<TensorCopyOpInterface> shared;
  launch.walk([&](TensorCopyOpInterface copy) {
    if (copy.getMulticastAttr())
      shared.push_back(copy);
  });
  if (shared.empty())
    return success();
  if (hasThreadFill(launch.getBody()))
    return shared.front()->emitError(
        "has 'multicast' in a launch whose producer copies by its threads too, "
        "which do not end in step with those of other blocks");
  SharingCheck check(launch);
  LogicalResult result = success();
  for (TensorCopyOpInterface copy : shared)
    if (failed(check.verify(copy)))
      result = failure();
  return result;
}
