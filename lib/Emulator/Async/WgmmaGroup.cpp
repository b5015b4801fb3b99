//===- WgmmaGroup.cpp - Groups of wgmma of a warpgroup --------------------===//
//
// See WgmmaGroup.h. Completed groups are known like phases of an mbarrier: the
// warpgroup has an id, and a vector clock says up to which group of it all is
// complete.
//
//===----------------------------------------------------------------------===//

#include "WgmmaGroup.h"

namespace tilec::emu {

static bool completesTogether(const Warp &warp) {
  return warp.launch->options.wgmmaCompletion == WgmmaCompletion::Warpgroup;
}

static WarpgroupLog *findLog(const Warp &warp) {
  const Block &block = *warp.block;
  size_t index = warp.indexInBlock / 4;
  return index < block.warpgroups.size() ? block.warpgroups[index].get()
                                         : nullptr;
}

void bindToWarpgroup(Warp &warp, uint32_t row, uint64_t group) {
  if (!completesTogether(warp))
    return;
  WarpgroupLog &log = *findLog(warp);
  if (!log.completionId)
    log.completionId = warp.cluster->nextMbarrierId++;
  AsyncRow &pending = warp.cluster->rows[row];
  pending.isProduct = true;
  pending.mbarrier = log.completionId;
  pending.phase = static_cast<uint32_t>(group);
}

bool hasWarpgroupCommitted(const Warp &warp, uint64_t group) {
  if (!completesTogether(warp) || !findLog(warp))
    return true;
  size_t first = warp.indexInBlock / 4 * 4;
  for (size_t index = first; index < first + 4; ++index) {
    const Warp &other = *warp.block->warps[index];
    uint64_t committed = other.wgmma ? other.wgmma->openGroup - 1 : 0;
    if (!other.done && committed < group)
      return false;
  }
  return true;
}

void learnCompletion(Warp &warp, uint64_t group) {
  const WarpgroupLog *log = findLog(warp);
  if (completesTogether(warp) && log && log->completionId)
    warp.order.knowledge.all.raise(mbarrierKey(log->completionId),
                                   static_cast<uint32_t>(group));
}

} // namespace tilec::emu
