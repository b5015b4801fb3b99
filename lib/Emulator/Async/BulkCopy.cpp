//===- BulkCopy.cpp - cp.async.bulk and tensor copies ---------------------===//
//
// Copies by the asynchronous engine: plain ones, tensor maps (tiled and im2col,
// with swizzle and fill), reductions, multicast. Each instruction of a lane
// becomes one BulkOperation: a list of pieces, checked when issued
// (BulkIssue.cpp), moved when delivered. Into shared memory they complete on an
// mbarrier, out of it in groups of the issuing thread.
//
// All accesses are of the asynchronous proxy: bytes written by ordinary stores
// need a fence.proxy.async before.
//
//===----------------------------------------------------------------------===//

#include "../Instructions/Handlers.h"
#include "../Synchronization/Mbarrier.h"
#include "BulkOperation.h"

#include <algorithm>

namespace tilec::emu {

//===----------------------------------------------------------------------===//
// Delivery
//===----------------------------------------------------------------------===//

static void deliverPiece(Cluster &cluster, const BulkOperation &operation,
                         const BulkPiece &piece) {
  const BulkInfo &info = operation.info;
  if (info.reduces) {
    std::lock_guard<std::mutex> lock(cluster.launch->mutex);
    reduceElements(info.tensor ? operation.map.element : info.element,
                   info.reduction, piece.target, piece.source, piece.bytes);
  } else if (!piece.source) {
    fillOutOfBounds(operation.map, piece.target, piece.bytes);
  } else {
    std::memcpy(piece.target, piece.source, piece.bytes);
    if (info.tensor && info.direction == Direction::GlobalToShared)
      convertOnLoad(operation.map, piece.target, piece.bytes);
  }
  if (piece.targetBlock && cluster.launch->options.checks.init) {
    SharedShadow &shadow = piece.targetBlock->shadow;
    shadow.setInitialized(piece.targetOffset, piece.bytes);
    bool mayBeUndefined = piece.defined || piece.sourceBlock;
    for (uint32_t byte = 0; mayBeUndefined && byte < piece.bytes; ++byte)
      if (!piece.isDefined(byte))
        shadow.setInitialized(piece.targetOffset + byte, 1, false);
  }
  if (piece.targetAllocation && !piece.targetAllocation->initialized.empty())
    std::memset(&piece.targetAllocation->initialized[static_cast<size_t>(
                    piece.target - piece.targetAllocation->data)],
                1, piece.bytes);
}

void BulkOperation::deliver(Cluster &cluster) {
  for (const BulkPiece &piece : pieces)
    deliverPiece(cluster, *this, piece);
  for (const Signal &signal : signals) {
    if (MbarrierState *state = findMbarrier(*signal.block, signal.offset)) {
      cluster.rows[signal.row].mbarrier = state->id;
      cluster.rows[signal.row].phase = state->phase + 1;
    }
    completeTransaction(warp, instruction, *signal.block, signal.offset,
                        signal.bytes);
  }
  ++cluster.progress;
}

//===----------------------------------------------------------------------===//
// The copy
//===----------------------------------------------------------------------===//

/// The row of the bulk group that `lane` has open; a fresh one if it has none.
static uint32_t openGroup(Warp &warp, const Instruction &i, uint32_t lane) {
  uint32_t &open = warp.groups.bulk[lane].open;
  if (!open) {
    open = newRow(warp, i, 1u << lane);
    warp.cluster->rows[open].isBulk = true;
    warp.cluster->rows[open].lane = lane;
  }
  return open;
}

Step bulkHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &info = i.data<BulkInfo>();
  if (info.direction == Direction::Prefetch)
    return Step::Next;
  Cluster &cluster = *warp.cluster;
  forLanes(mask, [&](uint32_t lane) {
    auto operation = std::make_unique<BulkOperation>(warp, i);
    operation->row = info.onMbarrier ? 0 : openGroup(warp, i, lane);
    bool now = deliversNow(cluster);
    if (!collectPieces(*operation, lane, now)) {
      // What waits for these bytes would hang: the report says why.
      warp.launch->stop = true;
      return;
    }
    if (info.direction != Direction::SharedToShared)
      ++cluster.statistics.globalAccesses;
    cluster.statistics.globalIdealSectors += (operation->globalBytes + 31) / 32;
    issueOperation(cluster, std::move(operation), now);
  });
  ++cluster.progress;
  return warp.launch->stop ? Step::Stop : Step::Next;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

Step commitBulkHandler(Warp &warp, const Instruction &, uint32_t mask) {
  forLanes(mask, [&](uint32_t lane) {
    AsyncGroups::OfLane &groups = warp.groups.bulk[lane];
    groups.committed.push_back(groups.open);
    groups.open = 0;
  });
  return Step::Next;
}

/// flags: .read, which waits for the sources only.
Step waitBulkHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  Cluster &cluster = *warp.cluster;
  size_t keep = static_cast<size_t>(i.immediate);
  forLanes(mask, [&](uint32_t lane) {
    AsyncGroups::OfLane &groups = warp.groups.bulk[lane];
    size_t done =
        groups.committed.size() > keep ? groups.committed.size() - keep : 0;
    for (size_t g = 0; g < done; ++g) {
      uint32_t row = groups.committed[g];
      if (!row)
        continue;
      for (size_t p = 0; p < cluster.pending.size();)
        if (cluster.pending[p]->row == row)
          deliver(cluster, p);
        else
          ++p;
      AsyncRow &waited = cluster.rows[row];
      waited.lanes = 0;
      waited.readClock = std::max(waited.readClock, warp.order.clock);
      if (!i.flags)
        waited.clock = std::max(waited.clock, warp.order.clock);
    }
    // With .read the writes still pend: a later wait completes them.
    if (!i.flags)
      groups.committed.erase(groups.committed.begin(),
                             groups.committed.begin() +
                                 static_cast<ptrdiff_t>(done));
  });
  ++cluster.progress;
  return Step::Next;
}

} // namespace tilec::emu
