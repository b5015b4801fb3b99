//===- GlobalShadow.cpp - Who touched which byte of global memory ---------===//
//
// See Shadow.h. Most granules are read by one warp or two, whose last reads lie
// in the granule; those of further warps go into a set, so that a later write
// is compared with every one of them.
//
//===----------------------------------------------------------------------===//

#include "../Machine/Machine.h"
#include "Shadow.h"

namespace tilec::emu {

//===----------------------------------------------------------------------===//
// Sets of readers
//===----------------------------------------------------------------------===//

static bool isSameReader(const ShadowAccess &a, const ShadowAccess &b) {
  return a.sameWarp(b) && !((a.flags ^ b.flags) & readKindFlags);
}

/// Whether a write conflicts with an earlier read: no order makes up for a read
/// that is not coherent.
static bool isConflict(const ShadowAccess &read, const ShadowAccess &by,
                       Warp &warp) {
  return (read.flags & shadowNonCoherent) || isUnordered(read, by, false, warp);
}

/// Whether whoever is ordered behind `later` is ordered behind `earlier` too.
static bool isImplied(Warp &warp, const ShadowAccess &earlier,
                      const ShadowAccess &later) {
  bool bothStrong = earlier.flags & later.flags & shadowStrong;
  return !bothStrong && !((earlier.flags | later.flags) & readKindFlags) &&
         !isUnordered(earlier, later, false, warp);
}

bool ReaderSet::Group::has(uint32_t cluster) const {
  size_t word = cluster / 64 - size_t(firstWord);
  return cluster / 64 >= firstWord && word < clusters.size() &&
         (clusters[word] >> cluster % 64 & 1);
}

void ReaderSet::Group::insert(uint32_t cluster) {
  uint32_t word = cluster / 64;
  if (clusters.empty())
    firstWord = word;
  if (word < firstWord) {
    clusters.insert(clusters.begin(), firstWord - word, 0);
    firstWord = word;
  }
  if (word - firstWord >= clusters.size())
    clusters.resize(word - firstWord + 1);
  uint64_t bit = uint64_t(1) << cluster % 64;
  count += !(clusters[word - firstWord] & bit);
  clusters[word - firstWord] |= bit;
}

void ReaderSet::Group::remove(uint32_t cluster) {
  clusters[cluster / 64 - firstWord] &= ~(uint64_t(1) << cluster % 64);
  --count;
}

uint32_t ReaderSet::Group::anyCluster() const {
  size_t word = 0;
  while (!clusters[word])
    ++word;
  return static_cast<uint32_t>(
      (firstWord + word) * 64 +
      static_cast<size_t>(__builtin_ctzll(clusters[word])));
}

void ReaderSet::clear() {
  groups.clear();
  slots.clear();
  slotCount = 0;
}

static bool isSameButForCluster(const ShadowAccess &a, const ShadowAccess &b) {
  // The stamp of an asynchronous access is what other clusters compare, that of
  // several lanes which they are.
  bool hasStamp = (a.flags & shadowAsync) || a.lane == severalLanes;
  return a.clock == b.clock && a.instruction == b.instruction &&
         a.warp == b.warp && a.lane == b.lane && a.flags == b.flags &&
         (!hasStamp || a.stamp == b.stamp);
}

void ReaderSet::add(Warp &warp, const ShadowAccess &by) {
  ShadowAccess merged = by;
  // An earlier read of the same warp is replaced.
  for (size_t g = 0; g < groups.size(); ++g) {
    Group &group = groups[g];
    if (group.read.warp != by.warp || !group.has(by.cluster) ||
        ((group.read.flags ^ by.flags) & readKindFlags))
      continue;
    ShadowAccess earlier = group.read;
    mergeRead(warp, earlier, by);
    merged = earlier;
    if (isSameButForCluster(group.read, merged))
      return;
    group.remove(by.cluster);
    if (group.count == 0)
      groups.erase(groups.begin() + static_cast<ptrdiff_t>(g));
    break;
  }
  if (slotCount && slots[slotOf(by)].valid())
    return addSingle(warp, merged);
  for (Group &group : groups)
    if (isSameButForCluster(group.read, merged))
      return group.insert(by.cluster);
  if (groups.size() == maxGroups)
    return addSingle(warp, merged);
  Group &group = groups.emplace_back();
  group.read = merged;
  group.insert(by.cluster);
}

size_t ReaderSet::slotOf(const ShadowAccess &by) const {
  uint64_t key = uint64_t(by.cluster) << 18 | uint64_t(by.warp) << 2 |
                 (by.flags & shadowNonCoherent ? 2 : 0) |
                 (by.flags & shadowAsync ? 1 : 0);
  size_t slot = static_cast<size_t>(key * 0x9e3779b97f4a7c15ull >> 20);
  size_t mask = slots.size() - 1;
  while (slots[slot & mask].valid() && !isSameReader(slots[slot & mask], by))
    ++slot;
  return slot & mask;
}

/// Before it grows, reads that `by` is ordered behind are dropped: whoever is
/// ordered behind `by` is so behind them.
void ReaderSet::grow(Warp &warp, const ShadowAccess &by) {
  std::vector<ShadowAccess> old = std::move(slots);
  size_t kept = 0;
  for (ShadowAccess &read : old)
    if (read.valid() && !isSameReader(read, by) && isImplied(warp, read, by))
      read.flags = 0;
    else
      kept += read.valid();
  size_t size = 4;
  while (size < 4 * kept)
    size *= 2;
  slots.assign(size, ShadowAccess());
  for (const ShadowAccess &read : old)
    if (read.valid())
      slots[slotOf(read)] = read;
  slotCount = kept;
}

void ReaderSet::addSingle(Warp &warp, const ShadowAccess &by) {
  if (2 * (slotCount + 1) > slots.size())
    grow(warp, by);
  ShadowAccess &slot = slots[slotOf(by)];
  slotCount += !slot.valid();
  mergeRead(warp, slot, by);
}

bool ReaderSet::findConflict(Warp &warp, const ShadowAccess &by,
                             ShadowAccess &found) const {
  for (const Group &group : groups) {
    found = group.read;
    if (found.flags & shadowNonCoherent) {
      found.cluster = group.anyCluster();
      return true;
    }
    for (size_t word = 0; word < group.clusters.size(); ++word)
      for (uint64_t bits = group.clusters[word]; bits; bits &= bits - 1) {
        found.cluster =
            static_cast<uint32_t>((group.firstWord + word) * 64 +
                                  static_cast<size_t>(__builtin_ctzll(bits)));
        if (isUnordered(found, by, false, warp))
          return true;
      }
  }
  for (const ShadowAccess &read : slots)
    if (read.valid() && isConflict(read, by, warp)) {
      found = read;
      return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

GlobalShadow::Page &GlobalShadow::page(uint64_t number) {
  Shard &shard = shards[number % shardCount];
  std::lock_guard<std::mutex> lock(shard.mutex);
  std::unique_ptr<Page> &page = shard.pages[number];
  if (!page)
    page = std::make_unique<Page>();
  return *page;
}

void GlobalShadow::divide(Page &page, Granule &granule, uint8_t level) {
  uint32_t count = level == 1 ? 4 : 16;
  uint32_t first = static_cast<uint32_t>(page.cells.size());
  page.cells.resize(first + count);
  for (uint32_t i = 0; i < count; ++i) {
    Cell source =
        granule.level == 0 ? granule.cell : page.cells[granule.split + i / 4];
    if (source.readers) {
      // Each cell has its own set from here on.
      page.readers.push_back(page.readers[source.readers]);
      source.readers = static_cast<uint32_t>(page.readers.size() - 1);
    }
    page.cells[first + i] = source;
  }
  granule.split = first;
  granule.level = level;
}

bool GlobalShadow::access(Cursor &cursor, Warp &warp, uint64_t address,
                          uint32_t bytes, const ShadowEvent &event) {
  bool collision = false;
  while (bytes) {
    if (!cursor.page || cursor.number != address >> 12) {
      if (cursor.lock.owns_lock())
        cursor.lock.unlock();
      cursor.number = address >> 12;
      cursor.page = &this->page(cursor.number);
      cursor.lock = std::unique_lock<std::mutex>(cursor.page->mutex);
    }
    Page &page = *cursor.page;
    do {
      uint32_t inGranule = address & 15;
      uint32_t size = bytes < 16 - inGranule ? bytes : 16 - inGranule;
      Granule &granule = page.granules[address >> 4 & 255];
      if (size == 16 && granule.level == 0) {
        collision |= touch(warp, page, granule.cell, address, event);
      } else {
        uint8_t wanted = (inGranule | size) & 3 ? 2 : 1;
        if (size != 16 && granule.level < wanted)
          divide(page, granule, wanted);
        uint32_t cellBytes = granule.level == 1 ? 4 : 1;
        uint32_t first = inGranule / cellBytes;
        uint32_t count = (size + cellBytes - 1) / cellBytes;
        for (uint32_t i = first; i < first + count; ++i)
          collision |= touch(warp, page, page.cells[granule.split + i],
                             (address & ~uint64_t(15)) + i * cellBytes, event);
      }
      address += size;
      bytes -= size;
    } while (bytes && (address & 4095));
  }
  return collision;
}

void GlobalShadow::addReader(Warp &warp, Page &page, Cell &cell,
                             const ShadowAccess &by) {
  for (ShadowAccess *slot : {&cell.read, &cell.otherRead})
    if (!slot->valid() || isSameReader(*slot, by)) {
      mergeRead(warp, *slot, by);
      return;
    }
  if (!cell.readers) {
    cell.readers = static_cast<uint32_t>(page.readers.size());
    page.readers.emplace_back();
  }
  page.readers[cell.readers].add(warp, by);
}

bool GlobalShadow::touch(Warp &warp, Page &page, Cell &cell, uint64_t address,
                         const ShadowEvent &event) {
  const ShadowAccess &by = event.by;
  bool isWrite = event.isWrite;
  bool collision = false;
  if (cell.write.valid()) {
    const ShadowAccess &last = cell.write;
    if (isWrite && last.stamp == by.stamp && last.sameWarp(by) &&
        last.instruction == by.instruction && last.lane != by.lane)
      collision = true;
    else if ((by.flags & shadowNonCoherent) ||
             isUnordered(last, by, true, warp))
      reportConflict(warp, {last, by, true, isWrite, address, event.store}, -1);
  }
  if (!isWrite) {
    addReader(warp, page, cell, by);
    return collision;
  }
  ShadowAccess unordered;
  bool any = false;
  for (const ShadowAccess *read : {&cell.read, &cell.otherRead})
    if (!any && read->valid() && isConflict(*read, by, warp)) {
      unordered = *read;
      any = true;
    }
  any = any || (cell.readers &&
                page.readers[cell.readers].findConflict(warp, by, unordered));
  if (any)
    reportConflict(warp, {unordered, by, false, true, address, event.store},
                   -1);
  cell.read.flags = cell.otherRead.flags = 0;
  if (cell.readers)
    page.readers[cell.readers].clear();
  cell.write = by;
  return collision;
}

} // namespace tilec::emu
