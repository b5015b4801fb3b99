//===- CopiesByThreads.cpp - Bulk copies that threads make ----------------===//

#include "CopiesByThreads.h"
#include "LoopStatements.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/NestedAccesses.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/ThreadCopy.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/TileTarget.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;

/// The widest access to both sides of `copy`, whose tile has the shape `tile`.
static int64_t getWidth(TensorCopyOpInterface copy, ArrayRef<int64_t> tile,
                        IndexFacts &facts) {
  auto getSideWidth = [&](const Side &side) {
    return getAccessWidth(facts, side, tile, static_cast<int>(tile.size()) - 1);
  };
  return llvm::TypeSwitch<Operation *, int64_t>(copy)
      .Case([&](CopyOp op) {
        return std::gcd(getSideWidth(op.getSourceSide()),
                        getSideWidth(op.getDestSide()));
      })
      .Case([&](Im2ColOp op) {
        return std::gcd(getImageAccessWidth(facts, op),
                        getSideWidth(op.getDestSide()));
      });
}

void tile::copyByThreads(TensorCopyOpInterface copy, IndexFacts &facts) {
  auto launch = copy->getParentOfType<LaunchOp>();
  int64_t warpSize = getTarget(launch)->warpSize;
  SmallVector<int64_t> tile = copy.getTileShape();
  std::vector<int> order;
  for (int dim = static_cast<int>(tile.size()) - 1; dim >= 0; --dim)
    order.push_back(dim);
  int64_t bits = getMemoryBits(getElementTypeOrSelf(copy.getSource()));
  int64_t width =
      std::gcd(tilec::maxAccessBytes * 8 / bits, getWidth(copy, tile, facts));
  auto layout = tilec::FragmentLayout::blocked(
      tilec::Coordinate(tile.begin(), tile.end()), order, width, warpSize,
      launch.getWarpCount(warpSize));
  width = std::gcd(width, layout.getVectorWidth(order.front()));
  copy.setLayoutAttr(FragmentAttr::get(copy.getContext(), layout));
  copy.setVectorWidthAttr(Builder(copy.getContext()).getI64IntegerAttr(width));
  // What is under way when a slot is released is none of the ring's business.
  Value root = getSharedRoot(copy.getDest());
  bool isInSlot = root && getRingOfBuffer(root);
  setCompletion(copy, isInSlot ? tilec::Completion::Immediate
                               : tilec::Completion::Group);
}

bool tile::mixesBulkCopies(ArrayRef<Operation *> writers, AllocOp buffer) {
  bool hasBulk = false, hasOther = false;
  for (Operation *writer : writers)
    for (const BlockAccess &access : getNestedAccesses(writer)) {
      if (!access.writes || !isIn(access, buffer))
        continue;
      (isBulkFill(access) ? hasBulk : hasOther) = true;
    }
  return hasBulk && hasOther;
}

SmallVector<DroppedBulkCopy> tile::unmixFills(const LoopPlan &plan) {
  SmallVector<DroppedBulkCopy> dropped;
  for (const RingBuffer &ring : plan.rings) {
    if (!mixesBulkCopies(ring.writers, ring.buffer))
      continue;
    AllocOp buffer = ring.buffer;
    IndexFacts facts(buffer->getParentOfType<LaunchOp>());
    for (Operation *writer : ring.writers)
      writer->walk([&](TensorCopyOpInterface copy) {
        if (!isBulkLoad(copy) ||
            getSharedRoot(copy.getDest()) != buffer.getResult())
          return;
        copyByThreads(copy, facts);
        dropped.push_back({copy, "its buffer is filled in other ways, too, "
                                 "which no mbarrier counts; give each a buffer "
                                 "of its own"});
      });
  }
  return dropped;
}
