//===- ThroughputTest.cpp - Cycles of a block's work ---------------------===//
//
// Expected cycles are counted by hand from the sources that Throughput.h names.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/Throughput.h"

#include "gtest/gtest.h"

using namespace tilec;

namespace {

TEST(Throughput, EveryTargetHasARow) {
  for (const GpuTarget &target : getKnownTargets()) {
    SCOPED_TRACE(target.name);
    const Throughput &row = getThroughput(target);
    EXPECT_EQ(row.computeCapability, target.computeCapability);
    for (int64_t rate : {row.floats, row.doubles, row.integers, row.specials,
                         row.casts, row.shuffles, row.accesses, row.matrixF16,
                         row.matrixF64, row.sharedBytes, row.globalBytes})
      EXPECT_GT(rate, 0);
    EXPECT_LT(row.arithmeticLatency, row.sharedLatency);
    EXPECT_LT(row.sharedLatency, row.l2Latency);
    EXPECT_LT(row.l2Latency, row.globalLatency);
  }
}

/// Where a row names `wgmma`, the matrix instructions have it too.
TEST(Throughput, WarpgroupsMultiplyWhereTheyCan) {
  for (const GpuTarget &target : getKnownTargets())
    EXPECT_EQ(getThroughput(target).warpgroupMatrixF16 > 0,
              !findMatrixInstructions(target, ElementKind::F16,
                                      ElementKind::F16, ElementKind::F32, 0,
                                      Participants::Warpgroup)
                   .empty())
        << target.name;
}

/// A product of 128 x 128 x 32 by four warps.
BlockWork makeProduct(ElementKind kind) {
  BlockWork work;
  work.multiplyAdds = 128 * 128 * 32;
  work.kind = kind;
  return work;
}

TEST(Throughput, ProductsTakeTheCyclesOfTheMatrixUnits) {
  const GpuTarget &ampere = *findTarget("sm_80");
  // 524,288 multiply-adds, 1,024 a cycle.
  EXPECT_EQ(countCycles(ampere, makeProduct(ElementKind::F16), 4), 512);
  EXPECT_EQ(countCycles(ampere, makeProduct(ElementKind::TF32), 4), 1024);
  EXPECT_EQ(countCycles(ampere, makeProduct(ElementKind::S8), 4), 256);
  EXPECT_EQ(countCycles(ampere, makeProduct(ElementKind::F64), 4), 8192);
  EXPECT_EQ(
      countCycles(*findTarget("sm_89"), makeProduct(ElementKind::BF16), 4),
      1024);
  // wgmma m64n256k16 takes 128 cycles.
  BlockWork wgmma;
  wgmma.multiplyAdds = 64 * 256 * 16;
  wgmma.participants = Participants::Warpgroup;
  EXPECT_EQ(countCycles(*findTarget("sm_90a"), wgmma, 4), 128);
}

TEST(Throughput, OperandsInSharedMemoryMayTakeLonger) {
  const GpuTarget &ampere = *findTarget("sm_80");
  // Two by two warps read both tiles of 8 KiB twice: 32 KiB, 128 a cycle.
  BlockWork work = makeProduct(ElementKind::F16);
  work.sharedBytes = 2 * 2 * 128 * 32 * 2;
  EXPECT_EQ(countCycles(ampere, work, 4), 512);
  work.multiplyAdds = 0;
  EXPECT_EQ(countCycles(ampere, work, 4), 256);
}

TEST(Throughput, FewWarpsHaveFewUnits) {
  const GpuTarget &ampere = *findTarget("sm_80");
  EXPECT_EQ(countCycles(ampere, makeProduct(ElementKind::F16), 1), 2048);
  EXPECT_EQ(countCycles(ampere, makeProduct(ElementKind::F16), 2), 1024);
  EXPECT_EQ(countCycles(ampere, makeProduct(ElementKind::F16), 8), 512);
  // Shared memory is one for all.
  BlockWork loads;
  loads.sharedBytes = 4096;
  EXPECT_EQ(countCycles(ampere, loads, 1), 32);
}

TEST(Throughput, TheBusiestUnitDecides) {
  const GpuTarget &hopper = *findTarget("sm_90a");
  BlockWork work;
  EXPECT_EQ(countCycles(hopper, work, 4), 0);
  // 128 x 64 exponentials, 16 a cycle; their multiplications are done by then.
  work.specials = work.floats = 128 * 64;
  EXPECT_EQ(countCycles(hopper, work, 4), 512);
  work.casts = 1;
  work.specials = work.floats = 0;
  EXPECT_EQ(countCycles(hopper, work, 4), 1);
}

} // namespace
