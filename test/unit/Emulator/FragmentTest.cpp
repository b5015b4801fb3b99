//===- FragmentTest.cpp - ldmatrix, stmatrix, movmatrix and wmma ----------===//
//
// The figures of the PTX ISA as numbers, inverses, and wmma against plain
// loops.
//
//===----------------------------------------------------------------------===//

#include "TensorCoreModel.h"

#include <gtest/gtest.h>

#include <set>

using namespace tilec::emu;

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix, movmatrix
//===----------------------------------------------------------------------===//

// Figure of the ISA: thread 0 holds row 0 elements 0 and 1, thread 1 elements 2
// and 3, thread 4 row 1 elements 0 and 1.
TEST(Ldmatrix, DistributesRowsAndColumns) {
  uint8_t rows[32][16];
  for (int row = 0; row < 32; ++row)
    for (int column = 0; column < 8; ++column) {
      uint16_t value = static_cast<uint16_t>(row * 16 + column);
      std::memcpy(&rows[row][2 * column], &value, 2);
    }
  LaneWords d[4];
  LdmatrixOp op;
  op.count = 4;
  ASSERT_EQ(checkLdmatrix(op), "");
  EXPECT_EQ(ldmatrixRowCount(op), 32);
  EXPECT_EQ(ldmatrixRegisterCount(op), 4);
  ldmatrix(op, rows, d);
  EXPECT_EQ(d[0][0], 0x00010000u);
  EXPECT_EQ(d[0][1], 0x00030002u);
  EXPECT_EQ(d[0][4], 0x00110010u);
  EXPECT_EQ(d[0][31], 0x00770076u);
  EXPECT_EQ(d[2][0], 0x01010100u); // row 16
  EXPECT_EQ(d[3][31], 0x01f701f6u);
  op.transpose = true;
  ldmatrix(op, rows, d);
  EXPECT_EQ(d[0][0], 0x00100000u); // rows 0 and 1 of column 0
  EXPECT_EQ(d[0][1], 0x00300020u);
  EXPECT_EQ(d[0][4], 0x00110001u);
  EXPECT_EQ(d[1][0], 0x00900080u);
}

TEST(Ldmatrix, ByteForms) {
  uint8_t rows[32][16];
  for (int row = 0; row < 32; ++row)
    for (int column = 0; column < 16; ++column)
      rows[row][column] = static_cast<uint8_t>(row * 16 + column);
  LaneWords d[4];
  LdmatrixOp op{LdmatrixShape::M16N16, LdmatrixSource::B8, 1, true};
  ASSERT_EQ(checkLdmatrix(op), "");
  ldmatrix(op, rows, d);
  // Lane 5: group 1, thread 1: rows 4 to 7 of columns 1 and 9.
  EXPECT_EQ(d[0][5], 0x59495141u);
  EXPECT_EQ(d[1][5], 0x79697161u);
  op = {LdmatrixShape::M8N16, LdmatrixSource::B4x16P64, 1, false};
  ASSERT_EQ(checkLdmatrix(op), "");
  for (int column = 0; column < 8; ++column)
    rows[0][column] = static_cast<uint8_t>(0x10 + 0x22 * column);
  ldmatrix(op, rows, d);
  EXPECT_EQ(d[0][0], 0x0c080400u); // 0, 1, 2, 3 at bits 5:2
  op.source = LdmatrixSource::B6x16P32;
  for (int i = 0; i < 16; ++i)
    rows[0][i] = 0;
  rows[0][0] = 0x41; // elements 1, 1, 2, low bits first
  rows[0][1] = 0x20;
  ldmatrix(op, rows, d);
  EXPECT_EQ(d[0][0] & 0x3f, 1u);
  EXPECT_EQ((d[0][0] >> 8) & 0x3f, 1u);
  EXPECT_EQ((d[0][0] >> 16) & 0x3f, 2u);
  op.count = 3;
  EXPECT_NE(checkLdmatrix(op), "");
}

TEST(Stmatrix, IsTheInverseOfLdmatrix) {
  std::mt19937 random(5);
  for (int count : {1, 2, 4})
    for (bool transpose : {false, true}) {
      LaneWords words[4], back[4];
      for (auto &word : words)
        for (uint32_t &lane : word)
          lane = random();
      uint8_t rows[32][16];
      stmatrix({false, count, transpose}, words, rows);
      ldmatrix({LdmatrixShape::M8N8, LdmatrixSource::B16, count, transpose},
               rows, back);
      EXPECT_EQ(std::memcmp(words, back, sizeof(LaneWords) * count), 0);
    }
  LaneWords word;
  for (int lane = 0; lane < warpLanes; ++lane)
    word[lane] = lane;
  uint8_t rows[8][16];
  stmatrix({true, 1, true}, &word, rows);
  EXPECT_EQ(rows[2][1], 5u); // lane 5, byte 0: row 2 * 1, byte 1
  EXPECT_EQ(rows[6][7], 31u);
  EXPECT_NE(checkStmatrix({true, 1, false}), "");
}

