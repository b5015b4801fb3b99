//===- BulkCopy.cpp - cp.async.bulk and tensor copies ---------------------===//
//
// Copies by the asynchronous engine: plain ones, tensor maps (tiled and im2col,
// with swizzle and fill), reductions, multicast. Each instruction of a lane
// becomes one PendingOperation: a list of pieces, checked when issued, moved
// when delivered. Into shared memory they complete on an mbarrier, out of it in
// groups of the issuing thread.
//
// All accesses are of the asynchronous proxy: bytes written by ordinary stores
// need a fence.proxy.async before.
//
//===----------------------------------------------------------------------===//

#include "BulkCopy.h"
#include "../Checkers/Report.h"
#include "../Instructions/Handlers.h"
#include "../Machine/Interpreter.h"
#include "../Memory/Access.h"
#include "../Synchronization/Mbarrier.h"
#include "AsyncCopy.h"
#include "tile/Emulator/TensorMap.h"

#include <algorithm>

namespace tilec::emu {

namespace {

/// Bytes that move together. A null source is filled by the tensor map.
struct BulkPiece {
  uint8_t *target = nullptr;
  const uint8_t *source = nullptr;
  uint32_t bytes = 0;
  Block *targetBlock = nullptr; ///< Of a shared target.
  uint32_t targetOffset = 0;
  Allocation *targetAllocation = nullptr; ///< Of a global target.
};

struct BulkState {
  const BulkInfo *info = nullptr;
  TensorMap map;
  std::vector<BulkPiece> pieces;
  struct Signal {
    Block *block;
    uint32_t offset, bytes;
    uint32_t row;
  };
  std::vector<Signal> signals;
};

uint64_t addressOf(Warp &warp, Ref ref, bool wide, int64_t offset,
                   uint32_t lane) {
  uint64_t base =
      wide ? warp.ptr<uint64_t>(ref)[lane] : warp.ptr<uint32_t>(ref)[lane];
  return base + static_cast<uint64_t>(offset);
}

//===----------------------------------------------------------------------===//
// Delivery
//===----------------------------------------------------------------------===//

void deliverBulk(Cluster &cluster, PendingOperation &operation) {
  auto &state = *static_cast<BulkState *>(operation.state.get());
  bool init = cluster.launch->options.checks.init;
  for (const BulkPiece &piece : state.pieces) {
    if (state.info->reduces) {
      std::lock_guard<std::mutex> lock(cluster.launch->mutex);
      reduceElements(
          state.info->tensor ? state.map.element : state.info->element,
          state.info->reduction, piece.target, piece.source, piece.bytes);
    } else if (!piece.source) {
      fillOutOfBounds(state.map, piece.target, piece.bytes);
    } else {
      std::memcpy(piece.target, piece.source, piece.bytes);
      if (state.info->tensor &&
          state.info->direction == Direction::GlobalToShared)
        convertOnLoad(state.map, piece.target, piece.bytes);
    }
    if (piece.targetBlock && init)
      piece.targetBlock->shadow.setInitialized(piece.targetOffset, piece.bytes);
    if (piece.targetAllocation && !piece.targetAllocation->initialized.empty())
      std::memset(&piece.targetAllocation->initialized[static_cast<size_t>(
                      piece.target - piece.targetAllocation->data)],
                  1, piece.bytes);
  }
  for (const BulkState::Signal &signal : state.signals) {
    if (MbarrierState *m = findMbarrier(*signal.block, signal.offset)) {
      cluster.rows[signal.row].mbarrier = m->id;
      cluster.rows[signal.row].phase = m->phase + 1;
    }
    completeTransaction(*operation.warp, *operation.instruction, *signal.block,
                        signal.offset, signal.bytes);
  }
  ++cluster.progress;
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

struct Issue {
  Warp &warp;
  const Instruction &i;
  const BulkInfo &info;
  uint32_t lane;
  uint32_t row = 0;
  BulkState &state;
  bool ok = true;
  uint64_t lastSector = 0;

  /// Runs come in ascending order within a row of the box.
  void countBytes(uint64_t address, uint32_t bytes) {
    Statistics &s = warp.cluster->statistics;
    uint64_t first = address >> 5, last = (address + bytes - 1) >> 5;
    s.globalSectors += last - first + (first == lastSector ? 0 : 1);
    lastSector = last;
    s.globalBytes += bytes;
    pendingBytes += bytes;
  }
  uint64_t pendingBytes = 0; ///< Of the operation, for the ideal.

  /// One global range: host pointer or null after a report.
  uint8_t *global(uint64_t address, uint32_t bytes, bool writes,
                  Allocation **allocation) {
    Allocation *found = warp.lastAllocation;
    if (!found || !found->live || address - found->address >= found->sizeBytes)
      found = warp.lastAllocation = findAllocation(warp, address);
    countBytes(address, bytes);
    if (!found || address - found->address > found->sizeBytes ||
        found->sizeBytes - (address - found->address) < bytes) {
      reportAt(warp, i, lane, ReportKind::OutOfBounds,
               std::string(writes ? "write" : "read") + " of " +
                   std::to_string(bytes) +
                   " bytes: " + describeGlobal(warp, address));
      ok = false;
      return nullptr;
    }
    uint64_t offset = address - found->address;
    if (!writes && checksInit(warp) && !found->initialized.empty()) {
      bool all = true;
      for (uint32_t b = 0; b < bytes; ++b)
        all &= found->initialized[offset + b] != 0;
      if (!all)
        reportAt(warp, i, lane, ReportKind::Uninitialized,
                 "read of " + std::to_string(bytes) +
                     " bytes that nothing was written to: " +
                     describeGlobal(warp, address));
    }
    if (checksRaces(warp)) {
      AccessRequest request;
      // A read is taken as done when issued; a write pends with its group.
      request.flags = static_cast<uint8_t>(
          shadowProxyAsync | (writes ? shadowAsync : 0) |
          (info.reduces ? shadowStrong | 2 << shadowScopeShift : 0));
      request.row = row;
      ShadowAccess by = shadowAccessOf(warp, i, lane, request);
      if (writes)
        by.stamp = warp.clock;
      GlobalShadow::Cursor cursor;
      warp.launch->globalShadow->access(cursor, warp, address, bytes, by,
                                        writes);
    }
    if (allocation)
      *allocation = found;
    return found->data + offset;
  }

  /// One shared range.
  uint8_t *shared(uint64_t address, uint32_t bytes, bool writes,
                  uint32_t accessRow) {
    AccessRequest request;
    request.mode = writes ? AccessMode::Write : AccessMode::Read;
    request.flags = shadowAsync | shadowProxyAsync;
    request.row = accessRow;
    request.count = false;
    request.markInit = false;
    uint8_t *pointer = accessShared(warp, i, lane, address, bytes, request);
    ok &= pointer != nullptr;
    return pointer;
  }
};

/// Adds the copy of one run into the shared memory of one block.
void addShared(Issue &issue, uint64_t sharedAddress, const uint8_t *source,
               uint32_t bytes, uint32_t row, bool now) {
  uint8_t *target = issue.shared(sharedAddress, bytes, true, row);
  if (!target)
    return;
  BulkPiece piece;
  piece.target = target;
  piece.source = source;
  piece.bytes = bytes;
  piece.targetBlock =
      blockOfShared(issue.warp, sharedAddress, piece.targetOffset);
  issue.state.pieces.push_back(piece);
  if (!now)
    std::memset(target, poisonByte, bytes);
}

bool readMap(Issue &issue, TensorMap &map) {
  Warp &warp = issue.warp;
  uint64_t address = addressOf(warp, issue.info.map, issue.info.mapWide,
                               issue.info.mapOffset, issue.lane);
  AccessRequest request;
  request.space = issue.info.mapSpace;
  request.bytes = 128;
  request.align = 64;
  request.count = false;
  request.checkRace = false;
  request.checkInit = false;
  for (uint64_t &a : request.addresses)
    a = address;
  AccessResult result;
  access(warp, issue.i, 1u << issue.lane, request, result);
  if (!result.ok)
    return false;
  std::memcpy(&map, result.pointers[issue.lane], sizeof map);
  std::string problem = checkTensorMap(map);
  if (problem.empty() && map.rank != issue.info.rank)
    problem = "the map has " + std::to_string(map.rank) +
              " dimensions, the instruction " + std::to_string(issue.info.rank);
  if (!problem.empty()) {
    reportAt(warp, issue.i, issue.lane, ReportKind::Invalid,
             "invalid tensor map: " + problem,
             "tensor maps must be encoded by the emulator's encodeTiled");
    return false;
  }
  return true;
}

/// The shared address within the block of rank `rank` (multicast).
uint64_t inBlock(uint64_t address, uint32_t rank) {
  return (uint64_t(rank + 1) << sharedRankShift) |
         (address & ((1u << sharedRankShift) - 1));
}

/// Fills the pieces of one lane's operation; false after a report.
bool collect(Issue &issue, bool now) {
  const BulkInfo &info = issue.info;
  Warp &warp = issue.warp;
  uint32_t lane = issue.lane;
  std::vector<uint64_t> targets; // Shared targets (several: multicast).
  uint64_t target = info.target == noRef
                        ? 0
                        : addressOf(warp, info.target, info.targetWide,
                                    info.targetOffset, lane);
  uint64_t source = info.source == noRef
                        ? 0
                        : addressOf(warp, info.source, info.sourceWide,
                                    info.sourceOffset, lane);
  uint64_t mbarrier = info.mbarrier == noRef
                          ? 0
                          : addressOf(warp, info.mbarrier, info.mbarrierWide,
                                      info.mbarrierOffset, lane);
  bool intoShared = info.direction != Direction::SharedToGlobal;
  std::vector<uint64_t> mbarriers;
  if (info.multicast) {
    uint32_t mask = warp.ptr<uint16_t>(info.ctaMask)[lane];
    for (uint32_t rank = 0; rank < warp.cluster->blocks.size(); ++rank)
      if (mask >> rank & 1) {
        targets.push_back(inBlock(target, rank));
        mbarriers.push_back(inBlock(mbarrier, rank));
      }
  } else if (intoShared) {
    targets.push_back(target);
    mbarriers.push_back(mbarrier);
  }
  // Each mbarrier is signalled with the bytes that its block receives.
  std::vector<uint32_t> rows;
  if (info.onMbarrier)
    for (uint64_t m : mbarriers) {
      uint32_t offset = 0;
      Block *block = blockOfShared(warp, m, offset);
      MbarrierState *state =
          requireMbarrier(warp, issue.i, lane, block, offset, m);
      if (!state)
        return false;
      uint32_t row = newRow(warp, issue.i, 0);
      AsyncRow &r = warp.cluster->rows[row];
      r.isBulk = true;
      r.mbarrier = state->id;
      r.phase = state->phase + 1;
      rows.push_back(row);
      issue.state.signals.push_back({block, offset, 0, row});
    }

  auto move = [&](uint64_t sharedSide, uint64_t globalSide, uint32_t bytes,
                  bool inBounds) {
    if (info.direction == Direction::SharedToGlobal) {
      if (!inBounds)
        return;
      BulkPiece piece;
      piece.bytes = bytes;
      piece.source = issue.shared(sharedSide, bytes, false, issue.row);
      piece.target =
          issue.global(globalSide, bytes, true, &piece.targetAllocation);
      if (piece.source && piece.target)
        issue.state.pieces.push_back(piece);
      return;
    }
    const uint8_t *from =
        inBounds ? issue.global(globalSide, bytes, false, nullptr) : nullptr;
    if (inBounds && !from)
      return;
    for (size_t t = 0; t < targets.size(); ++t) {
      uint64_t there =
          targets.size() == 1 && !info.multicast
              ? sharedSide
              : inBlock(sharedSide, static_cast<uint32_t>(
                                        (targets[t] >> sharedRankShift) - 1));
      addShared(issue, there, from, bytes, rows[t], now);
    }
  };

  uint32_t total = 0;
  if (info.tensor) {
    if (!readMap(issue, issue.state.map))
      return false;
    const TensorMap &map = issue.state.map;
    uint64_t sharedAddress =
        info.direction == Direction::SharedToGlobal ? source : target;
    uint32_t align = sharedAlignmentBytes(map);
    if (sharedAddress % align) {
      reportAt(warp, issue.i, lane, ReportKind::Misaligned,
               "the shared address of a tensor copy is not a multiple of " +
                   std::to_string(align));
      return false;
    }
    TensorBox box;
    // Swizzles work on the offset; the rank is put back by `move`.
    uint32_t rankBits =
        static_cast<uint32_t>(sharedAddress) & ~((1u << sharedRankShift) - 1);
    box.sharedAddress =
        static_cast<uint32_t>(sharedAddress) & ((1u << sharedRankShift) - 1);
    for (int c = 0; c < info.rank; ++c)
      box.coordinates[c] = warp.ptr<int32_t>(info.coordinates[c])[lane];
    for (int c = 0; c < 3 && info.offsets[c] != noRef; ++c)
      box.im2colOffsets[c] = warp.ptr<uint16_t>(info.offsets[c])[lane];
    forEachRun(map, box, [&](const TensorRun &run) {
      move(run.sharedAddress | rankBits, run.globalAddress, run.bytes,
           run.inBounds);
    });
    total = boxBytes(map);
  } else {
    total = warp.ptr<uint32_t>(info.size)[lane];
    uint64_t low = target | source | total;
    if (low & 15) {
      reportAt(warp, issue.i, lane, ReportKind::Misaligned,
               "addresses and size of a bulk copy must be multiples of 16 (" +
                   std::to_string(total) + " bytes)");
      return false;
    }
    for (uint32_t done = 0; done < total && issue.ok; done += 16) {
      if (info.direction == Direction::SharedToShared) {
        const uint8_t *from = issue.shared(source + done, 16, false, rows[0]);
        if (from)
          addShared(issue, target + done, from, 16, rows[0], now);
      } else if (info.direction == Direction::SharedToGlobal) {
        move(source + done, target + done, 16, true);
      } else {
        move(target + done, source + done, 16, true);
      }
    }
  }
  for (BulkState::Signal &signal : issue.state.signals)
    signal.bytes = total;
  return true;
}

} // namespace

Step bulkHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &info = *static_cast<const BulkInfo *>(i.extra);
  if (info.direction == Direction::Prefetch)
    return Step::Next;
  Cluster &cluster = *warp.cluster;
  forLanes(mask, [&](uint32_t lane) {
    uint32_t row = 0;
    if (!info.onMbarrier) {
      uint32_t &open = warp.bulkGroups[lane].open;
      if (!open) {
        open = newRow(warp, i, 1u << lane);
        cluster.rows[open].isBulk = true;
        cluster.rows[open].lane = lane;
      }
      row = open;
    }
    auto state = std::make_shared<BulkState>();
    state->info = &info;
    bool now = deliversNow(cluster);
    Issue issue{warp, i, info, lane, row, *state};
    if (!collect(issue, now)) {
      // What waits for these bytes would hang: the report says why.
      warp.launch->stop = true;
      return;
    }
    if (info.direction != Direction::SharedToShared)
      ++cluster.statistics.globalAccesses;
    cluster.statistics.globalIdealSectors += (issue.pendingBytes + 31) / 32;
    PendingOperation operation;
    operation.warp = &warp;
    operation.instruction = &i;
    operation.row = row;
    operation.lane = lane;
    operation.state = state;
    operation.deliver = deliverBulk;
    if (now)
      deliverBulk(cluster, operation);
    else
      cluster.pending.push_back(std::move(operation));
  });
  ++cluster.progress;
  return warp.launch->stop ? Step::Stop : Step::Next;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

Step commitBulkHandler(Warp &warp, const Instruction &, uint32_t mask) {
  forLanes(mask, [&](uint32_t lane) {
    Warp::LaneGroups &groups = warp.bulkGroups[lane];
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
    Warp::LaneGroups &groups = warp.bulkGroups[lane];
    size_t done =
        groups.committed.size() > keep ? groups.committed.size() - keep : 0;
    for (size_t g = 0; g < done; ++g) {
      uint32_t row = groups.committed[g];
      if (!row)
        continue;
      for (size_t p = 0; p < cluster.pending.size();)
        if (cluster.pending[p].row == row)
          deliver(cluster, p);
        else
          ++p;
      AsyncRow &r = cluster.rows[row];
      r.lanes = 0;
      r.readClock = std::max(r.readClock, warp.clock);
      if (!i.flags)
        r.clock = std::max(r.clock, warp.clock);
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

void deliver(Cluster &cluster, size_t index) {
  PendingOperation operation = std::move(cluster.pending[index]);
  cluster.pending.erase(cluster.pending.begin() +
                        static_cast<ptrdiff_t>(index));
  operation.deliver(cluster, operation);
}

bool deliverOne(Cluster &cluster) {
  if (cluster.pending.empty())
    return false;
  size_t index = cluster.launch->options.seed
                     ? cluster.nextRandom() % cluster.pending.size()
                     : 0;
  deliver(cluster, index);
  return true;
}

} // namespace tilec::emu
