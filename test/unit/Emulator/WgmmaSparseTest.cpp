//===- WgmmaSparseTest.cpp - wgmma of which A keeps two of four -----------===//
//
// The places of metadata are written from the figures of the PTX ISA, "Sparse
// wgmma": thread Tn of a warp, bits m to n of its register, columns of its row.
//
//===----------------------------------------------------------------------===//

#include "WgmmaOperands.h"

#include <gtest/gtest.h>

using namespace tilec::emu;

namespace {

struct SparseCase {
  E type, result;
  int n, k;
  bool aMn, bMn;
  uint32_t swizzleA, swizzleB;
  bool aInRegisters = false;
  uint32_t selector = 0;
};

/// 64 x K of which the elements that `metadata` (by warp and lane) names are
/// kept, and these alone.
struct SparseMatrix {
  Matrix dense, stored;
  uint32_t metadata[4][warpLanes];
};

/// Where the ISA has the four bits of a group of columns.
struct MetadataPlace {
  int lane, bit;
};

MetadataPlace findGroup(const SparseCase &c, int rowOfWarp, int group) {
  int g = rowOfWarp % 8, below = rowOfWarp / 8;
  if (bitWidth(c.type) == 8) // T(4g + 2q + below): columns 32q and on
    return {4 * g + 2 * (group / 8) + below, 4 * (group % 8)};
  // T(4g + 2 selector + p): the p-th half of K, row g in the low 16 bits.
  return {4 * g + 2 * static_cast<int>(c.selector) + group / 4,
          16 * below + 4 * (group % 4)};
}

SparseMatrix makeSparse(const SparseCase &c, std::mt19937 &random) {
  SparseMatrix matrix;
  matrix.stored = randomMatrix(random, 64, c.k / 2, c.type);
  matrix.dense.assign(64, std::vector<int>(static_cast<size_t>(c.k), 0));
  for (auto &warp : matrix.metadata)
    for (uint32_t &word : warp)
      word = random(); // What no selector names is not read.
  bool isTf32 = c.type == E::TF32;
  int columns = isTf32 ? 2 : 4;
  for (int row = 0; row < 64; ++row)
    for (int group = 0; group < c.k / columns; ++group) {
      uint32_t bits;
      if (isTf32) {
        auto kept = random() % 2;
        matrix.dense[row][2 * group + kept] = matrix.stored[row][group];
        bits = kept ? 0xe : 0x4;
      } else {
        uint32_t first = random() % 4, second = (first + 1 + random() % 3) % 4;
        matrix.dense[row][4 * group + first] = matrix.stored[row][2 * group];
        matrix.dense[row][4 * group + second] =
            matrix.stored[row][2 * group + 1];
        bits = first | second << 2;
      }
      MetadataPlace place = findGroup(c, row % 16, group);
      uint32_t &word = matrix.metadata[row / 16][place.lane];
      word = (word & ~(0xfu << place.bit)) | bits << place.bit;
    }
  return matrix;
}

void checkCase(const SparseCase &c, std::mt19937 &random) {
  WgmmaOp op;
  op.n = c.n, op.k = c.k;
  op.a = op.b = c.type;
  op.d = c.result;
  op.aMnMajor = c.aMn, op.bMnMajor = c.bMn;
  op.aInRegisters = c.aInRegisters;
  op.sparse = true;
  ASSERT_EQ(checkWgmma(op), "");
  SparseMatrix a = makeSparse(c, random);
  Matrix b = randomMatrix(random, c.k, c.n, c.type);
  StoredOperand operand;
  store(operand, c.type, 64, c.k / 2, c.aMn, c.swizzleA, 2048,
        [&](int m, int i) { return a.stored[m][i]; });
  uint64_t descriptorA = operand.descriptor;
  store(operand, c.type, c.n, c.k, c.bMn, c.swizzleB, 32768,
        [&](int j, int i) { return b[i][j]; });
  for (int warp = 0; warp < 4; ++warp) {
    LaneWords registers[4] = {}, sums[128] = {};
    Matrix rows(a.stored.begin() + 16 * warp,
                a.stored.begin() + 16 * warp + 16);
    Layout layout = bitWidth(c.type) == 32   ? a16n8k8Word
                    : bitWidth(c.type) == 16 ? a16n8k16Half
                                             : a16n8k32Byte;
    scatter(rows, c.type, layout, 4, registers);
    ASSERT_EQ(checkMetadata(op, warp, a.metadata[warp], c.selector), "");
    wgmma(op, warp, operand.shared.data(), c.aInRegisters ? registers : nullptr,
          descriptorA, operand.descriptor, /*scaleD=*/false, sums,
          a.metadata[warp], c.selector);
    for (int lane = 0; lane < warpLanes; ++lane)
      for (int i = 0; i < c.n / 2; ++i) {
        int row = 16 * warp + groupOf(lane) + (i % 4 < 2 ? 0 : 8);
        int column = i / 4 * 8 + inGroup(lane) * 2 + (i & 1);
        int expected = 0;
        for (int j = 0; j < c.k; ++j)
          expected += a.dense[row][j] * b[j][column];
        ASSERT_EQ(decodeResult(c.result, sums, lane, i), expected)
            << nameOf(c.type) << " n" << c.n << " row " << row << " column "
            << column;
      }
  }
}

} // namespace

