//===- AsyncCopy.cpp - cp.async and its groups ----------------------------===//
//
// A copy of 4, 8 or 16 bytes per lane from global to shared memory. Its data
// arrive when the issuing thread waits for its group (or at once, see
// Delivery); until then the destination holds poison and the shadow memory says
// that a write is pending there. cp.async.mbarrier.arrive makes an mbarrier
// wait for a thread's copies instead.
//
//===----------------------------------------------------------------------===//

#include "AsyncCopy.h"
#include "../Checkers/Report.h"
#include "../Decode/Decoder.h"
#include "../Decode/Families.h"
#include "../Instructions/Handlers.h"
#include "../Machine/Interpreter.h"
#include "../Memory/Access.h"
#include "../Synchronization/Mbarrier.h"

namespace tilec::emu {

uint32_t newRow(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  Cluster &cluster = *warp.cluster;
  AsyncRow row;
  row.warp = warp.indexInCluster;
  row.lanes = lanes;
  row.instruction = &instruction;
  cluster.rows.push_back(row);
  return static_cast<uint32_t>(cluster.rows.size() - 1);
}

bool deliversNow(Cluster &cluster) {
  switch (cluster.launch->options.delivery) {
  case Delivery::Late:
    return false;
  case Delivery::Early:
    return true;
  case Delivery::Random:
    return cluster.nextRandom() & 1;
  }
  return false;
}

static void deliverPiece(const CopyPiece &piece) {
  uint8_t *target = piece.block->shared + piece.offset;
  std::memcpy(target, piece.source, piece.sourceBytes);
  std::memset(target + piece.sourceBytes, 0,
              static_cast<size_t>(piece.bytes - piece.sourceBytes));
  const CheckOptions &checks = piece.block->cluster->launch->options.checks;
  if (checks.init)
    piece.block->shadow.setInitialized(piece.offset, piece.bytes);
}

void deliverCopies(Cluster &cluster, uint32_t row, uint32_t lanes) {
  auto found = cluster.copyPieces.find(row);
  if (found == cluster.copyPieces.end())
    return;
  std::vector<CopyPiece> &pieces = found->second;
  size_t kept = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (lanes >> pieces[i].lane & 1)
      deliverPiece(pieces[i]);
    else
      pieces[kept++] = pieces[i];
  }
  pieces.resize(kept);
  if (pieces.empty())
    cluster.copyPieces.erase(found);
}

namespace {

struct CopyInfo {
  bool targetWide = true, sourceWide = true;
  int64_t targetOffset = 0, sourceOffset = 0;
};

/// ref[1]: shared address, ref[2]: global address, ref[3]: source size or
/// noRef, ref[4]: ignore-source predicate or noRef. `bytes`: the copy's size.
Step copyAsync(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &info = *static_cast<const CopyInfo *>(i.extra);
  Cluster &cluster = *warp.cluster;
  // The group that each lane has open; a fresh one for those that have none.
  uint32_t without = 0;
  forLanes(mask, [&](uint32_t lane) {
    if (!warp.copyGroups[lane].open)
      without |= 1u << lane;
  });
  if (without) {
    uint32_t row = newRow(warp, i, 0);
    forLanes(without, [&](uint32_t lane) { warp.copyGroups[lane].open = row; });
  }
  // Source sizes, and which lanes read anything.
  uint32_t sizes[32], readers = 0;
  uint32_t ignored = i.ref[4] == noRef ? 0 : warp.predicate(i.ref[4]);
  forLanes(mask, [&](uint32_t lane) {
    uint32_t size =
        i.ref[3] == noRef ? i.bytes : warp.ptr<uint32_t>(i.ref[3])[lane];
    if (ignored >> lane & 1)
      size = 0;
    if (size > i.bytes) {
      reportAt(warp, i, lane, ReportKind::Invalid,
               "the source size " + std::to_string(size) +
                   " exceeds the copy size " + std::to_string(i.bytes));
      size = i.bytes;
    }
    sizes[lane] = size;
    if (size)
      readers |= 1u << lane;
  });
  AccessRequest source;
  source.space = StateSpace::Global;
  source.bytes = i.bytes;
  AccessResult sourceResult;
  sourceResult.ok = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    source.addresses[lane] =
        (info.sourceWide ? warp.ptr<uint64_t>(i.ref[2])[lane]
                         : warp.ptr<uint32_t>(i.ref[2])[lane]) +
        static_cast<uint64_t>(info.sourceOffset);
    sourceResult.pointers[lane] = nullptr;
  }
  // Lanes with a shorter source are checked one size at a time.
  for (uint32_t left = readers; left;) {
    uint32_t size = sizes[__builtin_ctz(left)], same = 0;
    forLanes(left, [&](uint32_t lane) {
      if (sizes[lane] == size)
        same |= 1u << lane;
    });
    source.bytes = size;
    source.align = i.bytes;
    AccessResult part;
    access(warp, i, same, source, part);
    forLanes(part.ok, [&](uint32_t lane) {
      sourceResult.pointers[lane] = part.pointers[lane];
    });
    sourceResult.ok |= part.ok;
    left &= ~same;
  }
  uint32_t bad = readers & ~sourceResult.ok;

