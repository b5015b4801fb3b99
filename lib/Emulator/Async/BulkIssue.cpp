//===- BulkIssue.cpp - What a bulk copy moves -----------------------------===//
//
// Issuing a bulk or tensor copy: the addresses of one lane become runs of
// bytes, of which each is checked (bounds, initialisation, races) on both sides
// and becomes a piece that is moved at delivery. A tensor copy takes its runs
// from the map; multicast gives each block of the mask its own piece, and each
// block's mbarrier its own row.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Report.h"
#include "../Definedness/Definedness.h"
#include "../Memory/Access.h"
#include "../Synchronization/Mbarrier.h"
#include "BulkOperation.h"

namespace tilec::emu {

namespace {

constexpr uint32_t blockOffsetMask = (1u << sharedRankShift) - 1;

/// The shared address within the block of rank `rank` (multicast).
uint64_t inBlock(uint64_t address, uint32_t rank) {
  return (uint64_t(rank + 1) << sharedRankShift) | (address & blockOffsetMask);
}

class BulkIssue {
public:
  BulkIssue(BulkOperation &operation, uint32_t lane, bool now)
      : operation(operation), warp(operation.warp), i(operation.instruction),
        info(operation.info), lane(lane), now(now) {}

  bool collect();

private:
  void readAddresses();
  bool makeSignals();
  bool collectTensor(uint32_t &total);
  bool collectPlain(uint32_t &total);

  void moveOut(uint64_t sharedSide, uint64_t globalSide, uint32_t bytes);
  void moveIn(uint64_t sharedSide, uint64_t globalSide, uint32_t bytes,
              bool inBounds);
  void addShared(uint64_t sharedAddress, const uint8_t *from, uint32_t bytes,
                 uint32_t row);

  uint8_t *accessGlobal(uint64_t address, uint32_t bytes, bool writes,
                        Allocation **allocation);
  void checkGlobal(const Allocation &allocation, uint64_t address,
                   uint32_t bytes, bool writes);
  uint8_t *accessSharedRun(uint64_t address, uint32_t bytes, bool writes,
                           uint32_t row);
  void countGlobalRun(uint64_t address, uint32_t bytes);
  bool readMap();

  BulkOperation &operation;
  Warp &warp;
  const Instruction &i;
  const BulkInfo &info;
  uint32_t lane;
  bool now; ///< Delivered at once: no poison.

