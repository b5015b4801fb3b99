//===- AsyncCopy.cpp - cp.async and its groups ----------------------------===//
//
// A copy of 4, 8 or 16 bytes per lane from global to shared memory. Its data
// arrive when the issuing thread waits for its group (or at once, see
// Delivery); until then the destination holds poison, and the shadow memory says
// that a write is pending there and a read of the source. cp.async.mbarrier.arrive makes an mbarrier
// wait for a thread's copies instead.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Report.h"
#include "../Decode/Decoder.h"
#include "../Decode/Families.h"
#include "../Instructions/Handlers.h"
#include "../Machine/Interpreter.h"
#include "../Memory/Access.h"
#include "../Memory/AddressOperand.h"
#include "../Synchronization/Mbarrier.h"

namespace tilec::emu {

namespace {

//===----------------------------------------------------------------------===//
// Delivery
//===----------------------------------------------------------------------===//

void deliverPiece(const CopyPiece &piece) {
  uint8_t *target = piece.block->shared + piece.offset;
  std::memcpy(target, piece.source, piece.sourceBytes);
  std::memset(target + piece.sourceBytes, 0,
              static_cast<size_t>(piece.bytes - piece.sourceBytes));
  const CheckOptions &checks = piece.block->cluster->launch->options.checks;
  if (checks.init)
    piece.block->shadow.setInitialized(piece.offset, piece.bytes);
  for (uint32_t byte = 0; piece.defined && byte < piece.sourceBytes; ++byte)
    if (!piece.defined[byte])
      piece.block->shadow.setInitialized(piece.offset + byte, 1, false);
}

/// Moves the data of the copies of `lanes` in a row that have not arrived.
void deliverCopies(Cluster &cluster, uint32_t row, uint32_t lanes) {
  auto found = cluster.copyPieces.find(row);
  if (found == cluster.copyPieces.end())
    return;
  std::vector<CopyPiece> &pieces = found->second;
  size_t kept = 0;
  for (const CopyPiece &piece : pieces) {
    if (lanes >> piece.lane & 1)
      deliverPiece(piece);
    else
      pieces[kept++] = piece;
  }
  pieces.resize(kept);
  if (pieces.empty())
    cluster.copyPieces.erase(found);
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

struct CopyInfo {
  AddressOperand target, source;
};

/// Where the copies of a warp come from: bytes that each lane reads, and host
/// pointers of the lanes that read any.
struct CopySources {
  uint32_t sizes[32];
  const uint8_t *pointers[32] = {};
  const uint8_t *defined[32] = {}; ///< Of sources with undefined bytes.
  uint32_t refused = 0;            ///< Lanes whose source was reported.
};

/// Reads the source sizes; returns the lanes that read anything.
uint32_t readSizes(Warp &warp, const Instruction &i, uint32_t mask,
                   CopySources &sources) {
  uint32_t readers = 0;
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
    sources.sizes[lane] = size;
    if (size)
      readers |= 1u << lane;
  });
  return readers;
}

/// Records that lanes read their sources until they wait for them.
void recordSources(Warp &warp, const Instruction &i, uint32_t lanes,
                   AccessRequest &request) {
  if (!checksRaces(warp))
    return;
  request.flags = shadowAsync | shadowCopySource;
  GlobalShadow::Cursor cursor;
  forLanes(lanes, [&](uint32_t lane) {
    uint32_t row = warp.groups.copy[lane].open;
    request.row = warp.cluster->rows[row].ordinal;
    ShadowAccess by = shadowAccessOf(warp, i, lane, request);
    by.stamp = warp.order.clock;
    warp.launch->globalShadow->access(cursor, warp, request.addresses[lane],
                                      request.bytes, {by, false});
  });
  request.flags = 0;
}

/// Checks the sources. Lanes with a shorter one are checked one size at a time.
void accessSources(Warp &warp, const Instruction &i, uint32_t readers,
                   CopySources &sources) {
  const auto &info = i.data<CopyInfo>();
  AccessRequest request;
  request.space = StateSpace::Global;
  request.checkRace = false; // With its row, in recordSources.
  for (uint32_t lane = 0; lane < 32; ++lane)
    request.addresses[lane] = info.source.of(warp, lane);
  uint32_t accepted = 0;
  for (uint32_t left = readers; left;) {
    uint32_t size = sources.sizes[__builtin_ctz(left)], same = 0;
    forLanes(left, [&](uint32_t lane) {
      if (sources.sizes[lane] == size)
        same |= 1u << lane;
    });
    request.bytes = size;
    request.align = i.bytes;
    AccessResult part;
    access(warp, i, same, request, part);
    recordSources(warp, i, part.ok, request);
    forLanes(part.ok, [&](uint32_t lane) {
      sources.pointers[lane] = part.pointers[lane];
    });
    forLanes(part.undefined, [&](uint32_t lane) {
      const Allocation *from = findAllocation(warp, request.addresses[lane]);
      sources.defined[lane] =
          &from->initialized[request.addresses[lane] - from->address];
    });
    accepted |= part.ok;
    left &= ~same;
  }
  sources.refused = readers & ~accepted;
}

/// Delivers a piece or leaves it to its row, with poison in its place.
class PieceIssue {
public:
  explicit PieceIssue(Cluster &cluster)
      : cluster(cluster), now(deliversNow(cluster)) {}