  AccessRequest target;
  target.space = StateSpace::Shared;
  target.mode = AccessMode::Write;
  target.bytes = i.bytes;
  target.markInit = false;
  target.checkRace = false;
  for (uint32_t lane = 0; lane < 32; ++lane)
    target.addresses[lane] =
        (info.targetWide ? warp.ptr<uint64_t>(i.ref[1])[lane]
                         : warp.ptr<uint32_t>(i.ref[1])[lane]) +
        static_cast<uint64_t>(info.targetOffset);
  AccessResult result;
  access(warp, i, mask & ~bad, target, result);
  bool races = checksRaces(warp);
  target.flags = shadowAsync;
  bool now = deliversNow(cluster);
  std::vector<CopyPiece> *pieces = nullptr;
  uint32_t piecesRow = 0;
  forLanes(result.ok, [&](uint32_t lane) {
    uint32_t row = warp.copyGroups[lane].open;
    cluster.rows[row].lanes |= 1u << lane;
    uint32_t offset = 0;
    Block *block = blockOfShared(warp, target.addresses[lane], offset);
    if (races) {
      target.row = row;
      block->shadow.access(warp, static_cast<int>(block->rank), offset, i.bytes,
                           shadowAccessOf(warp, i, lane, target), true);
    }
    CopyPiece piece;
    piece.block = block;
    piece.offset = offset;
    piece.source = sourceResult.pointers[lane];
    piece.bytes = i.bytes;
    piece.sourceBytes = static_cast<uint8_t>(sizes[lane]);
    piece.lane = static_cast<uint8_t>(lane);
    if (now) {
      deliverPiece(piece);
      return;
    }
    std::memset(block->shared + offset, poisonByte, i.bytes);
    if (!pieces || piecesRow != row) {
      pieces = &cluster.copyPieces[row];
      piecesRow = row;
    }
    pieces->push_back(piece);
  });
  ++cluster.progress;
  return Step::Next;
}

Step commitGroup(Warp &warp, const Instruction &, uint32_t mask) {
  forLanes(mask, [&](uint32_t lane) {
    Warp::LaneGroups &groups = warp.copyGroups[lane];
    groups.committed.push_back(groups.open);
    groups.open = 0;
  });
  return Step::Next;
}

/// `lane` waited for its operations of `row`.
void completeFor(Warp &warp, uint32_t row, uint32_t lanes) {
  if (!row)
    return;
  AsyncRow &r = warp.cluster->rows[row];
  deliverCopies(*warp.cluster, row, lanes);
  r.lanes &= ~lanes;
  r.clock = std::max(r.clock, warp.clock);
}

