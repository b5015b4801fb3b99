//===- Shadow.cpp - Who touched which byte last ---------------------------===//
//
// See Shadow.h. The order of checks in `touch` is that of the common cases:
// most accesses meet a write that is known and a read of the same warp.
//
//===----------------------------------------------------------------------===//

#include "Shadow.h"
#include "PendingAccess.h"

#include <algorithm>

namespace tilec::emu {

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Whether `clock` has `lane` of `warp` (of `cluster`) at `time`.
static bool covers(const VectorClock &clock, uint32_t ownCluster,
                   uint32_t cluster, uint32_t warp, uint32_t lane,
                   uint32_t time) {
  if (cluster == ownCluster && clock.warp(warp) >= time)
    return true;
  if (clock.sparse.empty())
    return false;
  if (clock.find(laneKey(cluster, warp, allLanes)) >= time)
    return true;
  return lane < 32 && clock.find(laneKey(cluster, warp, lane)) >= time;
}

/// Whether `holds(knowledge)` of what lane `lane` of `warp` came to know by
/// itself; of an access by all lanes, of each of them.
template <typename Holds>
static bool holdsOfLane(Warp &warp, uint32_t lane, Holds holds) {
  auto holdsOf = [&](uint32_t own) {
    return (warp.order.lanesWithKnowledge >> own & 1) &&
           holds((*warp.order.laneKnowledge)[own]);
  };
  if (lane < 32)
    return holdsOf(lane);
  for (uint32_t own = 0; own < 32; ++own)
    if (!holdsOf(own))
      return false;
  return true;
}

/// Whether lane `lane` of `warp` knows of an access.
static bool knows(Warp &warp, uint32_t lane, bool fenced, uint32_t cluster,
                  uint32_t otherWarp, uint32_t otherLane, uint32_t time) {
  uint32_t own = warp.cluster->linear;
  const Knowledge &known = warp.order.knowledge;
  if (covers(fenced ? known.fenced : known.all, own, cluster, otherWarp,
             otherLane, time))
    return true;
  return holdsOfLane(warp, lane, [&](const Knowledge &more) {
    return covers(fenced ? more.fenced : more.all, own, cluster, otherWarp,
                  otherLane, time);
  });
}

static bool knowsPhase(Warp &warp, uint32_t lane, bool fenced,
                       uint32_t mbarrier, uint32_t phase) {
  uint64_t key = mbarrierKey(mbarrier);
  auto holds = [&](const Knowledge &known) {
    return (fenced ? known.fenced : known.all).find(key) >= phase;
  };
  return holds(warp.order.knowledge) || holdsOfLane(warp, lane, holds);
}

static const Instruction &instructionOf(const Warp &warp,
                                        const ShadowAccess &access) {
  return warp.launch->program->code[access.instruction];
}

bool differInSize(const ShadowAccess &a, const ShadowAccess &b,
                  const Warp &warp) {
  uint32_t sizeA = instructionOf(warp, a).scalarBytes;
  uint32_t sizeB = instructionOf(warp, b).scalarBytes;
  return sizeA && sizeB && sizeA != sizeB;
}

static bool areMorallyStrong(const ShadowAccess &a, const ShadowAccess &b,
                             Warp &warp) {
  if (!(a.flags & b.flags & shadowStrong) || differInSize(a, b, warp))
    return false;
  auto scopeOf = [](const ShadowAccess &access) {
    return static_cast<Scope>(access.flags >> shadowScopeShift & 3);
  };
  Scope least = std::min(scopeOf(a), scopeOf(b));
  if (a.cluster != b.cluster)
    return least >= Scope::Gpu;
  uint32_t perBlock = warp.launch->warpsPerBlock;
  if (a.warp / perBlock != b.warp / perBlock)
    return least >= Scope::Cluster;
  return true;
}

/// `isUnordered` of accesses that are each by one lane or collective; of several
/// lanes it asks that all lanes of the warp be ordered.
static bool areLanesUnordered(const ShadowAccess &earlier,
                              const ShadowAccess &later, bool earlierIsWrite,
                              Warp &warp) {
  if (areMorallyStrong(earlier, later, warp))
    return false;
  // Only writes need a proxy fence before an asynchronous access; a read
  // before an asynchronous write is ordered by barriers alone.
  bool fence = (later.flags & shadowProxyAsync) &&
               !(earlier.flags & shadowProxyAsync) && earlierIsWrite;
  uint32_t otherWarp = earlier.warp, otherLane = earlier.lane;
  uint32_t time = earlier.clock;
  if (earlier.flags & shadowAsync) {
    // Rows of other clusters cannot be asked whether they were waited for; but
    // who is ordered behind the wait is so behind the issue.
    if (earlier.cluster != warp.cluster->linear)
      return !knows(warp, later.lane, false, earlier.cluster, otherWarp,
                    otherLane, earlier.stamp);
    const AsyncRow &row = rowOf(*warp.cluster, earlier);
    if (row.mbarrier &&
        knowsPhase(warp, later.lane, fence, row.mbarrier, row.phase))
      return false;
    time = earlierIsWrite || !row.readClock ? row.getClock(earlier.lane)
                                            : row.readClock;
    // Not waited for, by anyone or by the lane that issued it.
    if (time == 0 || hasLaneInFlight(row, earlier))
      return true;
    otherLane = row.lane == allLanes ? earlier.lane : row.lane;
    // A copy by cp.async that was waited for is a write of the waiting thread.
  }
  if (fence && !knows(warp, later.lane, true, earlier.cluster, otherWarp,
                      otherLane, time))
    return true;
  // The common case: the whole warp knows.
  if (earlier.cluster == warp.cluster->linear &&
      warp.order.knowledge.all.warp(otherWarp) >= time)
    return false;
  if (otherWarp == later.warp && earlier.cluster == later.cluster) {
    if (otherLane == collectiveLanes || otherLane == later.lane ||
        time <= warp.order.laneSyncClock)
      return false;
    if (!warp.order.laneOrder.empty() && otherLane < 32 && later.lane < 32 &&
        warp.order.laneOrder[otherLane * 32 + later.lane] >= time)
      return false;
  }
  return !knows(warp, later.lane, false, earlier.cluster, otherWarp, otherLane,
                time);
}

uint32_t lanesOf(const ShadowAccess &access) {
  if (access.lane == severalLanes && !(access.flags & shadowAsync))
    return access.stamp;
  return access.lane < 32 ? 1u << access.lane : fullMask;
}

/// Whether an access stands for several that are asked one by one. Collective
/// accesses are asked as one, and copies: their rows know the lanes.
static bool isBySeveral(const ShadowAccess &access) {
  return access.lane == severalLanes && !(access.flags & shadowAsync);
}

/// `isUnordered` of accesses of which one at least is by several lanes, lane by
/// lane. Apart, so that the common case is one function.
[[gnu::noinline]] static bool isAnyLaneUnordered(const ShadowAccess &earlier,
                                                 const ShadowAccess &later,
                                                 bool earlierIsWrite,
                                                 Warp &warp) {
  ShadowAccess from = earlier, to = later;
  for (uint32_t f = isBySeveral(earlier) ? lanesOf(earlier) : 1u; f;
       f &= f - 1) {
    if (isBySeveral(earlier))
      from.lane = static_cast<uint8_t>(__builtin_ctz(f));
    for (uint32_t t = isBySeveral(later) ? lanesOf(later) : 1u; t; t &= t - 1) {
      if (isBySeveral(later))
        to.lane = static_cast<uint8_t>(__builtin_ctz(t));
      if (isUnordered(from, to, earlierIsWrite, warp))
        return true;
    }
  }
  return false;
}

/// Several lanes are ordered where each is, as by a bar.warp.sync of them alone.
bool isUnordered(const ShadowAccess &earlier, const ShadowAccess &later,
                 bool earlierIsWrite, Warp &warp) {
  if (!areLanesUnordered(earlier, later, earlierIsWrite, warp))
    return false;
  if (!isBySeveral(earlier) && !isBySeveral(later))
    return true;
  return isAnyLaneUnordered(earlier, later, earlierIsWrite, warp);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Whether an earlier read by the same warp has to be known beside a later one.
/// Copies in flight at one time are waited for at one time; what was read before
/// the warp's lanes met is ordered for all.
static bool isRecent(const Warp &warp, const ShadowAccess &earlier,
                     const ShadowAccess &by) {
  if (!earlier.valid())
    return false;
  return earlier.flags & shadowAsync ? earlier.clock == by.clock
                                     : earlier.clock > warp.order.laneSyncClock;
}

/// `slot` becomes `by`, of the lanes of both.
[[gnu::noinline]] static void mergeLanes(ShadowAccess &slot,
                                         const ShadowAccess &by) {
  uint32_t lanes = lanesOf(by) | lanesOf(slot);
  slot = by;
  if (lanes == lanesOf(by))
    return;
  slot.lane = severalLanes;
  // The stamp of a copy is what other clusters compare.
  if (!(by.flags & shadowAsync))
    slot.stamp = lanes;
}

void mergeRead(const Warp &warp, ShadowAccess &slot, const ShadowAccess &by) {
  bool isOfSameLane = slot.lane == by.lane && by.lane != severalLanes;
  if (isOfSameLane || !isRecent(warp, slot, by)) {
    slot = by;
    return;
  }
  mergeLanes(slot, by);
}

void SharedShadow::reset(uint32_t bytes, uint32_t warpCount) {
  warps = warpCount;
  granules.assign((bytes + 15) / 16 + 1, Granule());
  initialized.assign((bytes + 15) / 16 + 1, 0);
  cells.clear();
  readerTables.assign(2 * warps, ShadowAccess());
}

void SharedShadow::divide(Granule &granule, uint8_t level) {
  uint32_t count = level == 1 ? 4 : 16;
  uint32_t first = static_cast<uint32_t>(cells.size());
  cells.resize(first + count);
  for (uint32_t i = 0; i < count; ++i) {
    ShadowCell source =
        granule.level == 0 ? granule.cell : cells[granule.split + i / 4];
    if (source.readers) {
      // Each cell has its own table from here on.
      uint32_t table = static_cast<uint32_t>(readerTables.size());
      readerTables.resize(table + 2 * warps);
      std::copy_n(readerTables.begin() + source.readers, 2 * warps,
                  readerTables.begin() + table);
      source.readers = table;
    }
    cells[first + i] = source;
  }
  granule.split = first;
  granule.level = level;
}

bool SharedShadow::access(Warp &warp, int rank, uint32_t address,
                          uint32_t bytes, const ShadowEvent &event) {
  bool collision = false;
  while (bytes) {
    uint32_t inGranule = address & 15;
    uint32_t size = bytes < 16 - inGranule ? bytes : 16 - inGranule;
    Granule &granule = granules[address >> 4];
    if (size == 16 && granule.level == 0) {
      collision |= touch(warp, rank, granule.cell, address, event);
    } else {
      uint8_t wanted = (inGranule | size) & 3 ? 2 : 1;
      if (size != 16 && granule.level < wanted)
        divide(granule, wanted);
      uint32_t cellBytes = granule.level == 1 ? 4 : 1;
      uint32_t first = inGranule / cellBytes;
      uint32_t count = (size + cellBytes - 1) / cellBytes;
      for (uint32_t i = first; i < first + count; ++i)
        collision |= touch(warp, rank, cells[granule.split + i],
                           (address & ~15u) + i * cellBytes, event);
      if (size == 16 && event.isWrite) {
        granule.level = 0;
        granule.cell = cells[granule.split];
      }
    }
    address += size;
    bytes -= size;
  }
  return collision;
}

void SharedShadow::addReader(Warp &warp, ShadowCell &cell,
                             const ShadowAccess &by) {
  bool sameKind =
      cell.read.sameWarp(by) && !((cell.read.flags ^ by.flags) & shadowAsync);
  if (!cell.readers && (!cell.read.valid() || sameKind)) {
    mergeRead(warp, cell.read, by);
    return;
  }
  if (!cell.readers) {
    cell.readers = static_cast<uint32_t>(readerTables.size());
    readerTables.resize(readerTables.size() + 2 * warps);
    bool async = cell.read.flags & shadowAsync;
    readerTables[cell.readers + 2 * cell.read.warp + async] = cell.read;
  } else if (!cell.read.valid()) {
    // The table is left over from before the last write.
    std::fill_n(readerTables.begin() + cell.readers, 2 * warps, ShadowAccess());
  }
  bool async = by.flags & shadowAsync;
  mergeRead(warp, readerTables[cell.readers + 2 * by.warp + async], by);
  cell.read = by;
}

bool SharedShadow::touch(Warp &warp, int rank, ShadowCell &cell,
                         uint64_t address, const ShadowEvent &event) {
  const ShadowAccess &by = event.by;
  bool isWrite = event.isWrite;
  bool collision = false;
  if (cell.write.valid()) {
    const ShadowAccess &last = cell.write;
    // Another lane of this very instruction: the caller compares the values.
    if (isWrite && last.stamp == by.stamp && last.sameWarp(by) &&
        last.instruction == by.instruction && last.lane != by.lane)
      collision = true;
    else if (isUnordered(last, by, true, warp))
      reportConflict(warp, {last, by, true, isWrite, address, event.store},
                     rank);
  }
  if (!isWrite) {
    addReader(warp, cell, by);
    return collision;
  }
  if (cell.read.valid()) {
    if (!cell.readers) {
      if (isUnordered(cell.read, by, false, warp))
        reportConflict(warp, {cell.read, by, false, true, address, event.store},
                       rank);
    } else {
      for (uint32_t i = 0; i < 2 * warps; ++i) {
        const ShadowAccess &read = readerTables[cell.readers + i];
        if (read.valid() && isUnordered(read, by, false, warp)) {
          reportConflict(warp, {read, by, false, true, address, event.store},
                         rank);
          break;
        }
      }
    }
    cell.read.flags = 0;
  }
  cell.write = by;
  return collision;
}

} // namespace tilec::emu
