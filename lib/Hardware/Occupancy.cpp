//===- Occupancy.cpp - Blocks that fit on a multiprocessor ---------------===//
//
// Each resource gives a number of blocks; the least wins. The header says where
// the rules come from.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/Occupancy.h"

#include <limits>
#include <utility>

using namespace tilec;

static int64_t divideCeil(int64_t value, int64_t divisor) {
  return (value + divisor - 1) / divisor;
}

static int64_t roundUp(int64_t value, int64_t multiple) {
  return divideCeil(value, multiple) * multiple;
}

static int64_t limitByThreads(const GpuTarget &target, int64_t warps) {
  if (warps > target.getMaxWarpsPerBlock())
    return 0;
  return target.getMaxWarpsPerMultiprocessor() / warps;
}

static int64_t limitByRegisters(const GpuTarget &target,
                                const BlockResources &block, int64_t warps) {
  if (block.registersPerThread == 0)
    return std::numeric_limits<int64_t>::max();
  if (block.registersPerThread > target.maxRegistersPerThread)
    return 0;
  int64_t partitions = target.subPartitionsPerMultiprocessor;
  int64_t perWarp = roundUp(block.registersPerThread * target.warpSize,
                            target.registerGranularity);
  // The launch check assumes that warps fill all sub-partitions evenly.
  if (perWarp * roundUp(warps, partitions) > target.maxRegistersPerBlock)
    return 0;
  int64_t warpsPerPartition =
      target.registersPerMultiprocessor / partitions / perWarp;
  return warpsPerPartition * partitions / warps;
}

static int64_t limitBySharedMemory(const GpuTarget &target,
                                   const BlockResources &block) {
  if (block.sharedBytes > target.maxSharedBytesPerBlock)
    return 0;
  int64_t perBlock =
      roundUp(block.sharedBytes + target.reservedSharedBytesPerBlock,
              target.sharedGranularityBytes);
  return target.sharedBytesPerMultiprocessor / perBlock;
}

/// "registers (128 a thread, 256 threads)". Of a kernel that cannot be launched
/// the numbers are what it wants and what a block may have.
static std::string describeLimit(OccupancyLimit limit, const GpuTarget &target,
                                 const BlockResources &block, bool fits) {
  auto text = [](int64_t value) { return std::to_string(value); };
  switch (limit) {
  case OccupancyLimit::Threads:
    return "threads (" + text(block.threads) + " a block" +
           (fits ? ")" : ", " + text(target.maxThreadsPerBlock) + " at most)");
  case OccupancyLimit::Blocks:
    return "blocks (" + text(target.maxBlocksPerMultiprocessor) +
           " a multiprocessor at most)";
  case OccupancyLimit::Registers:
    return "registers (" + text(block.registersPerThread) + " a thread, " +
           text(block.threads) + " threads" +
           (fits
                ? ")"
                : ", " + text(target.maxRegistersPerThread) + " a thread and " +
                      text(target.maxRegistersPerBlock) + " a block at most)");
  case OccupancyLimit::SharedMemory:
    return "shared memory (" + text(block.sharedBytes) + " bytes a block, " +
           (fits ? text(target.sharedBytesPerMultiprocessor) +
                       " a multiprocessor)"
                 : text(target.maxSharedBytesPerBlock) + " at most)");
  }
  return {};
}

static std::string summarize(const Occupancy &occupancy,
                             const GpuTarget &target,
                             const BlockResources &block) {
  int64_t blocks = occupancy.blocksPerMultiprocessor;
  std::string limit = describeLimit(occupancy.limit, target, block, blocks > 0);
  if (blocks == 0)
    return "cannot be launched: too much for " + std::string(target.name) +
           " in " + limit;
  return std::to_string(blocks) + (blocks == 1 ? " block, " : " blocks, ") +
         std::to_string(occupancy.warpsPerMultiprocessor) + " of " +
         std::to_string(target.getMaxWarpsPerMultiprocessor()) +
         " warps, limited by " + limit;
}

Occupancy tilec::computeOccupancy(const GpuTarget &target,
                                  const BlockResources &block) {
  int64_t warps =
      block.threads <= 0 ? 1 : divideCeil(block.threads, target.warpSize);
  const std::pair<OccupancyLimit, int64_t> limits[] = {
      {OccupancyLimit::Threads, limitByThreads(target, warps)},
      {OccupancyLimit::Blocks, target.maxBlocksPerMultiprocessor},
      {OccupancyLimit::Registers, limitByRegisters(target, block, warps)},
      {OccupancyLimit::SharedMemory, limitBySharedMemory(target, block)},
  };
  Occupancy occupancy;
  occupancy.blocksPerMultiprocessor = std::numeric_limits<int64_t>::max();
  for (auto [limit, blocks] : limits)
    if (blocks < occupancy.blocksPerMultiprocessor) {
      occupancy.blocksPerMultiprocessor = blocks;
      occupancy.limit = limit;
    }
  occupancy.warpsPerMultiprocessor = occupancy.blocksPerMultiprocessor * warps;
  occupancy.summary = summarize(occupancy, target, block);
  return occupancy;
}