/// Waits until at most immediate groups are pending; -1: for all copies.
Step waitGroup(Warp &warp, const Instruction &i, uint32_t mask) {
  bool all = i.immediate < 0;
  size_t keep = all ? 0 : static_cast<size_t>(i.immediate);
  // Lanes mostly share rows: complete each row once.
  uint32_t rows[64];
  uint32_t lanes[64], count = 0;
  auto note = [&](uint32_t row, uint32_t lane) {
    if (!row)
      return;
    for (uint32_t k = 0; k < count; ++k)
      if (rows[k] == row) {
        lanes[k] |= 1u << lane;
        return;
      }
    if (count == 64) {
      completeFor(warp, row, 1u << lane);
      return;
    }
    rows[count] = row;
    lanes[count++] = 1u << lane;
  };
  forLanes(mask, [&](uint32_t lane) {
    Warp::LaneGroups &groups = warp.copyGroups[lane];
    size_t done =
        groups.committed.size() > keep ? groups.committed.size() - keep : 0;
    for (size_t g = 0; g < done; ++g)
      note(groups.committed[g], lane);
    groups.committed.erase(groups.committed.begin(),
                           groups.committed.begin() +
                               static_cast<ptrdiff_t>(done));
    if (all) {
      note(groups.open, lane);
      groups.open = 0;
    }
  });
  for (uint32_t k = 0; k < count; ++k)
    completeFor(warp, rows[k], lanes[k]);
  ++warp.cluster->progress;
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// cp.async.mbarrier.arrive
//===----------------------------------------------------------------------===//

struct CopyArrival {
  std::vector<std::pair<uint32_t, uint32_t>> rows; ///< Row and lanes.
  Block *block = nullptr;
  uint32_t offset = 0, count = 0;
};

void deliverArrival(Cluster &cluster, PendingOperation &operation) {
  auto &arrival = *static_cast<CopyArrival *>(operation.state.get());
  MbarrierState *state = findMbarrier(*arrival.block, arrival.offset);
  for (auto [row, lanes] : arrival.rows) {
    deliverCopies(cluster, row, lanes);
    if (state) {
      cluster.rows[row].mbarrier = state->id;
      cluster.rows[row].phase = state->phase + 1;
    }
  }
  if (state)
    arriveAsynchronously(*operation.warp, *operation.instruction,
                         *arrival.block, arrival.offset, arrival.count);
}

Step copyArrive(Warp &warp, const Instruction &i, uint32_t mask) {
  bool noIncrement = i.flags;
  uint64_t addresses[32];
  gatherAddresses(warp, i, i.ref[1], i.small[0], addresses);
  Cluster &cluster = *warp.cluster;
  // One arrival per mbarrier: lanes mostly name the same.
  while (mask) {
    uint64_t address = addresses[__builtin_ctz(mask)];
    uint32_t same = 0;
    forLanes(mask, [&](uint32_t lane) {
      if (addresses[lane] == address)
        same |= 1u << lane;
    });
    uint32_t lane = static_cast<uint32_t>(__builtin_ctz(mask));
    mask &= ~same;
    uint32_t offset = 0;
    Block *block = blockOfShared(warp, address, offset);
    MbarrierState *state =
        requireMbarrier(warp, i, lane, block, offset, address);
    if (!state)
      continue;
    auto arrival = std::make_shared<CopyArrival>();
    arrival->block = block;
    arrival->offset = offset;
    arrival->count = static_cast<uint32_t>(__builtin_popcount(same));
    if (!noIncrement)
      state->pending += arrival->count;
    forLanes(same, [&](uint32_t l) {
      auto add = [&](uint32_t row) {
        if (!row)
          return;
        for (auto &[known, lanes] : arrival->rows)
          if (known == row) {
            lanes |= 1u << l;
            return;
          }
        arrival->rows.push_back({row, 1u << l});
      };
      for (uint32_t row : warp.copyGroups[l].committed)
        add(row);
      add(warp.copyGroups[l].open);
      // What follows is another batch.
      warp.copyGroups[l].open = 0;
      warp.copyGroups[l].committed.clear();
    });
    PendingOperation operation;
    operation.warp = &warp;
    operation.instruction = &i;
    operation.state = arrival;
    operation.deliver = deliverArrival;
    if (deliversNow(cluster))
      deliverArrival(cluster, operation);
    else
      cluster.pending.push_back(std::move(operation));
  }
  ++cluster.progress;
  return Step::Next;
}

bool decodeCopyAsync(Decoder &d) {
  if (d.syntax().parts.size() > 1 && d.syntax().parts[1] == "reduce")
    return decodeBulkReduction(d);
  if (!d.take("async"))
    return false;
  for (std::string_view part : d.syntax().parts)
    if (part == "bulk")
      return decodeBulk(d);
  if (d.take("commit_group"))
    return d.expectOperands(0, 0) &&
           d.emit(commitGroup, InstructionClass::AsyncCopy);
  if (d.take("wait_all")) {
    d.out.immediate = -1;
    return d.expectOperands(0, 0) &&
           d.emit(waitGroup, InstructionClass::AsyncCopy);
  }
  if (d.take("wait_group")) {
    uint64_t groups = 0;
    if (!d.expectOperands(1, 1) || !d.constantOperand(d.operand(0), groups))
      return false;
    d.out.immediate = static_cast<int64_t>(groups);
    return d.emit(waitGroup, InstructionClass::AsyncCopy);
  }
  if (d.take("mbarrier")) {
    if (!d.take("arrive"))
      return false;
    d.out.flags = d.take("noinc");
    takeStateSpace(d);
    d.take("b64");
    bool wide;
    if (!d.expectOperands(1, 1) ||
        !d.address(d.operand(0), StateSpace::Shared, d.out.ref[1], wide,
                   d.out.immediate))
      return false;
    d.out.small[0] = wide;
    return d.emit(copyArrive, InstructionClass::AsyncCopy);
  }
  bool bypass = d.take("cg");
  if (!bypass && !d.take("ca"))
    return false;
  if (!d.take("shared") && !d.take("shared::cta"))
    return false;
  if (!d.take("global"))
    return false;
  d.takeCacheHints();
  if (!d.expectOperands(3, 5))
    return false;
  auto *info = d.makeExtra<CopyInfo>();
  uint64_t bytes = 0;
  if (!d.address(d.operand(0), StateSpace::Shared, d.out.ref[1],
                 info->targetWide, info->targetOffset) ||
      !d.address(d.operand(1), StateSpace::Global, d.out.ref[2],
                 info->sourceWide, info->sourceOffset) ||
      !d.constantOperand(d.operand(2), bytes))
    return false;
  if (bypass ? bytes != 16 : bytes != 4 && bytes != 8 && bytes != 16)
    return d.fail("a copy of " + std::to_string(bytes) +
                  " bytes does not exist (.ca: 4, 8, 16; .cg: 16)");
  d.out.bytes = static_cast<uint8_t>(bytes);
  if (d.operandCount() > 3) {
    const Operand &size = d.operand(3);
    if (size.kind == Operand::Kind::Integer || d.widthOf(size) == 4) {
      uint32_t index;
      const SymbolSyntax *symbol =
          size.name.empty() ? nullptr : d.lookup(size.name, &index);
      if (symbol && symbol->type.kind == 'p')
        d.out.ref[4] = d.sourcePredicate(size);
      else
        d.out.ref[3] = d.source(size, Type::U32);
    }
    // A 64-bit fourth operand is a cache policy.
  }
  return d.emit(copyAsync, InstructionClass::AsyncCopy);
}

} // namespace

void registerAsyncCopy(OpcodeTable &table) { table["cp"] = decodeCopyAsync; }

} // namespace tilec::emu
