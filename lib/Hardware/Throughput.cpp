//===- Throughput.cpp - The rows of the compute capabilities -------------===//
//
// Facts only; Throughput.h names the sources. Where nothing is published for a
// capability it has the number of the one before it.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/Throughput.h"

#include <algorithm>
#include <cassert>

using namespace tilec;

/// 8.0, and what the others share with it.
static Throughput makeFirst() {
  Throughput row;
  row.computeCapability = 80;
  row.floats = 64;
  row.doubles = 32;
  row.integers = 64;
  row.specials = 16;
  row.casts = 64;
  row.shuffles = 32;
  row.accesses = 32;
  row.barriers = 16;
  row.matrixF16 = 1024;
  row.matrixF64 = 64;
  row.sharedBytes = 128;
  row.globalBytes = 64;
  row.arithmeticLatency = 4;
  row.specialLatency = 18;
  row.shuffleLatency = 23;
  row.matrixLatency = 33;
  row.sharedLatency = 29;
  row.l2Latency = 262;
  row.globalLatency = 466;
  return row;
}

/// 8.6, 8.9 and 12.0: twice the f32 units, half the matrix units, next to no
/// f64.
static Throughput makeSmall(int computeCapability) {
  Throughput row = makeFirst();
  row.computeCapability = computeCapability;
  row.floats = 128;
  row.doubles = 2;
  row.matrixF16 = 512;
  row.matrixF64 = 2;
  row.sharedLatency = 30;
  row.l2Latency = 273;
  row.globalLatency = 542;
  return row;
}

static Throughput makeHopper(int computeCapability) {
  Throughput row = makeFirst();
  row.computeCapability = computeCapability;
  row.floats = 128;
  row.doubles = 64;
  // 63 % of what `wgmma` reaches.
  row.matrixF16 = 1290;
  row.matrixF64 = 128;
  row.warpgroupMatrixF16 = 2048;
  row.l2Latency = 263;
  row.globalLatency = 479;
  return row;
}

static std::vector<Throughput> makeRows() {
  Throughput blackwell = makeHopper(100);
  blackwell.warpgroupMatrixF16 = 0;
  return {makeFirst(),    makeSmall(86), makeSmall(89),
          makeHopper(90), blackwell,     makeSmall(120)};
}

const Throughput &tilec::getThroughput(const GpuTarget &target) {
  static const std::vector<Throughput> rows = makeRows();
  auto row = std::ranges::find(rows, target.computeCapability,
                               &Throughput::computeCapability);
  assert(row != rows.end() && "a target without a row");
  return *row;
}

int64_t tilec::getMatrixRate(const Throughput &row, ElementKind kind,
                             Participants participants) {
  if (participants == Participants::Thread)
    return kind == ElementKind::F64 ? row.doubles : row.floats;
  if (kind == ElementKind::F64)
    return row.matrixF64;
  int64_t rate = participants == Participants::Warpgroup
                     ? row.warpgroupMatrixF16
                     : row.matrixF16;
  return rate * getElementBits(ElementKind::F16) / getElementBits(kind);
}

int64_t tilec::countBarrierCycles(const Throughput &row, int64_t threads) {
  return (threads + row.barriers - 1) / row.barriers + row.sharedLatency;
}

int64_t tilec::countCycles(const GpuTarget &target, const BlockWork &work,
                           int64_t warps) {
  const Throughput &row = getThroughput(target);
  int64_t parts = target.subPartitionsPerMultiprocessor;
  int64_t used = std::min(warps, parts);
  int64_t cycles = 0;
  auto add = [&](int64_t amount, int64_t rate) {
    if (amount > 0)
      cycles = std::max(cycles, (amount + rate - 1) / rate);
  };
  // Units of the sub-partitions.
  auto addInParts = [&](int64_t amount, int64_t rate) {
    add(amount * parts, rate * used);
  };
  addInParts(work.floats, row.floats);
  addInParts(work.doubles, row.doubles);
  addInParts(work.integers, row.integers);
  addInParts(work.specials, row.specials);
  addInParts(work.casts, row.casts);
  addInParts(work.multiplyAdds,
             getMatrixRate(row, work.kind, work.participants));
  // Units that they share.
  add(work.shuffles, row.shuffles);
  add(work.accesses, row.accesses);
  add(work.sharedBytes, row.sharedBytes);
  return cycles;
}