// B has 64 bytes along K: in a row of 64 or 128 bytes, or in rows of MN.
TEST(WgmmaSparse, AgreesWithDenseLoops) {
  std::mt19937 random(12);
  for (bool aInRegisters : {false, true})
    for (const SparseCase &c : {
             SparseCase{E::F16, E::F32, 64, 32, false, false, 32, 128},
             {E::F16, E::F16, 8, 32, false, true, 128, 64},
             {E::BF16, E::F32, 256, 32, false, true, 64, 128},
             {E::F16, E::F32, 40, 32, false, false, 0, 64, false, 1},
             {E::BF16, E::F32, 16, 32, false, true, 128, 32, false, 1},
             {E::TF32, E::F32, 24, 16, false, false, 128, 64},
             {E::TF32, E::F32, 8, 16, false, false, 32, 128, false, 1},
             {E::S8, E::S32, 32, 64, false, false, 64, 64},
             {E::U8, E::S32, 16, 64, false, false, 0, 128},
             {E::E4M3, E::F32, 48, 64, false, false, 128, 128},
             {E::E5M2, E::F16, 8, 64, false, false, 32, 64},
         }) {
      SparseCase withA = c;
      withA.aInRegisters = aInRegisters;
      checkCase(withA, random);
    }
  for (uint32_t swizzle : {0u, 32u, 64u, 128u})
    checkCase({E::F16, E::F32, 64, 32, true, true, swizzle,
               swizzle == 0 ? 128 : swizzle},
              random);
}

TEST(WgmmaSparse, MetadataIsChecked) {
  WgmmaOp op;
  op.n = 8, op.k = 32;
  op.sparse = true;
  uint32_t metadata[warpLanes];
  auto check = [&](uint32_t word, uint32_t lane, uint32_t selector) {
    std::fill_n(metadata, warpLanes, 0x4444e9d8u);
    metadata[lane] = word;
    return checkMetadata(op, /*warp=*/2, metadata, selector);
  };
  EXPECT_EQ(check(0x4444e9d8, 0, 0), "");
  EXPECT_EQ(check(0x4644e9d8, 4 * 3 + 1, 0), ""); // 2, then 1
  EXPECT_EQ(
      check(0x4544e9d8, 4 * 3 + 1, 0),
      "the metadata of row 43, columns 24 to 27, is 5: positions 1 and 1");
  EXPECT_EQ(check(0x4544e9d8, 4 * 3 + 1, 1), "");
  EXPECT_NE(check(0x4544e9d8, 4 * 3 + 2, 1), "");
  op.a = op.b = E::S8;
  op.d = E::S32;
  op.k = 64;
  EXPECT_EQ(
      check(0x4544e9d8, 4 * 3 + 3, 0),
      "the metadata of row 43, columns 56 to 59, is 5: positions 1 and 1");
  op.a = op.b = E::TF32;
  op.d = E::F32;
  op.k = 16;
  EXPECT_EQ(check(0x4444e9d8, 0, 0),
            "the metadata of row 32, columns 0 to 1, is 8: positions 0 and 2");
}

TEST(WgmmaSparse, RefusesWhatDoesNotExist) {
  WgmmaOp op;
  op.sparse = true;
  EXPECT_EQ(checkWgmma(op), "wgmma.sp.m64n8k16.f32.f16.f16 needs k32");
  op.k = 32;
  EXPECT_EQ(checkWgmma(op), "");
  EXPECT_EQ(sparsitySelectorCount(op), 2u);
  op.a = op.b = E::E4M3;
  op.k = 64;
  EXPECT_EQ(checkWgmma(op), "");
  EXPECT_EQ(sparsitySelectorCount(op), 1u);
  op.a = op.b = E::B1;
  op.d = E::S32;
  EXPECT_NE(checkWgmma(op), "");
}
