//===- Shadow.h - Who touched which byte last -------------------*- C++ -*-===//
//
// Shadow memory of the race checker. A granule covers 16 bytes and remembers
// the last write and, per warp, the last read since. On the first finer access
// it splits into four cells of 4 bytes or sixteen of one; a write of all 16
// bytes joins it again. Two accesses conflict when one is a write and the later
// one's thread does not know of the earlier (see VectorClock.h).
//
// An access by an asynchronous operation does not carry a clock but the index
// of its AsyncRow: waiting for the operation then completes all its bytes with
// one update.
//
// A non-coherent read (ld.global.nc, ldu) conflicts with every write of the
// launch, before or after it and whatever order there is: the memory
// consistency model does not apply to it. A write remains in its cell, and a
// read until the next write, so that the last accesses are all that is needed.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_CHECKERS_SHADOW_H
#define TILE_LIB_EMULATOR_CHECKERS_SHADOW_H

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace tilec::emu {

struct Warp;
struct Cluster;
struct Launch;
struct PendingStore;

enum ShadowFlags : uint8_t {
  shadowValid = 1,
  shadowAsync = 2,        ///< `clock` is an AsyncRow.
  shadowStrong = 4,       ///< Atomic, volatile, relaxed, acquire or release.
  shadowProxyAsync = 8,   ///< Through the asynchronous proxy.
  shadowScopeShift = 4,   ///< Bits 4, 5: scope of a strong access.
  shadowNonCoherent = 64, ///< A read of what the launch must not write.
  shadowCopySource = 128, ///< `clock` is an ordinal: see PendingAccess.h.
};
enum class Scope : uint8_t { Cta, Cluster, Gpu, System };

/// What tells reads of one warp apart: each kind has its own last read.
inline constexpr uint8_t readKindFlags = shadowAsync | shadowNonCoherent;

/// Lanes that are not one lane: a collective that every lane performs, and
/// several lanes of one warp each on its own.
inline constexpr uint8_t collectiveLanes = 63;
inline constexpr uint8_t severalLanes = 62;

struct ShadowAccess {
  uint32_t clock = 0;
  uint32_t instruction = 0; ///< Index into Program::code.
  uint32_t cluster = 0;
  /// Tells executions of one instruction apart; of an asynchronous access to
  /// global memory the clock at which it was issued; of reads by several lanes
  /// the mask of those lanes.
  uint32_t stamp = 0;
  uint16_t warp = 0; ///< In the cluster.
  uint8_t lane = 0;
  uint8_t flags = 0;

  bool valid() const { return flags & shadowValid; }
  bool sameWarp(const ShadowAccess &o) const {
    return warp == o.warp && cluster == o.cluster;
  }
};

struct ShadowCell {
  ShadowAccess write, read;
  uint32_t readers = 0; ///< Index of a reader table; 0: only `read`.
};

/// An access as the checks see it.
struct ShadowEvent {
  ShadowAccess by;
  bool isWrite = false;
  /// The values of a store that is about to be performed (StoredValues.h); null
  /// for all else.
  const PendingStore *store = nullptr;
};

/// What a conflict was found between.
struct Conflict {
  ShadowAccess earlier, later;
  bool earlierIsWrite = false, laterIsWrite = false;
  uint64_t address = 0;
  const PendingStore *store = nullptr; ///< Of the later one.
};

/// Whether two strong accesses that meet are of different sizes. They then
/// overlap in part, as each is a multiple of its size, and are not morally
/// strong: that needs operations that "overlap completely" (PTX ISA, "Morally
/// strong operations"), where vectors and packed types count as operations on
/// their elements.
bool differInSize(const ShadowAccess &a, const ShadowAccess &b,
                  const Warp &warp);
/// Whether `later` (running in `warp`) is not ordered after `earlier`.
bool isUnordered(const ShadowAccess &earlier, const ShadowAccess &later,
                 bool earlierIsWrite, Warp &warp);
/// The lanes that performed a read: one, several or all of the warp.
uint32_t lanesOf(const ShadowAccess &access);
/// Reports one conflict on shared memory of block `rank`, or on global memory
/// with rank -1.
void reportConflict(Warp &warp, const Conflict &conflict, int rank);

class SharedShadow {
public:
  /// `warps` is the number of warps of the cluster.
  void reset(uint32_t bytes, uint32_t warps);
  /// Records an access of `bytes` at `address` and reports conflicts. True if
  /// another lane of the same instruction wrote the same bytes.
  bool access(Warp &warp, int rank, uint32_t address, uint32_t bytes,
              const ShadowEvent &event);

  bool isInitialized(uint32_t address, uint32_t bytes) const {
    for (uint32_t done = 0; done < bytes;) {
      uint32_t at = address + done, inGranule = at & 15;
      uint32_t size =
          bytes - done < 16 - inGranule ? bytes - done : 16 - inGranule;
      uint32_t mask = ((1u << size) - 1) << inGranule;
      if ((initialized[at >> 4] & mask) != mask)
        return false;
      done += size;
    }
    return true;
  }
  void setInitialized(uint32_t address, uint32_t bytes, bool value = true) {
    for (uint32_t done = 0; done < bytes;) {
      uint32_t at = address + done, inGranule = at & 15;
      uint32_t size =
          bytes - done < 16 - inGranule ? bytes - done : 16 - inGranule;
      uint32_t mask = ((1u << size) - 1) << inGranule;
      if (value)
        initialized[at >> 4] |= static_cast<uint16_t>(mask);
      else
        initialized[at >> 4] &= static_cast<uint16_t>(~mask);
      done += size;
    }
  }

private:
  struct Granule {
    ShadowCell cell;
    uint32_t split = 0; ///< Index of its first cell in `cells`.
    uint8_t level = 0;  ///< 0: whole, 1: four cells, 2: sixteen.
  };
  void divide(Granule &granule, uint8_t level);
  bool touch(Warp &warp, int rank, ShadowCell &cell, uint64_t address,
             const ShadowEvent &event);
  void addReader(Warp &warp, ShadowCell &cell, const ShadowAccess &by);

  uint32_t warps = 1;
  std::vector<Granule> granules;
  std::vector<uint16_t> initialized;
  std::vector<ShadowCell> cells;
  /// Tables of 2 * warps entries: last generic and last asynchronous read.
  std::vector<ShadowAccess> readerTables;
};

/// The last read of each of many warps. Blocks mostly execute the same code, so
/// reads that differ in their cluster alone are one group with a bit for each
/// cluster; what fits no group is kept by itself, by open addressing.
class ReaderSet {
public:
  void clear();
  /// Records a read.
  void add(Warp &warp, const ShadowAccess &by);
  /// A read that the write `by` conflicts with, if there is one.
  bool findConflict(Warp &warp, const ShadowAccess &by,
                    ShadowAccess &found) const;

private:
  struct Group {
    ShadowAccess read; ///< Of any cluster.
    uint32_t firstWord = 0;
    uint32_t count = 0;
    std::vector<uint64_t> clusters; ///< Bits, from cluster 64 * firstWord on.

    bool has(uint32_t cluster) const;
    uint32_t anyCluster() const;
    void insert(uint32_t cluster);
    void remove(uint32_t cluster);
  };
  static constexpr size_t maxGroups = 16;

  void addSingle(Warp &warp, const ShadowAccess &by);
  size_t slotOf(const ShadowAccess &by) const;
  void grow(Warp &warp, const ShadowAccess &by);
  std::vector<Group> groups;
  std::vector<ShadowAccess> slots; ///< A power of two.
  size_t slotCount = 0;
};

/// Replaces the read of a warp in `slot` by a later one of the same warp.
void mergeRead(const Warp &warp, ShadowAccess &slot, const ShadowAccess &by);

/// The same for global memory, in pages made on first touch, shared by the OS
/// threads of a launch. Keeps the first two reading warps of a granule in it,
/// further ones in a set beside it.
class GlobalShadow {
  struct Page;

public:
  /// The page that the last access locked; one per instruction.
  struct Cursor {
    uint64_t number = 0;
    Page *page = nullptr;
    std::unique_lock<std::mutex> lock;
  };
  bool access(Cursor &cursor, Warp &warp, uint64_t address, uint32_t bytes,
              const ShadowEvent &event);

private:
  struct Cell {
    ShadowAccess write, read, otherRead;
    uint32_t readers = 0; ///< Index into Page::readers; 0: none.
  };
  struct Granule {
    Cell cell;
    uint32_t split = 0;
    uint8_t level = 0;
  };
  struct Page {
    std::mutex mutex;
    std::array<Granule, 256> granules;
    std::vector<Cell> cells;
    std::vector<ReaderSet> readers{1};
  };
  Page &page(uint64_t number);
  void divide(Page &page, Granule &granule, uint8_t level);
  bool touch(Warp &warp, Page &page, Cell &cell, uint64_t address,
             const ShadowEvent &event);
  void addReader(Warp &warp, Page &page, Cell &cell, const ShadowAccess &by);

  static constexpr unsigned shardCount = 64;
  struct Shard {
    std::mutex mutex;
    std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  };
  std::array<Shard, shardCount> shards;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_CHECKERS_SHADOW_H