  uint64_t target = 0, source = 0, mbarrier = 0;
  /// Shared targets and their mbarriers (several: multicast), and the row of
  /// each.
  std::vector<uint64_t> targets, mbarriers;
  std::vector<uint32_t> rows;
  bool ok = true; ///< No run was refused.
  uint64_t lastSector = 0;
  /// Of the last global range that was read: whether each byte is defined; null
  /// if all are.
  const uint8_t *undefinedSource = nullptr;
};

//===----------------------------------------------------------------------===//
// One run of bytes
//===----------------------------------------------------------------------===//

/// Runs come in ascending order within a row of the box.
void BulkIssue::countGlobalRun(uint64_t address, uint32_t bytes) {
  Statistics &statistics = warp.cluster->statistics;
  uint64_t first = address >> 5, last = (address + bytes - 1) >> 5;
  statistics.globalSectors += last - first + (first == lastSector ? 0 : 1);
  lastSector = last;
  statistics.globalBytes += bytes;
  operation.globalBytes += bytes;
}

/// Definedness and races of a global range that is within bounds. Undefined
/// bytes stay so in shared memory. A reduction reads what it writes, and is an
/// atomic at the scope of the device.
void BulkIssue::checkGlobal(const Allocation &allocation, uint64_t address,
                            uint32_t bytes, bool writes) {
  undefinedSource = nullptr;
  bool reads = !writes || info.reduces;
  if (reads && checksInit(warp) && !allocation.initialized.empty()) {
    const uint8_t *defined =
        &allocation.initialized[address - allocation.address];
    auto missing =
        static_cast<uint32_t>(std::count(defined, defined + bytes, 0));
    if (missing &&
        readUndefined(warp, i, lane,
                      {StateSpace::Global, address, bytes, missing}, true) &&
        !writes)
      undefinedSource = defined;
  }
  if (!checksRaces(warp))
    return;
  AccessRequest request;
  // A write pends with its group, a read with the phase that it completes. Of
  // multicast several phases would, each in its block: it is taken as done.
  uint8_t pending = writes             ? shadowAsync
                    : rows.size() == 1 ? shadowAsync | shadowCopySource
                                       : 0;
  request.flags = static_cast<uint8_t>(
      shadowProxyAsync | pending |
      (info.reduces ? shadowStrong | 2 << shadowScopeShift : 0));
  if (pending)
    request.row =
        writes ? operation.row : warp.cluster->rows[rows.front()].ordinal;
  ShadowAccess by = shadowAccessOf(warp, i, lane, request);
  if (pending)
    by.stamp = warp.order.clock;
  GlobalShadow::Cursor cursor;
  warp.launch->globalShadow->access(cursor, warp, address, bytes, {by, writes});
}

/// One global range: host pointer or null after a report.
uint8_t *BulkIssue::accessGlobal(uint64_t address, uint32_t bytes, bool writes,
                                 Allocation **allocation) {
  Allocation *found = warp.lastAllocation;
  if (!found || !found->live || address - found->address >= found->sizeBytes)
    found = warp.lastAllocation = findAllocation(warp, address);
  countGlobalRun(address, bytes);
  if (!found || address - found->address > found->sizeBytes ||
      found->sizeBytes - (address - found->address) < bytes) {
    reportAt(warp, i, lane, ReportKind::OutOfBounds,
             std::string(writes ? "write" : "read") + " of " +
                 std::to_string(bytes) +
                 " bytes: " + describeGlobal(warp, address));
    ok = false;
    return nullptr;
  }
  checkGlobal(*found, address, bytes, writes);
  if (allocation)
    *allocation = found;
  return found->data + (address - found->address);
}

/// One shared range: likewise.
uint8_t *BulkIssue::accessSharedRun(uint64_t address, uint32_t bytes,
                                    bool writes, uint32_t row) {
  AccessRequest request;
  request.mode = writes ? AccessMode::Write : AccessMode::Read;
  request.flags = shadowAsync | shadowProxyAsync;
  request.row = row;
  request.count = false;
  request.markInit = false;
  uint8_t *pointer = accessShared(warp, i, lane, address, bytes, request);
  ok &= pointer != nullptr;
  return pointer;
}

/// Adds the copy of one run into the shared memory of one block.
void BulkIssue::addShared(uint64_t sharedAddress, const uint8_t *from,
                          uint32_t bytes, uint32_t row) {
  uint8_t *there = accessSharedRun(sharedAddress, bytes, true, row);
  if (!there)
    return;
  BulkPiece piece;
  piece.target = there;
  piece.source = from;
  piece.bytes = bytes;
  piece.targetBlock = blockOfShared(warp, sharedAddress, piece.targetOffset);
  piece.defined = from ? undefinedSource : nullptr;
  operation.pieces.push_back(piece);
  if (!now)
    std::memset(there, poisonByte, bytes);
}

/// Shared to global.
void BulkIssue::moveOut(uint64_t sharedSide, uint64_t globalSide,
                        uint32_t bytes) {
  BulkPiece piece;
  piece.bytes = bytes;
  piece.source = accessSharedRun(sharedSide, bytes, false, operation.row);
  piece.target = accessGlobal(globalSide, bytes, true, &piece.targetAllocation);
  if (piece.source && piece.target)
    operation.pieces.push_back(piece);
}

/// Global to shared, of every target; out of bounds of the map it is filled.
void BulkIssue::moveIn(uint64_t sharedSide, uint64_t globalSide, uint32_t bytes,
                       bool inBounds) {
  const uint8_t *from =
      inBounds ? accessGlobal(globalSide, bytes, false, nullptr) : nullptr;
  if (inBounds && !from)
    return;
  for (size_t index = 0; index < targets.size(); ++index) {
    uint32_t rank =
        static_cast<uint32_t>((targets[index] >> sharedRankShift) - 1);
    addShared(info.multicast ? inBlock(sharedSide, rank) : sharedSide, from,
              bytes, rows[index]);
  }
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

void BulkIssue::readAddresses() {
  auto read = [&](const AddressOperand &operand) {
    return operand ? operand.of(warp, lane) : 0;
  };
  target = read(info.target);
  source = read(info.source);
  mbarrier = read(info.mbarrier);
  if (info.multicast) {
    uint32_t mask = warp.ptr<uint16_t>(info.ctaMask)[lane];
    for (uint32_t rank = 0; rank < warp.cluster->blocks.size(); ++rank)
      if (mask >> rank & 1) {
        targets.push_back(inBlock(target, rank));
        mbarriers.push_back(inBlock(mbarrier, rank));
      }
  } else if (info.direction != Direction::SharedToGlobal) {
    targets.push_back(target);
    mbarriers.push_back(mbarrier);
  }
}

/// Each mbarrier is signalled with the bytes that its block receives.
bool BulkIssue::makeSignals() {
  for (uint64_t address : mbarriers) {
    uint32_t offset = 0;
    Block *block = blockOfShared(warp, address, offset);
    MbarrierState *state =
        requireMbarrier(warp, i, lane, block, offset, address);
    if (!state)
      return false;
    checkShown(warp, i, lane, *block, offset, *state);
    uint32_t index = newRow(warp, i, 0);
    AsyncRow &row = warp.cluster->rows[index];
    row.isBulk = true;
    row.mbarrier = state->id;
    row.phase = state->phase + 1;
    rows.push_back(index);
    operation.signals.push_back({block, offset, 0, index});
  }
  if (rows.size() == 1)
    listCopyRow(warp, rows.front());
  return true;
}

/// Reads and checks the tensor map.
bool BulkIssue::readMap() {
  AccessRequest request;
  request.space = info.mapSpace;
  request.bytes = 128;
  request.align = 64;
  request.count = false;
  request.checkRace = false;
  request.checkInit = false;
  std::fill_n(request.addresses, 32, info.map.of(warp, lane));
  AccessResult result;
  access(warp, i, 1u << lane, request, result);
  if (!result.ok)
    return false;
  TensorMap &map = operation.map;
  std::memcpy(&map, result.pointers[lane], sizeof map);
  std::string problem = checkTensorMap(map);
  if (problem.empty() && map.rank != info.rank)
    problem = "the map has " + std::to_string(map.rank) +
              " dimensions, the instruction " + std::to_string(info.rank);
  bool isIm2col = map.mode == TensorMode::Im2col;
  if (problem.empty() && isIm2col != info.im2col)
    problem = std::string("the map is of ") + (isIm2col ? "im2col" : "tile") +
              " mode, and the instruction is not";
  if (problem.empty())
    return true;
  reportAt(warp, i, lane, ReportKind::Invalid, "invalid tensor map: " + problem,
           "tensor maps must be encoded by the emulator's encodeTiled");
  return false;
}

bool BulkIssue::collectTensor(uint32_t &total) {
  if (!readMap())
    return false;
  const TensorMap &map = operation.map;
  bool outwards = info.direction == Direction::SharedToGlobal;
  uint64_t sharedAddress = outwards ? source : target;
  uint32_t align = sharedAlignmentBytes(map);
  if (sharedAddress % align) {
    reportAt(warp, i, lane, ReportKind::Misaligned,
             "the shared address of a tensor copy is not a multiple of " +
                 std::to_string(align));
    return false;
  }
  TensorBox box;
  // Swizzles work on the offset; the rank is put back for each run.
  uint32_t rankBits = static_cast<uint32_t>(sharedAddress) & ~blockOffsetMask;
  box.sharedAddress = static_cast<uint32_t>(sharedAddress) & blockOffsetMask;
  for (int dimension = 0; dimension < info.rank; ++dimension)
    box.coordinates[dimension] =
        warp.ptr<int32_t>(info.coordinates[dimension])[lane];
  for (int dimension = 0; dimension < 3 && info.offsets[dimension] != noRef;
       ++dimension) {
    uint16_t offset = warp.ptr<uint16_t>(info.offsets[dimension])[lane];
    box.im2colOffsets[dimension] = offset;
    if (uint32_t largest = largestIm2colOffset(map.rank); offset > largest) {
      reportAt(warp, i, lane, ReportKind::Invalid,
               "an im2col offset of " + std::to_string(offset) +
                   " is more than the " + std::to_string(largest) +
                   " of tensors of rank " + std::to_string(map.rank));
      return false;
    }
  }
  forEachRun(map, box, [&](const TensorRun &run) {
    uint64_t sharedSide = run.sharedAddress | rankBits;
    if (!outwards)
      moveIn(sharedSide, run.globalAddress, run.bytes, run.inBounds);
    else if (run.inBounds)
      moveOut(sharedSide, run.globalAddress, run.bytes);
  });
  total = boxBytes(map);
  return true;
}

bool BulkIssue::collectPlain(uint32_t &total) {
  constexpr uint32_t runBytes = 16;
  total = warp.ptr<uint32_t>(info.size)[lane];
  if ((target | source | total) % runBytes) {
    reportAt(warp, i, lane, ReportKind::Misaligned,
             "addresses and size of a bulk copy must be multiples of 16 (" +
                 std::to_string(total) + " bytes)");
    return false;
  }
  for (uint32_t done = 0; done < total && ok; done += runBytes) {
    if (info.direction == Direction::SharedToGlobal) {
      moveOut(source + done, target + done, runBytes);
    } else if (info.direction == Direction::GlobalToShared) {
      moveIn(target + done, source + done, runBytes, true);
    } else if (const uint8_t *from =
                   accessSharedRun(source + done, runBytes, false, rows[0])) {
      addShared(target + done, from, runBytes, rows[0]);
      BulkPiece &piece = operation.pieces.back();
      piece.sourceBlock =
          blockOfShared(warp, source + done, piece.sourceOffset);
    }
  }
  return true;
}

bool BulkIssue::collect() {
  readAddresses();
  uint32_t total = 0;
  if ((info.onMbarrier && !makeSignals()) ||
      !(info.tensor ? collectTensor(total) : collectPlain(total)))
    return false;
  for (BulkOperation::Signal &signal : operation.signals)
    signal.bytes = total;
  return true;
}

} // namespace

bool collectPieces(BulkOperation &operation, uint32_t lane, bool now) {
  return BulkIssue(operation, lane, now).collect();
}

} // namespace tilec::emu
