//===- Ordering.cpp - Releasing and acquiring knowledge -------------------===//
//
// See Ordering.h and VectorClock.h. A release by all live lanes of a warp needs
// one number; a release by some lanes gives what the lanes were last known to
// agree on, and an entry for each releasing lane.
//
//===----------------------------------------------------------------------===//

#include "Ordering.h"

namespace tilec::emu {

static bool isWhole(const Warp &warp, uint32_t mask) {
  return (mask & warp.live) == warp.live;
}

static void addOwn(Warp &warp, uint32_t mask, VectorClock &target,
                   uint32_t whole, uint32_t clock) {
  if (isWhole(warp, mask)) {
    if (target.warp(warp.indexInCluster) < clock)
      target.setWarp(warp.indexInCluster, clock);
    return;
  }
  if (target.warp(warp.indexInCluster) < whole)
    target.setWarp(warp.indexInCluster, whole);
  for (uint32_t m = mask; m; m &= m - 1)
    target.raise(laneKey(warp.cluster->linear, warp.indexInCluster,
                         static_cast<uint32_t>(__builtin_ctz(m))),
                 clock);
}

void releaseInto(Warp &warp, uint32_t mask, Knowledge &target) {
  target.join(warp.knowledge);
  for (uint32_t m = mask & warp.lanesWithKnowledge; m; m &= m - 1)
    target.join((*warp.laneKnowledge)[__builtin_ctz(m)]);
  addOwn(warp, mask, target.all, warp.laneSyncClock, warp.clock);
  ++warp.clock;
}

void acquireFrom(Warp &warp, uint32_t mask, const Knowledge &source) {
  if (isWhole(warp, mask)) {
    warp.knowledge.join(source);
    return;
  }
  if (!warp.laneKnowledge)
    warp.laneKnowledge = std::make_unique<std::array<Knowledge, 32>>();
  for (uint32_t m = mask; m; m &= m - 1)
    (*warp.laneKnowledge)[__builtin_ctz(m)].join(source);
  warp.lanesWithKnowledge |= mask;
}

void synchronizeLanes(Warp &warp, uint32_t mask) {
  uint32_t known = mask & warp.lanesWithKnowledge;
  if (isWhole(warp, mask)) {
    for (uint32_t m = known; m; m &= m - 1) {
      Knowledge &lane = (*warp.laneKnowledge)[__builtin_ctz(m)];
      warp.knowledge.join(lane);
      lane.clear();
    }
    warp.lanesWithKnowledge = 0;
    warp.laneSyncClock = warp.clock;
    warp.knowledge.all.prune(warp.cluster->linear);
    ++warp.clock;
    return;
  }
  // Some lanes: a matrix of which lane knows which up to when.
  if (warp.laneOrder.empty())
    warp.laneOrder.assign(32 * 32, 0);
  uint32_t order[32];
  for (uint32_t from = 0; from < 32; ++from) {
    order[from] = 0;
    for (uint32_t m = mask; m; m &= m - 1)
      order[from] =
          std::max(order[from], warp.laneOrder[from * 32 + __builtin_ctz(m)]);
    if (mask >> from & 1)
      order[from] = warp.clock;
  }
  for (uint32_t from = 0; from < 32; ++from)
    for (uint32_t m = mask; m; m &= m - 1)
      warp.laneOrder[from * 32 + __builtin_ctz(m)] = order[from];
  if (known) {
    Knowledge joined;
    for (uint32_t m = known; m; m &= m - 1)
      joined.join((*warp.laneKnowledge)[__builtin_ctz(m)]);
    acquireFrom(warp, mask, joined);
  }
  ++warp.clock;
}

void fenceAsyncProxy(Warp &warp, uint32_t mask) {
  if (isWhole(warp, mask)) {
    warp.knowledge.fenced.join(warp.knowledge.all);
    for (uint32_t m = mask & warp.lanesWithKnowledge; m; m &= m - 1) {
      Knowledge &own = (*warp.laneKnowledge)[__builtin_ctz(m)];
      own.fenced.join(own.all);
    }
    // Each lane fences what it knows: its own writes, and those of the other
    // lanes up to the last time they were ordered. As every lane does so, all
    // writes of the warp are fenced for those who learn of all lanes.
    addOwn(warp, mask, warp.knowledge.fenced, warp.laneSyncClock, warp.clock);
    ++warp.clock;
    return;
  }
  Knowledge fenced;
  fenced.fenced = warp.knowledge.all;
  addOwn(warp, mask, fenced.fenced, warp.laneSyncClock, warp.clock);
  for (uint32_t m = mask & warp.lanesWithKnowledge; m; m &= m - 1)
    fenced.fenced.join((*warp.laneKnowledge)[__builtin_ctz(m)].all);
  acquireFrom(warp, mask, fenced);
  ++warp.clock;
}

void fenceMemory(Warp &warp, uint32_t mask, Scope scope) {
  if (warp.pendingAcquire) {
    acquireFrom(warp, mask, *warp.pendingAcquire);
    warp.pendingAcquire.reset();
  }
  if (!warp.fenceRelease)
    warp.fenceRelease = std::make_unique<Knowledge>();
  releaseInto(warp, mask, *warp.fenceRelease);
  warp.fenceLanes |= mask;
  warp.fenceScope = static_cast<uint8_t>(scope);
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

/// Dense components as entries that mean the same in every cluster.
static void makePortable(Knowledge &knowledge, uint32_t cluster) {
  auto convert = [&](VectorClock &clock) {
    for (size_t w = 0; w < clock.dense.size(); ++w)
      if (clock.dense[w])
        clock.raise(laneKey(cluster, static_cast<uint32_t>(w), allLanes),
                    clock.dense[w]);
    clock.dense.clear();
  };
  convert(knowledge.all);
  convert(knowledge.fenced);
}

static SyncLocations &locationsFor(Warp &warp, bool isShared) {
  return isShared ? *warp.cluster->locations : *warp.launch->locations;
}

void strongWrite(Warp &warp, uint32_t lane, uint64_t key, bool isShared,
                 Semantics semantics, Scope scope) {
  SyncLocations::Entry entry;
  if (releases(semantics)) {
    releaseInto(warp, 1u << lane, entry.knowledge);
    entry.scope = scope;
  } else if (warp.fenceLanes >> lane & 1) {
    entry.knowledge = *warp.fenceRelease;
    entry.scope = std::min(scope, static_cast<Scope>(warp.fenceScope));
  } else {
    return;
  }
  entry.block = warp.block->linear;
  entry.cluster = warp.cluster->linear;
  makePortable(entry.knowledge, warp.cluster->linear);
  SyncLocations &locations = locationsFor(warp, isShared);
  std::lock_guard<std::mutex> lock(locations.mutex);
  auto &list = locations.entries[key];
  for (SyncLocations::Entry &known : list)
    if (known.block == entry.block && known.scope == entry.scope) {
      known.knowledge.join(entry.knowledge);
      return;
    }
  list.push_back(std::move(entry));
}

void strongRead(Warp &warp, uint32_t lane, uint64_t key, bool isShared,
                Semantics semantics, Scope scope) {
  ++warp.cluster->polls;
  SyncLocations &locations = locationsFor(warp, isShared);
  Knowledge seen;
  bool any = false;
  {
    std::lock_guard<std::mutex> lock(locations.mutex);
    auto found = locations.entries.find(key);
    if (found == locations.entries.end())
      return;
    for (const SyncLocations::Entry &entry : found->second) {
      Scope least = std::min(scope, entry.scope);
      bool reaches =
          entry.block == warp.block->linear ||
          (entry.cluster == warp.cluster->linear ? least >= Scope::Cluster
                                                 : least >= Scope::Gpu);
      if (reaches) {
        seen.join(entry.knowledge);
        any = true;
      }
    }
  }
  if (!any)
    return;
  if (acquires(semantics)) {
    acquireFrom(warp, 1u << lane, seen);
    return;
  }
  if (!warp.pendingAcquire)
    warp.pendingAcquire = std::make_unique<Knowledge>();
  warp.pendingAcquire->join(seen);
}

} // namespace tilec::emu
