//===- Throughput.h - What a multiprocessor does in a cycle -----*- C++ -*-===//
//
// One row for each compute capability: operations a cycle of each unit of a
// multiprocessor, and the cycles after which results can be used. Schedules are
// judged by these numbers (docs/Scheduling.md); nothing that is correct depends
// on them.
//
//     work of a block -> cycles of each unit -> the slowest of them
//
// Sources:
// - operations a cycle: the table "Throughput of Native Arithmetic
//   Instructions" of the CUDA C++ Programming Guide, barriers its section on
//   synchronization instructions;
// - matrix units: the chips' architecture whitepapers (dense rate over
//   multiprocessors and clock); what `mma` reaches of it on Hopper: Luo et al.,
//   "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture" (2024);
// - latencies of memory: the same paper, its table of memory latencies (A100,
//   RTX 4090, H100); of arithmetic and exchanges: Abdelkhalik et al.,
//   "Demystifying the Nvidia Ampere Architecture through Microbenchmarking"
//   (2022); of `mma`: Sun et al., "Dissecting Tensor Cores via
//   Microbenchmarks" (2022).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_THROUGHPUT_H
#define TILE_HARDWARE_THROUGHPUT_H

#include "tile/Hardware/GpuTarget.h"
#include "tile/Hardware/MatrixInstruction.h"

namespace tilec {

/// What an access to global memory brings at least, aligned.
inline constexpr int64_t sectorBytes = 32;

/// A multiprocessor. Operations are those of single threads: a warp's
/// instruction is 32 of them.
struct Throughput {
  int computeCapability = 0;

  // Operations a cycle -------------------------------------------------------
  int64_t floats = 0;    ///< f32 add, multiply, multiply-add
  int64_t doubles = 0;   ///< the same of f64
  int64_t integers = 0;  ///< add, compare, logic
  int64_t specials = 0;  ///< reciprocal, exponential, logarithm, sine
  int64_t casts = 0;     ///< between types of at most 32 bits
  int64_t shuffles = 0;  ///< exchanges within a warp
  int64_t accesses = 0;  ///< loads and stores, asynchronous ones too
  int64_t barriers = 0;  ///< arrivals at a barrier of the block
  int64_t matrixF16 = 0; ///< multiply-adds of 16-bit operands, by warps
  int64_t matrixF64 = 0; ///< multiply-adds of f64, by warps
  /// Multiply-adds of 16-bit operands by warpgroups; 0 without `wgmma`.
  int64_t warpgroupMatrixF16 = 0;

  // Bytes a cycle ------------------------------------------------------------
  int64_t sharedBytes = 0;
  /// Between a multiprocessor and the L2 cache.
  int64_t globalBytes = 0;

  // Cycles until a result can be used ----------------------------------------
  int64_t arithmeticLatency = 0;
  int64_t specialLatency = 0;
  int64_t shuffleLatency = 0;
  int64_t matrixLatency = 0;
  int64_t sharedLatency = 0;
  int64_t l2Latency = 0;
  /// Past the L2 cache.
  int64_t globalLatency = 0;
};

/// The row of `target`. Every known target has one.
const Throughput &getThroughput(const GpuTarget &target);

/// Cycles of a block of `threads` at a barrier: all of them arrive, and what they
/// wrote to shared memory does.
int64_t countBarrierCycles(const Throughput &row, int64_t threads);

/// What the threads of a block do together, counted for single threads.
struct BlockWork {
  int64_t floats = 0, doubles = 0, integers = 0, specials = 0, casts = 0;
  int64_t shuffles = 0, accesses = 0;
  /// Of these operands by these participants.
  int64_t multiplyAdds = 0;
  ElementKind kind = ElementKind::F16;
  Participants participants = Participants::Warp;
  int64_t sharedBytes = 0;
};

/// Multiply-adds a cycle of all matrix units: twice as many where operands are
/// half as wide.
int64_t getMatrixRate(const Throughput &row, ElementKind kind,
                      Participants participants);

/// Cycles for which `work` keeps the busiest unit busy: the units work at the
/// same time. A block of fewer warps than the multiprocessor has sub-partitions
/// has only theirs. At least 1 if there is work.
int64_t countCycles(const GpuTarget &target, const BlockWork &work,
                    int64_t warps);

} // namespace tilec

#endif // TILE_HARDWARE_THROUGHPUT_H
