//===- Ordering.cpp - Releasing and acquiring knowledge -------------------===//
//
// See Ordering.h and VectorClock.h. A release by all live lanes of a warp needs
// one number; a release by some lanes gives what the lanes were last known to
// agree on, and an entry for each releasing lane. A fence releases nothing by
// itself: each of its lanes publishes by its own later strong write, and then
// only what was ordered before that lane.
//
//===----------------------------------------------------------------------===//

#include "Ordering.h"

namespace tilec::emu {

static bool isWhole(const Warp &warp, uint32_t mask) {
  return (mask & warp.live) == warp.live;
}

/// Adds what lane `lane` knows its warp to have done: all lanes up to where
/// they were last ordered, single ones up to a bar.warp.sync with it, and
/// itself.
static void addOwnLane(const Warp &warp, uint32_t lane, VectorClock &target,
                       const std::vector<uint32_t> &laneOrder, uint32_t whole,
                       uint32_t clock) {
  uint32_t cluster = warp.cluster->linear, index = warp.indexInCluster;
  if (!laneOrder.empty())
    for (uint32_t from = 0; from < 32; ++from)
      if (laneOrder[from * 32 + lane] > whole)
        target.raise(laneKey(cluster, index, from),
                     laneOrder[from * 32 + lane]);
  target.raise(laneKey(cluster, index, lane), clock);
}

static void addOwn(Warp &warp, uint32_t mask, VectorClock &target,
                   uint32_t whole, uint32_t clock) {
  uint32_t all = isWhole(warp, mask) ? clock : whole;
  if (target.warp(warp.indexInCluster) < all)
    target.setWarp(warp.indexInCluster, all);
  if (isWhole(warp, mask))
    return;
  for (uint32_t m = mask; m; m &= m - 1)
    addOwnLane(warp, static_cast<uint32_t>(__builtin_ctz(m)), target,
               warp.order.laneOrder, whole, clock);
}

void releaseInto(Warp &warp, uint32_t mask, Knowledge &target) {
  target.join(warp.order.knowledge);
  for (uint32_t m = mask & warp.order.lanesWithKnowledge; m; m &= m - 1)
    target.join((*warp.order.laneKnowledge)[__builtin_ctz(m)]);
  addOwn(warp, mask, target.all, warp.order.laneSyncClock, warp.order.clock);
  ++warp.order.clock;
}

void acquireFrom(Warp &warp, uint32_t mask, const Knowledge &source) {
  if (isWhole(warp, mask)) {
    warp.order.knowledge.join(source);
    return;
  }
  if (!warp.order.laneKnowledge)
    warp.order.laneKnowledge = std::make_unique<std::array<Knowledge, 32>>();
  for (uint32_t m = mask; m; m &= m - 1)
    (*warp.order.laneKnowledge)[__builtin_ctz(m)].join(source);
  warp.order.lanesWithKnowledge |= mask;
}

void synchronizeLanes(Warp &warp, uint32_t mask) {
  uint32_t known = mask & warp.order.lanesWithKnowledge;
  if (isWhole(warp, mask)) {
    for (uint32_t m = known; m; m &= m - 1) {
      Knowledge &lane = (*warp.order.laneKnowledge)[__builtin_ctz(m)];
      warp.order.knowledge.join(lane);
      lane.clear();
    }
    warp.order.lanesWithKnowledge = 0;
    warp.order.laneSyncClock = warp.order.clock;
    warp.order.knowledge.all.prune(warp.cluster->linear);
    ++warp.order.clock;
    return;
  }
  // Some lanes: a matrix of which lane knows which up to when.
  if (warp.order.laneOrder.empty())
    warp.order.laneOrder.assign(32 * 32, 0);
  uint32_t order[32];
  for (uint32_t from = 0; from < 32; ++from) {
    order[from] = 0;
    for (uint32_t m = mask; m; m &= m - 1)
      order[from] = std::max(
          order[from], warp.order.laneOrder[from * 32 + __builtin_ctz(m)]);
    if (mask >> from & 1)
      order[from] = warp.order.clock;
  }
  for (uint32_t from = 0; from < 32; ++from)
    for (uint32_t m = mask; m; m &= m - 1)
      warp.order.laneOrder[from * 32 + __builtin_ctz(m)] = order[from];
  if (known) {
    Knowledge joined;
    for (uint32_t m = known; m; m &= m - 1)
      joined.join((*warp.order.laneKnowledge)[__builtin_ctz(m)]);
    acquireFrom(warp, mask, joined);
  }
  ++warp.order.clock;
}

void fenceAsyncProxy(Warp &warp, uint32_t mask) {
  if (isWhole(warp, mask)) {
    warp.order.knowledge.fenced.join(warp.order.knowledge.all);
    for (uint32_t m = mask & warp.order.lanesWithKnowledge; m; m &= m - 1) {
      Knowledge &own = (*warp.order.laneKnowledge)[__builtin_ctz(m)];
      own.fenced.join(own.all);
    }
    // Each lane fences what it knows: its own writes, and those of the other
    // lanes up to the last time they were ordered. As every lane does so, all
    // writes of the warp are fenced for those who learn of all lanes.
    addOwn(warp, mask, warp.order.knowledge.fenced, warp.order.laneSyncClock,
           warp.order.clock);
    ++warp.order.clock;
    return;
  }
  Knowledge fenced;
  fenced.fenced = warp.order.knowledge.all;
  addOwn(warp, mask, fenced.fenced, warp.order.laneSyncClock, warp.order.clock);
  for (uint32_t m = mask & warp.order.lanesWithKnowledge; m; m &= m - 1)
    fenced.fenced.join((*warp.order.laneKnowledge)[__builtin_ctz(m)].all);
  acquireFrom(warp, mask, fenced);
  ++warp.order.clock;
}

static FenceState &fencesOf(Warp &warp) {
  if (!warp.order.fences)
    warp.order.fences = std::make_unique<FenceState>();
  return *warp.order.fences;
}

void fenceMemory(Warp &warp, uint32_t mask, Scope scope) {
  FenceState &fences = fencesOf(warp);
  for (uint32_t m = mask & fences.seenLanes; m; m &= m - 1) {
    uint32_t lane = static_cast<uint32_t>(__builtin_ctz(m));
    acquireFrom(warp, 1u << lane, fences.seen[lane]);
    fences.seen[lane].clear();
  }
  fences.seenLanes &= ~mask;
  auto record = std::make_shared<FenceRecord>();
  record->known = warp.order.knowledge;
  record->moreLanes = mask & warp.order.lanesWithKnowledge;
  for (uint32_t m = record->moreLanes; m; m &= m - 1)
    record->more.push_back((*warp.order.laneKnowledge)[__builtin_ctz(m)]);
  record->laneSyncClock = warp.order.laneSyncClock;
  record->clock = warp.order.clock;
  record->laneOrder = warp.order.laneOrder;
  for (uint32_t m = mask; m; m &= m - 1) {
    auto &released = fences.released[__builtin_ctz(m)];
    // A later fence of a wider scope does what the earlier ones did.
    for (size_t narrow = 0; narrow <= static_cast<size_t>(scope); ++narrow)
      released[narrow].reset();
    released[static_cast<size_t>(scope)] = record;
  }
  ++warp.order.clock;
}

/// What a fence lets `lane` publish.
static Knowledge publishedBy(const Warp &warp, uint32_t lane,
                             const FenceRecord &record) {
  Knowledge result = record.known;
  if (record.moreLanes >> lane & 1)
    result.join(record.more[static_cast<size_t>(
        __builtin_popcount(record.moreLanes & ((1u << lane) - 1)))]);
  if (result.all.warp(warp.indexInCluster) < record.laneSyncClock)
    result.all.setWarp(warp.indexInCluster, record.laneSyncClock);
  addOwnLane(warp, lane, result.all, record.laneOrder, record.laneSyncClock,
             record.clock);
  return result;
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
  return isShared ? warp.cluster->locations : *warp.launch->locations;
}

static void publish(Warp &warp, uint64_t key, bool isShared,
                    Knowledge knowledge, Scope scope) {
  SyncLocations::Entry entry;
  entry.knowledge = std::move(knowledge);
  entry.scope = scope;
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

void strongWrite(Warp &warp, uint32_t lane, uint64_t key, bool isShared,
                 Semantics semantics, Scope scope) {
  if (releases(semantics)) {
    Knowledge knowledge;
    releaseInto(warp, 1u << lane, knowledge);
    publish(warp, key, isShared, std::move(knowledge), scope);
    return;
  }
  if (!warp.order.fences)
    return;
  for (uint8_t s = 0; s < 4; ++s)
    if (const auto &record = warp.order.fences->released[lane][s])
      publish(warp, key, isShared, publishedBy(warp, lane, *record),
              std::min(scope, static_cast<Scope>(s)));
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
  FenceState &fences = fencesOf(warp);
  fences.seen[lane].join(seen);
  fences.seenLanes |= 1u << lane;
}

} // namespace tilec::emu
