//===- WgmmaTest.cpp - wgmma and its shared-memory operands ---------------===//
//
// Operands are stored as the canonical layouts of the PTX ISA say
// (WgmmaOperands.h), and the products compared with plain loops.
//
//===----------------------------------------------------------------------===//

#include "WgmmaOperands.h"

#include <gtest/gtest.h>

#include <set>

using namespace tilec::emu;

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

namespace {

void checkWgmmaCase(E type, E result, int n, int k, bool aMn, bool bMn,
                    uint32_t swizzleA, uint32_t swizzleB, bool aInRegisters,
                    std::mt19937 &random) {
  WgmmaOp op;
  op.n = n, op.k = k;
  op.a = op.b = type;
  op.d = result;
  op.aMnMajor = aMn, op.bMnMajor = bMn;
  op.aInRegisters = aInRegisters;
  op.negateB = isFloat(type);
  ASSERT_EQ(checkWgmma(op), "");
  Matrix a = randomMatrix(random, 64, k, type);
  Matrix b = randomMatrix(random, k, n, type);
  StoredOperand operand;
  store(operand, type, 64, k, aMn, swizzleA, 2048,
        [&](int m, int i) { return a[m][i]; });
  uint64_t descriptorA = operand.descriptor;
  store(operand, type, n, k, bMn, swizzleB, 32768,
        [&](int j, int i) { return b[i][j]; });
  for (int warp = 0; warp < 4; ++warp) {
    LaneWords registers[4] = {}, d[128];
    Matrix rows(a.begin() + 16 * warp, a.begin() + 16 * warp + 16);
    Layout layout = bitWidth(type) == 32   ? a16n8k8Word
                    : bitWidth(type) == 16 ? a16n8k16Half
                                           : a16n8k32Byte;
    scatter(rows, type, layout, 4, registers);
    for (int r = 0; r < wgmmaRegisterCountD(op); ++r)
      for (uint32_t &lane : d[r])
        lane = static_cast<uint32_t>(encode(result, 3)) *
               (result == E::F16 ? 0x10001u : 1u);
    for (bool scaleD : {true, false}) {
      LaneWords sums[128];
      std::memcpy(sums, d, sizeof(d));
      wgmma(op, warp, operand.shared.data(), aInRegisters ? registers : nullptr,
            descriptorA, operand.descriptor, scaleD, sums);
      for (int lane = 0; lane < warpLanes; ++lane)
        for (int i = 0; i < n / 2; ++i) {
          int row = 16 * warp + groupOf(lane) + (i % 4 < 2 ? 0 : 8);
          int column = i / 4 * 8 + inGroup(lane) * 2 + (i & 1);
          int expected = scaleD ? 3 : 0;
          for (int j = 0; j < k; ++j)
            expected += a[row][j] * (op.negateB ? -b[j][column] : b[j][column]);
          ASSERT_EQ(decodeResult(result, sums, lane, i), expected)
              << nameOf(type) << " n" << n << " swizzles " << swizzleA << ", "
              << swizzleB << " mn-major " << aMn << bMn << " row " << row
              << " column " << column;
        }
    }
  }
}

} // namespace

TEST(Wgmma, EveryMajornessAndSwizzle) {
  std::mt19937 random(8);
  for (uint32_t swizzle : {0u, 32u, 64u, 128u})
    for (bool aMn : {false, true})
      for (bool bMn : {false, true})
        checkWgmmaCase(E::F16, E::F32, 64, 16, aMn, bMn, swizzle,
                       swizzle == 0 ? 128 : swizzle, false, random);
}

