//===- BulkCopiesTest.cpp - Boxes against the swizzling figures ----------===//
//
// Where a bulk tensor copy puts the elements of a box, typed out in bytes from
// the PTX ISA's section "Tensor swizzling modes": rows of the box follow each
// other, and chunk c of 16 bytes in row r goes to chunk
//
//     128 bytes   c xor (r % 8)
//     64 bytes    c xor (r / 2 % 4)       two rows in each 128 bytes
//     32 bytes    c xor (r / 4 % 2)       four rows
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/CopyInstruction.h"
#include "tile/Hardware/MatrixInstruction.h"

#include "gtest/gtest.h"

using namespace tilec;

namespace {

int64_t swizzleChunk(int64_t modeBytes, int64_t row, int64_t chunk) {
  switch (modeBytes) {
  case 128:
    return chunk ^ (row % 8);
  case 64:
    return chunk ^ (row / 2 % 4);
  case 32:
    return chunk ^ (row / 4 % 2);
  default:
    return chunk;
  }
}

const CopyInstruction &getLoad(int64_t rank) {
  return *findCopyInstruction("cp.async.bulk.tensor." + std::to_string(rank) +
                              "d.shared::cluster.global.tile"
                              ".mbarrier::complete_tx::bytes");
}

/// Compares every element; `extents` has its innermost dimension last.
void expectBox(const Coordinate &extents, int64_t modeBytes,
               int64_t elementBits) {
  SCOPED_TRACE("mode " + std::to_string(modeBytes) + ", " +
               std::to_string(elementBits) + " bits, rank " +
               std::to_string(extents.size()));
  auto layout =
      getLoad(extents.size()).box->getLayout(extents, modeBytes, elementBits);
  ASSERT_TRUE(layout) << layout.reason();
  int64_t elementBytes = elementBits / 8;
  int64_t rowBytes = extents.back() * elementBytes;
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  for (int64_t i = 0; i < count; ++i) {
    Coordinate coordinate(extents.size());
    int64_t rest = i;
    for (size_t dim = extents.size(); dim-- > 0; rest /= extents[dim])
      coordinate[dim] = rest % extents[dim];
    int64_t row = i / extents.back();
    int64_t byte = i % extents.back() * elementBytes;
    ASSERT_EQ(layout->getByteOffset(coordinate),
              row * rowBytes + swizzleChunk(modeBytes, row, byte / 16) * 16 +
                  byte % 16)
        << "element " << i;
  }
  EXPECT_EQ(layout->getAlignmentBytes(), modeBytes == 0 ? 16 : 8 * modeBytes);
}

TEST(BulkCopies, BoxesEqualTheSwizzlingFigures) {
  for (int64_t elementBits : {8, 16, 32, 64}) {
    for (int64_t mode : {128, 64, 32}) {
      int64_t row = mode * 8 / elementBits;
      expectBox({row}, mode, elementBits);
      expectBox({37, row}, mode, elementBits);
      expectBox({256, row}, mode, elementBits);
      expectBox({3, 16, row}, mode, elementBits);
      expectBox({2, 3, 8, row}, mode, elementBits);
      expectBox({2, 2, 3, 4, row}, mode, elementBits);
    }
    expectBox({64, 48 * 8 / elementBits}, 0, elementBits);
    expectBox({5, 7, 256}, 0, elementBits);
  }
}

TEST(BulkCopies, LimitsAreNamed) {
  const TensorBox &box = *getLoad(2).box;
  auto why = [&](Coordinate extents, int64_t mode, int64_t bits) {
    return box.getLayout(extents, mode, bits).reason();
  };
  EXPECT_EQ(why({64}, 128, 16),
            "a box of rank 1 is none of a tensor of rank 2");
  EXPECT_EQ(why({257, 64}, 128, 16), "a box of 257 elements along one "
                                     "dimension is not within 1 and 256");
  EXPECT_EQ(why({0, 64}, 128, 16), "a box of 0 elements along one dimension is "
                                   "not within 1 and 256");
  EXPECT_EQ(why({64, 64}, 256, 16), "there is no swizzle mode of 256 bytes");
  EXPECT_EQ(why({64, 12}, 0, 16), "the innermost row of the box, 192 bits, is "
                                  "no multiple of 16 bytes");
  EXPECT_EQ(why({64, 128}, 128, 16), "the innermost row of the box, 2048 bits, "
                                     "is not the 128 bytes of the swizzle "
                                     "mode");
}

// What a copy writes is what wgmma reads: no conversion stands between.
TEST(BulkCopies, BoxesAreWhatWgmmaReads) {
  const MatrixInstruction &wgmma = *findMatrixInstruction(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16.ss");
  for (const SharedDemand &demand : wgmma.a.sharedLayouts) {
    if (demand.swizzleBytes == 0)
      continue;
    int64_t row = demand.swizzleBytes / 2;
    bool isKMajor = demand.major == Major::K;
    // 128 rows of A, or 32 rows of A transposed, one row of the mode wide.
    SharedLayout box = *getLoad(2).box->getLayout({isKMajor ? 128 : 32, row},
                                                  demand.swizzleBytes, 16);
    std::vector<int> dims = isKMajor ? std::vector{0, 1} : std::vector{1, 0};
    Coordinate tile = isKMajor ? Coordinate{64, 16} : Coordinate{row, 16};
    auto strides = demand.getStrides(box, dims, tile);
    ASSERT_TRUE(strides) << strides.reason();
    EXPECT_EQ(*strides, (DescriptorStrides{0, 8 * demand.swizzleBytes}));
  }
}

TEST(BulkCopies, TraitsAndChips) {
  int tensors = 0, images = 0, runs = 0;
  for (const CopyInstruction &row : getCopyInstructions()) {
    if (!row.name.starts_with("cp.async.bulk."))
      continue;
    SCOPED_TRACE(row.name);
    bool isLoad = row.dest == MemorySpace::Shared;
    EXPECT_EQ(row.source, isLoad ? MemorySpace::Global : MemorySpace::Shared);
    EXPECT_EQ(row.dest, isLoad ? MemorySpace::Shared : MemorySpace::Global);
    EXPECT_EQ(row.issuer, Issuer::ElectedThread);
    EXPECT_EQ(row.proxy, Proxy::Async);
    EXPECT_EQ(row.completion,
              isLoad ? Completion::Mbarrier : Completion::Group);
    EXPECT_FALSE(row.converts);
    EXPECT_TRUE(row.moves(48));
    EXPECT_FALSE(row.moves(24));
    EXPECT_FALSE(row.moves(0));
    for (const GpuTarget &target : getKnownTargets())
      EXPECT_EQ(row.isAvailable(target, 90), target.computeCapability >= 90);
    EXPECT_FALSE(row.isAvailable(*findTarget("sm_90a"), 78));
    if (!row.box) {
      ++runs;
      EXPECT_EQ(row.getAlignBytes(4096), 16);
      EXPECT_EQ(row.padding, Padding::None);
      continue;
    }
    EXPECT_EQ(row.name.find(".im2col.") != std::string::npos,
              row.im2col.has_value());
    if (row.im2col) {
      ++images;
      EXPECT_EQ(row.name, "cp.async.bulk.tensor.4d.shared::cluster.global."
                          "im2col.mbarrier::complete_tx::bytes");
      EXPECT_EQ(row.box->rank, 2);
      EXPECT_EQ(row.padding, Padding::Zero);
      EXPECT_EQ(row.getAlignBytes(4096), 128);
      continue;
    }
    ++tensors;
    EXPECT_TRUE(row.name.starts_with("cp.async.bulk.tensor." +
                                     std::to_string(row.box->rank) + "d."));
    EXPECT_EQ(row.getAlignBytes(4096), 128);
    EXPECT_EQ(row.padding, isLoad ? Padding::Zero : Padding::Skip);
    EXPECT_EQ(row.box->swizzleBytes, (std::vector<int64_t>{128, 64, 32, 0}));
    EXPECT_EQ(row.box->globalAlignBytes, 16);
  }
  EXPECT_EQ(tensors, 10);
  EXPECT_EQ(images, 1);
  EXPECT_EQ(runs, 2);
}

} // namespace