TEST(Movmatrix, Transposes) {
  LaneWords a, d;
  for (int lane = 0; lane < warpLanes; ++lane) {
    uint32_t base = (lane / 4) * 8 + lane % 4 * 2;
    a[lane] = base | (base + 1) << 16;
  }
  movmatrix(a, d);
  for (int lane = 0; lane < warpLanes; ++lane) {
    uint32_t row = lane % 4 * 2, column = lane / 4;
    EXPECT_EQ(d[lane], (row * 8 + column) | ((row + 1) * 8 + column) << 16);
  }
}

//===----------------------------------------------------------------------===//
// wmma
//===----------------------------------------------------------------------===//

namespace {

struct WmmaCase {
  int m, n, k;
  E operand, result;
  int registersA, registersB, registersC; // from the ISA's table
};
const WmmaCase kWmmaCases[] = {
    {16, 16, 16, E::F16, E::F32, 8, 8, 8},
    {16, 16, 16, E::F16, E::F16, 8, 8, 4},
    {8, 32, 16, E::F16, E::F32, 8, 8, 8},
    {32, 8, 16, E::F16, E::F16, 8, 8, 4},
    {16, 16, 16, E::BF16, E::F32, 4, 4, 8},
    {8, 32, 16, E::BF16, E::F32, 2, 8, 8},
    {32, 8, 16, E::BF16, E::F32, 8, 2, 8},
    {16, 16, 8, E::TF32, E::F32, 4, 4, 8},
    {16, 16, 16, E::S8, E::S32, 2, 2, 8},
    {8, 32, 16, E::U8, E::S32, 1, 4, 8},
    {32, 8, 16, E::S8, E::S32, 4, 1, 8},
    {8, 8, 32, E::S4, E::S32, 1, 1, 2},
    {8, 8, 128, E::B1, E::S32, 1, 1, 2},
};

} // namespace

TEST(Wmma, EveryShapeAgreesWithPlainLoops) {
  std::mt19937 random(6);
  for (const WmmaCase &shape : kWmmaCases) {
    WmmaOp op;
    op.m = shape.m, op.n = shape.n, op.k = shape.k;
    op.a = op.b = shape.operand;
    op.c = op.d = shape.result;
    op.bitOperation = BitOperation::And;
    ASSERT_EQ(checkWmma(op), "");
    auto fragment = [&](WmmaRole role, E type) {
      return WmmaFragment{role, type, shape.m, shape.n, shape.k};
    };
    WmmaFragment fragments[] = {fragment(WmmaRole::A, shape.operand),
                                fragment(WmmaRole::B, shape.operand),
                                fragment(WmmaRole::C, shape.result)};
    EXPECT_EQ(wmmaRegisterCount(fragments[0]), shape.registersA);
    EXPECT_EQ(wmmaRegisterCount(fragments[1]), shape.registersB);
    EXPECT_EQ(wmmaRegisterCount(fragments[2]), shape.registersC);
    Matrix matrices[] = {randomMatrix(random, shape.m, shape.k, shape.operand),
                         randomMatrix(random, shape.k, shape.n, shape.operand),
                         randomMatrix(random, shape.m, shape.n, shape.result)};
    LaneWords words[3][8] = {}, d[8];
    for (int i = 0; i < 3; ++i) {
      int width = bitWidth(fragments[i].type), perWord = 32 / width;
      std::set<std::pair<int, int>> covered;
      for (int lane = 0; lane < warpLanes; ++lane)
        for (int e = 0; e < wmmaRegisterCount(fragments[i]) * perWord; ++e) {
          MatrixIndex at = wmmaIndex(fragments[i], lane, e);
          covered.insert({at.row, at.column});
          words[i][e / perWord][lane] |=
              static_cast<uint32_t>(
                  encode(fragments[i].type, matrices[i][at.row][at.column]))
              << (width * (e % perWord));
        }
      EXPECT_EQ(covered.size(), matrices[i].size() * matrices[i][0].size());
    }
    wmmaMma(op, words[0], words[1], words[2], d);
    Matrix expected =
        product({shape.m, shape.n, shape.k, shape.operand, shape.operand,
                 shape.result, nullptr, nullptr, nullptr},
                matrices[0], matrices[1], matrices[2], BitOperation::And);
    for (int lane = 0; lane < warpLanes; ++lane)
      for (int i = 0; i < shape.m * shape.n / warpLanes; ++i) {
        MatrixIndex at = wmmaIndex(fragments[2], lane, i);
        ASSERT_EQ(decodeResult(shape.result, d, lane, i),
                  expected[at.row][at.column])
            << nameOf(shape.operand) << " m" << shape.m;
      }
  }
}

TEST(Wmma, DoublePrecision) {
  WmmaOp op;
  op.m = op.n = 8, op.k = 4;
  op.a = op.b = op.c = op.d = E::F64;
  ASSERT_EQ(checkWmma(op), "");
  LaneDoubles a[1], b[1], c[2], d[2];
  for (int lane = 0; lane < warpLanes; ++lane) {
    a[0][lane] = f64ToBits(2.0);
    b[0][lane] = f64ToBits(3.0);
    c[0][lane] = c[1][lane] = f64ToBits(1.0);
  }
  wmmaMmaF64(op, a, b, c, d);
  EXPECT_EQ(bitsToF64(d[1][13]), 25.0);
  op.k = 8;
  EXPECT_NE(checkWmma(op), "");
}