TEST(Wgmma, EveryType) {
  std::mt19937 random(9);
  checkWgmmaCase(E::F16, E::F16, 8, 16, false, false, 128, 32, false, random);
  checkWgmmaCase(E::BF16, E::F32, 256, 16, false, true, 64, 128, false, random);
  checkWgmmaCase(E::TF32, E::F32, 24, 8, false, false, 32, 0, false, random);
  checkWgmmaCase(E::E4M3, E::F32, 40, 32, false, false, 128, 128, false,
                 random);
  checkWgmmaCase(E::S8, E::S32, 32, 32, false, false, 64, 64, false, random);
  checkWgmmaCase(E::U8, E::S32, 16, 32, false, false, 0, 128, false, random);
}

TEST(Wgmma, AInRegisters) {
  std::mt19937 random(10);
  checkWgmmaCase(E::F16, E::F32, 16, 16, false, true, 128, 64, true, random);
  checkWgmmaCase(E::TF32, E::F32, 16, 8, false, false, 128, 128, true, random);
  checkWgmmaCase(E::S8, E::S32, 8, 32, false, false, 128, 128, true, random);
}

// A step of 16 along K inside a 128-byte swizzle moves the start address by 32
// bytes; the pattern's phase is absolute, so the same rows are found.
TEST(Wgmma, StepsAlongKInsideASwizzle) {
  WgmmaOp op;
  op.n = 8, op.k = 16;
  uint64_t whole = makeDescriptor(1024, 16, 1024, 0, 128);
  uint64_t step = whole + 2;
  for (int row = 0; row < 64; ++row)
    for (int k = 0; k < 16; ++k) {
      uint32_t offset = row * 128 + (k + 16) * 2;
      EXPECT_EQ(wgmmaAddress(op, WgmmaOperand::A, step, row, k),
                1024 + swizzled(offset, 128));
    }
}

// A pattern that begins 2 rows (256 bytes) into the absolute one: with the base
// offset its first row is not permuted.
TEST(Wgmma, BaseOffsetMovesThePhase) {
  WgmmaOp op;
  op.n = 8, op.k = 16;
  uint64_t descriptor = makeDescriptor(1024 + 256, 16, 1024, 2, 128);
  for (int row = 0; row < 8; ++row)
    EXPECT_EQ(wgmmaAddress(op, WgmmaOperand::A, descriptor, row, 0),
              1024u + 256 + row * 128 + row * 16);
}

TEST(Wgmma, ChunksCoverTheOperandOnce) {
  WgmmaOp op;
  op.n = 64, op.k = 16;
  for (bool mnMajor : {false, true}) {
    op.bMnMajor = mnMajor;
    uint64_t descriptor = makeDescriptor(0, mnMajor ? 2048 : 16, 1024, 0, 128);
    std::set<uint32_t> chunks;
    wgmmaForEachChunk(op, WgmmaOperand::B, descriptor, [&](uint32_t address) {
      EXPECT_EQ(address % 16, 0u);
      chunks.insert(address);
    });
    EXPECT_EQ(chunks.size(), 64u * 16 * 2 / 16);
    for (int k = 0; k < 16; ++k)
      for (int n = 0; n < 64; ++n)
        EXPECT_TRUE(chunks.count(
            wgmmaAddress(op, WgmmaOperand::B, descriptor, k, n) & ~15u));
  }
  int visited = 0;
  wgmmaForEachChunk(op, WgmmaOperand::A, makeDescriptor(0, 16, 1024, 0, 128),
                    [&](uint32_t) { ++visited; });
  EXPECT_EQ(visited, 128); // 64 rows of 32 bytes
}

TEST(Wgmma, RefusesWhatDoesNotExist) {
  WgmmaOp op;
  op.n = 12;
  EXPECT_EQ(checkWgmma(op), "wgmma.m64n12k16.f32.f16.f16 has no such n");
  op.n = 40;
  op.a = op.b = E::S8;
  op.d = E::S32;
  op.k = 32;
  EXPECT_NE(checkWgmma(op), "");
  op.a = op.b = E::TF32;
  op.d = E::F32;
  op.k = 8;
  op.bMnMajor = true;
  EXPECT_NE(checkWgmma(op), "");
}
