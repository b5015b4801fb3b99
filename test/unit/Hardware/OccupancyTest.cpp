//===- OccupancyTest.cpp - Blocks that fit on a multiprocessor -----------===//
//
// Expected values were computed with cudaOccMaxActiveBlocksPerMultiprocessor of
// CUDA 13.0's cuda_occupancy.h (opt-in shared memory, largest carve-out).
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/Occupancy.h"

#include "gtest/gtest.h"

using namespace tilec;

namespace {

struct Case {
  const char *chip;
  BlockResources block;
  int64_t blocks;
  OccupancyLimit limit;
};

constexpr auto Threads = OccupancyLimit::Threads;
constexpr auto Blocks = OccupancyLimit::Blocks;
constexpr auto Registers = OccupancyLimit::Registers;
constexpr auto SharedMemory = OccupancyLimit::SharedMemory;

constexpr Case cases[] = {
    {"sm_80", {128, 32, 0}, 16, Threads},
    {"sm_80", {32, 16, 0}, 32, Blocks},
    {"sm_86", {32, 16, 0}, 16, Blocks},
    {"sm_80", {256, 128, 0}, 2, Registers},
    {"sm_80", {256, 129, 0}, 1, Registers},
    {"sm_80", {128, 213, 0}, 2, Registers},
    // 7 warps are allocated in 4 sub-partitions: 10 warps each hold 48
    // registers.
    {"sm_80", {224, 48, 0}, 5, Registers},
    {"sm_80", {128, 64, 49152}, 3, SharedMemory},
    {"sm_80", {128, 64, 166912}, 1, SharedMemory},
    {"sm_90a", {128, 64, 115712}, 2, SharedMemory},
    {"sm_90a", {128, 64, 115713}, 1, SharedMemory},
    {"sm_89", {128, 40, 101376}, 1, SharedMemory},
    {"sm_120a", {1024, 64, 0}, 1, Threads},
    // Beyond what one block may have.
    {"sm_80", {1056, 16, 0}, 0, Threads},
    {"sm_80", {1024, 65, 0}, 0, Registers},
    {"sm_80", {32, 256, 0}, 0, Registers},
    {"sm_80", {128, 64, 166913}, 0, SharedMemory},
};

TEST(Occupancy, EqualsTheCudaCalculation) {
  for (const Case &test : cases) {
    SCOPED_TRACE(
        std::string(test.chip) + ", " + std::to_string(test.block.threads) +
        " threads, " + std::to_string(test.block.registersPerThread) +
        " registers, " + std::to_string(test.block.sharedBytes) + " bytes");
    Occupancy occupancy = computeOccupancy(*findTarget(test.chip), test.block);
    EXPECT_EQ(occupancy.blocksPerMultiprocessor, test.blocks);
    EXPECT_EQ(occupancy.limit, test.limit);
    EXPECT_EQ(occupancy.warpsPerMultiprocessor,
              test.blocks * ((test.block.threads + 31) / 32));
  }
}

TEST(Occupancy, SummaryCarriesTheNumbers) {
  const GpuTarget &target = *findTarget("sm_80");
  EXPECT_EQ(computeOccupancy(target, {256, 128, 0}).summary,
            "2 blocks, 16 of 64 warps, limited by registers (128 a thread, "
            "256 threads)");
  EXPECT_EQ(computeOccupancy(target, {128, 64, 200000}).summary,
            "cannot be launched: too much for sm_80 in shared memory (200000 "
            "bytes a block, 166912 at most)");
}

} // namespace
