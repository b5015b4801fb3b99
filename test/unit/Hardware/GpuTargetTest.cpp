//===- GpuTargetTest.cpp - The rows of the known chips -------------------===//
//
// The numbers are repeated here in full, in the units of the table "Technical
// Specifications per Compute Capability" of the CUDA C++ Programming Guide, so
// that a row changes only together with its source.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/GpuTarget.h"

#include "gtest/gtest.h"

using namespace tilec;

namespace {

struct PublishedRow {
  const char *name;
  int capability;
  int64_t threads, blocks;              // a multiprocessor
  int64_t sharedKiB, sharedPerBlockKiB; // a multiprocessor, a block
  int64_t cluster;
  int firstPtx;
  int64_t multiprocessors;
};

constexpr PublishedRow publishedRows[] = {
    {"sm_80", 80, 2048, 32, 164, 163, 1, 70, 108},
    {"sm_86", 86, 1536, 16, 100, 99, 1, 71, 84},
    {"sm_89", 89, 1536, 24, 100, 99, 1, 78, 142},
    {"sm_90a", 90, 2048, 32, 228, 227, 8, 80, 132},
    {"sm_100a", 100, 2048, 32, 228, 227, 8, 86, 148},
    {"sm_120a", 120, 1536, 24, 100, 99, 8, 87, 188},
};

TEST(GpuTarget, RowsEqualThePublishedTable) {
  ASSERT_EQ(getKnownTargets().size(), std::size(publishedRows));
  for (const PublishedRow &row : publishedRows) {
    SCOPED_TRACE(row.name);
    const GpuTarget *target = findTarget(row.name);
    ASSERT_NE(target, nullptr);
    EXPECT_EQ(target->name, row.name);
    EXPECT_EQ(target->computeCapability, row.capability);
    EXPECT_EQ(target->maxThreadsPerMultiprocessor, row.threads);
    EXPECT_EQ(target->maxBlocksPerMultiprocessor, row.blocks);
    EXPECT_EQ(target->sharedBytesPerMultiprocessor, row.sharedKiB * 1024);
    EXPECT_EQ(target->maxSharedBytesPerBlock, row.sharedPerBlockKiB * 1024);
    EXPECT_EQ(target->maxClusterSize, row.cluster);
    EXPECT_EQ(target->firstPtxVersion, row.firstPtx);
    EXPECT_EQ(target->multiprocessorCount, row.multiprocessors);
    // The same for every chip of the table.
    EXPECT_EQ(target->warpSize, 32);
    EXPECT_EQ(target->maxThreadsPerBlock, 1024);
    EXPECT_EQ(target->registersPerMultiprocessor, 65536);
    EXPECT_EQ(target->maxRegistersPerBlock, 65536);
    EXPECT_EQ(target->maxRegistersPerThread, 255);
    EXPECT_EQ(target->staticSharedBytesPerBlock, 49152);
    EXPECT_EQ(target->reservedSharedBytesPerBlock, 1024);
    EXPECT_EQ(target->namedBarrierCount, 16);
  }
}

TEST(GpuTarget, FamiliesBelongToTheirChips) {
  EXPECT_FALSE(findTarget("sm_80")->isArchitectureSpecific);
  EXPECT_FALSE(findTarget("sm_89")->hasBulkTensorCopy);
  EXPECT_TRUE(findTarget("sm_90a")->isArchitectureSpecific);
  EXPECT_TRUE(findTarget("sm_90a")->hasBulkTensorCopy);
  EXPECT_TRUE(findTarget("sm_100a")->isArchitectureSpecific);
  EXPECT_TRUE(findTarget("sm_100a")->hasBulkTensorCopy);
  EXPECT_TRUE(findTarget("sm_120a")->hasBulkTensorCopy);
}

TEST(GpuTarget, NamesMatchExactly) {
  EXPECT_EQ(findTarget("sm_90"), nullptr);
  EXPECT_EQ(findTarget("sm_8"), nullptr);
  EXPECT_EQ(findTarget("SM_80"), nullptr);
  EXPECT_EQ(findTarget(""), nullptr);
  EXPECT_EQ(getKnownTargetNames(),
            "sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a");
}

TEST(GpuTarget, PtxVersionsStartAtTheFirstAndSkipTheUnreleased) {
  for (const GpuTarget &target : getKnownTargets()) {
    SCOPED_TRACE(target.name);
    EXPECT_TRUE(target.acceptsPtxVersion(target.defaultPtxVersion));
    EXPECT_TRUE(target.acceptsPtxVersion(target.firstPtxVersion));
    EXPECT_FALSE(target.acceptsPtxVersion(target.firstPtxVersion - 1));
    EXPECT_FALSE(target.acceptsPtxVersion(79));
    EXPECT_FALSE(target.acceptsPtxVersion(89));
    EXPECT_FALSE(target.acceptsPtxVersion(91));
    EXPECT_EQ(target.getAcceptedPtxVersions().front(), target.firstPtxVersion);
    EXPECT_EQ(target.getAcceptedPtxVersions().back(), 90);
  }
  EXPECT_EQ(findTarget("sm_120a")->getAcceptedPtxVersions(),
            (std::vector<int>{87, 88, 90}));
  EXPECT_EQ(getPtxFeature(84), "+ptx84");
  EXPECT_EQ(formatPtxVersion(84), "8.4");
}

} // namespace