  void add(uint32_t row, const CopyPiece &piece) {
    if (now) {
      deliverPiece(piece);
      return;
    }
    std::memset(piece.block->shared + piece.offset, poisonByte, piece.bytes);
    // Lanes mostly share a row.
    if (!pieces || piecesRow != row) {
      pieces = &cluster.copyPieces[row];
      piecesRow = row;
    }
    pieces->push_back(piece);
  }

private:
  Cluster &cluster;
  bool now;
  std::vector<CopyPiece> *pieces = nullptr;
  uint32_t piecesRow = 0;
};

/// ref[3]: source size or noRef, ref[4]: ignore-source predicate or noRef.
/// `bytes`: the copy's size.
Step copyAsync(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &info = i.data<CopyInfo>();
  Cluster &cluster = *warp.cluster;
  openCopyGroups(warp, i, mask);
  CopySources sources;
  accessSources(warp, i, readSizes(warp, i, mask, sources), sources);

  AccessRequest target;
  target.space = StateSpace::Shared;
  target.mode = AccessMode::Write;
  target.bytes = i.bytes;
  target.markInit = false;
  target.checkRace = false; // With its row, below.
  for (uint32_t lane = 0; lane < 32; ++lane)
    target.addresses[lane] = info.target.of(warp, lane);
  AccessResult result;
  access(warp, i, mask & ~sources.refused, target, result);
  bool races = checksRaces(warp);
  target.flags = shadowAsync;
  PieceIssue issue(cluster);
  forLanes(result.ok, [&](uint32_t lane) {
    uint32_t row = warp.groups.copy[lane].open;
    cluster.rows[row].lanes |= 1u << lane;
    uint32_t offset = 0;
    Block *block = blockOfShared(warp, target.addresses[lane], offset);
    if (races) {
      target.row = row;
      block->shadow.access(warp, static_cast<int>(block->rank), offset, i.bytes,
                           {shadowAccessOf(warp, i, lane, target), true});
    }
    issue.add(row, {block, offset, sources.pointers[lane], i.bytes,
                    static_cast<uint8_t>(sources.sizes[lane]),
                    static_cast<uint8_t>(lane), sources.defined[lane]});
  });
  ++cluster.progress;
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

Step commitGroup(Warp &warp, const Instruction &, uint32_t mask) {
  forLanes(mask, [&](uint32_t lane) {
    AsyncGroups::OfLane &groups = warp.groups.copy[lane];
    groups.committed.push_back(groups.open);
    groups.open = 0;
  });
  return Step::Next;
}

/// `lane` waited for its operations of `row`.
void completeFor(Warp &warp, uint32_t row, uint32_t lanes) {
  if (!row)
    return;
  deliverCopies(*warp.cluster, row, lanes);
  AsyncRow &waited = warp.cluster->rows[row];
  waited.lanes &= ~lanes;
  uint32_t now = warp.order.clock;
  if (waited.clock && waited.clock != now && waited.laneClocks.empty())
    waited.laneClocks.assign(32, waited.clock);
  if (!waited.laneClocks.empty())
    for (uint32_t m = lanes; m; m &= m - 1)
      waited.laneClocks[static_cast<size_t>(__builtin_ctz(m))] = now;
  waited.clock = now;
}

/// Rows that lanes wait for. Lanes mostly share rows: each is completed once.
class WaitedRows {
public:
  explicit WaitedRows(Warp &warp) : warp(warp) {}
  ~WaitedRows() {
    for (uint32_t index = 0; index < count; ++index)
      completeFor(warp, rows[index], lanes[index]);
  }

  void add(uint32_t row, uint32_t lane) {
    if (!row)
      return;
    for (uint32_t index = 0; index < count; ++index)
      if (rows[index] == row) {
        lanes[index] |= 1u << lane;
        return;
      }
    if (count == capacity) {
      completeFor(warp, row, 1u << lane);
      return;
    }
    rows[count] = row;
    lanes[count++] = 1u << lane;
  }

private:
  /// Beyond it, rows are completed at once for each lane.
  static constexpr uint32_t capacity = 64;
  Warp &warp;
  uint32_t rows[capacity], lanes[capacity], count = 0;
};

/// Waits until at most immediate groups are pending; -1: for all copies.
Step waitGroup(Warp &warp, const Instruction &i, uint32_t mask) {
  bool all = i.immediate < 0;
  size_t keep = all ? 0 : static_cast<size_t>(i.immediate);
  WaitedRows waited(warp);
  forLanes(mask, [&](uint32_t lane) {
    AsyncGroups::OfLane &groups = warp.groups.copy[lane];
    size_t done =
        groups.committed.size() > keep ? groups.committed.size() - keep : 0;
    for (size_t index = 0; index < done; ++index)
      waited.add(groups.committed[index], lane);
    groups.committed.erase(groups.committed.begin(),
                           groups.committed.begin() +
                               static_cast<ptrdiff_t>(done));
    if (all) {
      waited.add(groups.open, lane);
      groups.open = 0;
    }
  });
  ++warp.cluster->progress;
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// cp.async.mbarrier.arrive
//===----------------------------------------------------------------------===//

/// An arrival on an mbarrier when the copies that some lanes issued are done.
class CopyArrival final : public PendingOperation {
public:
  using PendingOperation::PendingOperation;
  void deliver(Cluster &cluster) override;
  /// Makes it wait for what `lane` has issued: what follows is another batch.
  void takeCopiesOf(uint32_t lane);

  Block *block = nullptr;
  uint32_t offset = 0, count = 0;

private:
  void add(uint32_t row, uint32_t lane);
  std::vector<std::pair<uint32_t, uint32_t>> rows; ///< Row and lanes.
};

void CopyArrival::deliver(Cluster &cluster) {
  MbarrierState *state = findMbarrier(*block, offset);
  for (auto [row, lanes] : rows) {
    deliverCopies(cluster, row, lanes);
    if (state) {
      cluster.rows[row].mbarrier = state->id;
      cluster.rows[row].phase = state->phase + 1;
    }
  }
  if (state)
    arriveAsynchronously(warp, instruction, *block, offset, count);
}

void CopyArrival::add(uint32_t row, uint32_t lane) {
  if (!row)
    return;
  for (auto &[known, lanes] : rows)
    if (known == row) {
      lanes |= 1u << lane;
      return;
    }
  rows.push_back({row, 1u << lane});
}

void CopyArrival::takeCopiesOf(uint32_t lane) {
  AsyncGroups::OfLane &groups = warp.groups.copy[lane];
  for (uint32_t row : groups.committed)
    add(row, lane);
  add(groups.open, lane);
  groups.open = 0;
  groups.committed.clear();
  ++groups.arrivals;
}

/// flags: .noinc, which counts the arrivals among the expected ones.
Step copyArrive(Warp &warp, const Instruction &i, uint32_t mask) {
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
    uint32_t first = static_cast<uint32_t>(__builtin_ctz(mask));
    mask &= ~same;
    auto arrival = std::make_unique<CopyArrival>(warp, i);
    arrival->block = blockOfShared(warp, address, arrival->offset);
    MbarrierState *state = requireMbarrier(warp, i, first, arrival->block,
                                           arrival->offset, address);
    if (!state)
      continue;
    arrival->count = static_cast<uint32_t>(__builtin_popcount(same));
    if (!i.flags)
      state->pending += arrival->count;
    forLanes(same, [&](uint32_t lane) { arrival->takeCopiesOf(lane); });
    issueOperation(cluster, std::move(arrival), deliversNow(cluster));
  }
  ++cluster.progress;
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeCopyArrive(Decoder &d) {
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

bool decodeWaitGroup(Decoder &d) {
  uint64_t groups = 0;
  if (!d.expectOperands(1, 1) || !d.constantOperand(d.operand(0), groups))
    return false;
  d.out.immediate = static_cast<int64_t>(groups);
  return d.emit(waitGroup, InstructionClass::AsyncCopy);
}

/// The fourth operand: a source size or a predicate that ignores the source. A
/// 64-bit one is a cache policy.
void bindSourceSize(Decoder &d, const Operand &size) {
  if (size.kind != Operand::Kind::Integer && d.widthOf(size) != 4)
    return;
  uint32_t index;
  const SymbolSyntax *symbol =
      size.name.empty() ? nullptr : d.lookup(size.name, &index);
  if (symbol && symbol->type.kind == 'p')
    d.out.ref[4] = d.sourcePredicate(size);
  else
    d.out.ref[3] = d.source(size, Type::U32);
}

/// cp.async.{ca,cg}.shared.global [target], [source], bytes{, size}
bool decodeCopy(Decoder &d) {
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
  auto *info = d.makeData<CopyInfo>();
  uint64_t bytes = 0;
  if (!d.address(d.operand(0), StateSpace::Shared, info->target) ||
      !d.address(d.operand(1), StateSpace::Global, info->source) ||
      !d.constantOperand(d.operand(2), bytes))
    return false;
  // Where WgmmaRegisters.cpp looks for registers.
  d.out.ref[1] = info->target.base;
  d.out.ref[2] = info->source.base;
  if (bypass ? bytes != 16 : bytes != 4 && bytes != 8 && bytes != 16)
    return d.fail("a copy of " + std::to_string(bytes) +
                  " bytes does not exist (.ca: 4, 8, 16; .cg: 16)");
  d.out.bytes = static_cast<uint8_t>(bytes);
  if (d.operandCount() > 3)
    bindSourceSize(d, d.operand(3));
  return d.emit(copyAsync, InstructionClass::AsyncCopy);
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
  if (d.take("wait_group"))
    return decodeWaitGroup(d);
  if (d.take("mbarrier"))
    return decodeCopyArrive(d);
  return decodeCopy(d);
}

} // namespace

void registerAsyncCopy(OpcodeTable &table) { table["cp"] = decodeCopyAsync; }

} // namespace tilec::emu
