//===- Occupancy.h - Blocks that fit on a multiprocessor --------*- C++ -*-===//
//
// The CUDA occupancy calculation: how many blocks of a kernel one
// multiprocessor holds at once, and what stops it from holding one more.
// Follows CUDA 13.0's cuda_occupancy.h with the largest shared-memory
// carve-out.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_OCCUPANCY_H
#define TILE_HARDWARE_OCCUPANCY_H

#include "tile/Hardware/GpuTarget.h"

namespace tilec {

/// What one block of a kernel takes.
struct BlockResources {
  int64_t threads = 0;
  int64_t registersPerThread = 0;
  int64_t sharedBytes = 0; ///< static and dynamic, without the reserved part
};

/// What stops one more block from being resident.
enum class OccupancyLimit { Threads, Blocks, Registers, SharedMemory };

struct Occupancy {
  int64_t blocksPerMultiprocessor = 0; ///< 0: the kernel cannot be launched
  int64_t warpsPerMultiprocessor = 0;
  /// The tightest limit; among equals the first in the order of the enum.
  OccupancyLimit limit = OccupancyLimit::Threads;
  /// One line for reports: "2 blocks, 16 of 64 warps, limited by registers
  /// (128 a thread, 256 threads)".
  std::string summary;
};

/// Resident blocks of a kernel on `target`. A resource above the limit of a
/// block gives 0 blocks with that resource as the limit. Registers are counted
/// a warp at a time, rounded up to the granularity, in each sub-partition;
/// shared memory with the reserved bytes, rounded up likewise.
Occupancy computeOccupancy(const GpuTarget &target,
                           const BlockResources &block);

} // namespace tilec

#endif // TILE_HARDWARE_OCCUPANCY_H
