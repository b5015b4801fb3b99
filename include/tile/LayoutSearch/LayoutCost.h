//===- LayoutCost.h - What layouts cost -------------------------*- C++ -*-===//
//
// Layouts decide how often a warp executes what is written once: a fragment of
// r registers takes r instructions for each operation on it. They decide how
// many sectors of global memory and passes over the banks of shared memory an
// access takes, what travels between threads, and how many registers values
// take. All of it is counted as it is executed by a block, loops included, as
// `tile-run --stats` counts it of the code:
//
//     registers x operations x times x warps                 instructions
//     a layout, where its elements lie in memory       accesses, sectors
//     a layout, a buffer's layout                      accesses, wavefronts
//     two layouts that differ          exchanges, by shuffles or through scratch
//     lanes and warps along a reduced dimension      shuffles, exchanges
//     values that are live together                       spilled registers
//
// One number compares solutions: cycles of the units that the counts keep busy,
// one after another, in quarters. A multiprocessor issues four instructions a
// cycle, so an instruction is one.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUTSEARCH_LAYOUTCOST_H
#define TILE_LAYOUTSEARCH_LAYOUTCOST_H

#include "tile/Hardware/Throughput.h"

#include <array>
#include <cstdint>
#include <string>

namespace tilec {

/// Quarters of a cycle for one of each count. The defaults are those of compute
/// capability 8.0 and a block of 128 threads.
struct CostWeights {
  int64_t instruction = 1;
  int64_t access = 4;    ///< of a warp: Throughput::accesses
  int64_t wavefront = 4; ///< of 128 bytes: Throughput::sharedBytes
  int64_t sector = 2;    ///< of 32 bytes: Throughput::globalBytes
  int64_t repeat = 1;    ///< of 32 bytes from the L1 cache: as shared memory
  int64_t shuffle = 4;   ///< of a warp: Throughput::shuffles
  int64_t barrier = 148; ///< of a block: countBarrierCycles
  /// Of an exchange by shuffles: Throughput::shuffleLatency.
  int64_t shuffleExchange = 92;
  /// Of an exchange through memory: all warps wait for what they load behind
  /// their barrier, Throughput::sharedLatency.
  int64_t exchange = 116;
  /// Of a warp: a store and a load of 128 bytes of local memory.
  int64_t spill = 26;

  /// Those of a block of `threads` on the multiprocessor `row`.
  static CostWeights get(const Throughput &row, int64_t threads);
};

/// What a block executes for a solution. Only what layouts change is counted.
struct LayoutCost {
  int64_t instructions = 0; ///< of warps, all below included
  int64_t accesses = 0;   ///< instructions that load or store, of both memories
  int64_t sectors = 0;    ///< of 32 bytes of global memory
  int64_t repeats = 0;    ///< sectors that another warp has loaded as well
  int64_t wavefronts = 0; ///< of shared memory
  int64_t shuffles = 0;   ///< instructions
  int64_t barriers = 0;   ///< of the block
  int64_t spills = 0;     ///< registers of warps above the budget
  /// Exchanges by ExchangeKind, loops included: register names only, by shuffles,
  /// through memory.
  std::array<int64_t, 3> exchanges = {};

  LayoutCost &operator+=(const LayoutCost &other);
  /// All counts `times` as often.
  LayoutCost operator*(int64_t times) const;
  bool operator==(const LayoutCost &) const = default;

  /// The one number, in quarters of a cycle.
  int64_t getTotal(const CostWeights &weights) const;
  /// "5200 instructions, 640 accesses, 96 sectors, ..": what is not zero.
  std::string toString() const;
};

} // namespace tilec

#endif // TILE_LAYOUTSEARCH_LAYOUTCOST_H
