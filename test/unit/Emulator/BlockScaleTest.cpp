//===- BlockScaleTest.cpp - Block-scaled and narrow sparse mma ------------===//
//
// Matrices are scattered over registers by the layouts that the ISA draws for
// each shape, written out here lane by lane, and multiplied by plain loops in
// double. Values and scales are such that every sum is exact in f32.
//
//===----------------------------------------------------------------------===//

#include "TensorCoreModel.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tilec::emu;

namespace {

/// Value of a code of e2m1, from the format's table.
double e2m1(unsigned code) {
  static const double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return code & 8 ? -values[code & 7] : values[code & 7];
}

/// A and B as values; C is zero.
struct Operands {
  std::vector<std::vector<double>> a, b; // [row][k], [column][k]
  LaneWords registersA[4] = {}, registersB[4] = {};
};

void setBits(LaneWords *words, int lane, int bit, uint32_t value) {
  words[bit / 32][lane] |= value << (bit % 32);
}

/// 16 x 64 times 64 x 8 of e2m1: lane t of group g holds of row g (registers 0,
/// 2) and g + 8 (1, 3) the columns 8 t + 0..7, and 32 more (2, 3).
Operands denseNibbles(std::mt19937 &random) {
  Operands o;
  o.a.assign(16, std::vector<double>(64));
  o.b.assign(8, std::vector<double>(64));
  for (int row = 0; row < 16; ++row)
    for (int k = 0; k < 64; ++k) {
      unsigned code = random() % 16;
      o.a[row][k] = e2m1(code);
      int lane = row % 8 * 4 + k % 32 / 8;
      setBits(o.registersA, lane, 32 * (row / 8 + 2 * (k / 32)) + 4 * (k % 8),
              code);
    }
  for (int column = 0; column < 8; ++column)
    for (int k = 0; k < 64; ++k) {
      unsigned code = random() % 16;
      o.b[column][k] = e2m1(code);
      setBits(o.registersB, column * 4 + k % 32 / 8,
              32 * (k / 32) + 4 * (k % 8), code);
    }
  return o;
}

/// The scales of rows of A (or columns of B) and their registers, with bytes of
/// no meaning wherever no scale stands.
struct Scales {
  std::vector<std::vector<double>> values; // [row][vector]
  uint32_t words[warpLanes];
};
Scales makeScales(std::mt19937 &random, const MmaScaling &scaling, bool isA,
                  uint32_t byte, uint32_t thread) {
  Scales s;
  for (uint32_t &word : s.words)
    word = static_cast<uint32_t>(random());
  int rows = isA ? 16 : 8;
  for (int row = 0; row < rows; ++row) {
    int lane =
        isA ? row % 8 * 4 + 2 * int(thread) + row / 8 : row * 4 + int(thread);
    s.values.emplace_back();
    for (int v = 0; v < scaling.vectors; ++v) {
      uint32_t code;
      if (scaling.type == E::UE8M0) {
        code = 125 + random() % 5;
        s.values.back().push_back(std::ldexp(1.0, int(code) - 127));
      } else {
        // 1.5 * 2^e with e from -1 to 2.
        uint32_t exponent = 6 + random() % 4;
        code = exponent << 3 | 4;
        s.values.back().push_back(1.5 * std::ldexp(1.0, int(exponent) - 7));
      }
      uint32_t shift = 8 * (byte + uint32_t(v));
      s.words[lane] = (s.words[lane] & ~(0xffu << shift)) | code << shift;
    }
  }
  return s;
}

/// Compares D with the product of the operands, K elements a row.
void expectProduct(const MmaOp &op, const Operands &o, const Scales &scaleA,
                   const Scales &scaleB, const LaneWords *d) {
  int run = op.k / op.scaling.vectors;
  for (int lane = 0; lane < warpLanes; ++lane)
    for (int i = 0; i < 4; ++i) {
      Place at = c16n8(lane, i);
      double sum = 0;
      for (int k = 0; k < op.k; ++k)
        sum += o.a[at.row][k] * o.b[at.column][k] *
               scaleA.values[at.row][k / run] *
               scaleB.values[at.column][k / run];
      ASSERT_EQ(bitsToF32(d[i][lane]), static_cast<float>(sum))
          << "row " << at.row << " column " << at.column;
    }
}

void runScaled(std::mt19937 &random, const MmaOp &op, const Operands &o,
               const uint32_t *metadata = nullptr) {
  ASSERT_EQ(checkMma(op), "");
  uint32_t step = static_cast<uint32_t>(op.scaling.vectors);
  MmaScales where;
  where.byteA = random() % (4 / step) * step;
  where.byteB = random() % (4 / step) * step;
  where.threadA = random() % 2;
  where.threadB = random() % 4;
  ASSERT_EQ(checkScaleSelector(op.scaling, true, where.byteA, where.threadA),
            "");
  Scales scaleA =
      makeScales(random, op.scaling, true, where.byteA, where.threadA);
  Scales scaleB =
      makeScales(random, op.scaling, false, where.byteB, where.threadB);
  where.a = scaleA.words;
  where.b = scaleB.words;
  LaneWords c[4] = {}, d[4];
  mma(op, o.registersA, o.registersB, c, d, metadata, 0, &where);
  expectProduct(op, o, scaleA, scaleB, d);
}

/// One of the six ways to choose two of four, as two indices of two bits.
uint32_t randomChoice(std::mt19937 &random) {
  static const uint32_t choices[] = {0b0100, 0b1000, 0b1100,
                                     0b1001, 0b1101, 0b1110};
  return choices[random() % 6];
}

} // namespace

TEST(MmaBlockScale, FourBitPairsAndFours) {
  std::mt19937 random(1);
  for (MmaScaling scaling : {MmaScaling{2, E::UE8M0}, MmaScaling{4, E::E4M3}})
    for (int repeat = 0; repeat < 8; ++repeat) {
      MmaOp op;
      op.m = 16, op.n = 8, op.k = 64;
      op.a = op.b = E::E2M1;
      op.scaling = scaling;
      runScaled(random, op, denseNibbles(random));
    }
}

TEST(MmaBlockScale, BytesOfMixedTypes) {
  std::mt19937 random(2);
  for (E type : {E::E4M3, E::E5M2, E::E3M2, E::E2M3, E::E2M1}) {
    MmaOp op;
    op.m = 16, op.n = 8, op.k = 32;
    op.a = type, op.b = E::E4M3;
    op.byteContainers = true;
    op.scaling = {1, E::UE8M0};
    Operands o;
    o.a.assign(16, std::vector<double>(32));
    o.b.assign(8, std::vector<double>(32));
    int shift = type == E::E2M1 ? 2 : 0;
    for (int lane = 0; lane < warpLanes; ++lane) {
      for (int i = 0; i < 16; ++i) {
        Place at = a16n8k32Byte(lane, i);
        int value = smallValue(random, type);
        o.a[at.row][at.column] = value;
        setBits(o.registersA, lane, 8 * i,
                static_cast<uint32_t>(encodeFloat(type, value)) << shift);
      }
      for (int i = 0; i < 8; ++i) {
        Place at = bByte(lane, i);
        int value = smallValue(random, E::E4M3);
        o.b[at.column][at.row] = value;
        setBits(o.registersB, lane, 8 * i,
                static_cast<uint32_t>(encodeFloat(E::E4M3, value)));
      }
    }
    runScaled(random, op, o);
  }
}

TEST(MmaBlockScale, SparseFourBit) {
  // 16 x 128, of which pairs are kept two by four. Lane t of group g holds of
  // row g or g + 8 the two groups of eight columns from 16 t, and 64 further
  // on; the choices of row g + 8 (t % 2), columns 64 (t / 2) to + 63, stand in
  // its register of metadata.
  std::mt19937 random(3);
  for (MmaScaling scaling : {MmaScaling{2, E::UE8M0}, MmaScaling{4, E::E4M3}}) {
    MmaOp op;
    op.m = 16, op.n = 8, op.k = 128;
    op.a = op.b = E::E2M1;
    op.sparse = op.orderedMetadata = true;
    op.scaling = scaling;
    Operands o;
    o.a.assign(16, std::vector<double>(128));
    o.b.assign(8, std::vector<double>(128));
    uint32_t metadata[warpLanes] = {};
    for (int row = 0; row < 16; ++row)
      for (int group = 0; group < 16; ++group) {
        uint32_t choice = randomChoice(random);
        metadata[row % 8 * 4 + row / 8 + 2 * (group / 8)] |=
            choice << (4 * (group % 8));
        for (int slot = 0; slot < 4; ++slot) {
          unsigned code = random() % 16;
          int pair = static_cast<int>(choice >> (2 * (slot / 2)) & 3);
          o.a[row][8 * group + 2 * pair + slot % 2] = e2m1(code);
          setBits(o.registersA, row % 8 * 4 + group % 8 / 2,
                  32 * (row / 8 + 2 * (group / 8)) + 16 * (group % 2) +
                      4 * slot,
                  code);
        }
      }
    for (int column = 0; column < 8; ++column)
      for (int k = 0; k < 128; ++k) {
        unsigned code = random() % 16;
        o.b[column][k] = e2m1(code);
        setBits(o.registersB, column * 4 + k % 32 / 8,
                32 * (k / 32) + 4 * (k % 8), code);
      }
    runScaled(random, op, o, metadata);
  }
}

TEST(MmaSparse, NarrowTypesInBytesChooseBytes) {
  // 16 x 64: lane t of group g holds of row g or g + 8 the two groups of four
  // columns from 8 t, and 32 further on; its metadata is of row g + 8 (t % 2),
  // columns 32 (t / 2) to + 31.
  std::mt19937 random(4);
  for (E type : {E::E2M1, E::E3M2, E::E5M2}) {
    MmaOp op;
    op.m = 16, op.n = 8, op.k = 64;
    op.a = type, op.b = E::E4M3;
    op.sparse = op.orderedMetadata = op.byteContainers = true;
    ASSERT_EQ(checkMma(op), "");
    Operands o;
    o.a.assign(16, std::vector<double>(64));
    o.b.assign(8, std::vector<double>(64));
    uint32_t metadata[warpLanes] = {};
    int shift = type == E::E2M1 ? 2 : 0;
    for (int row = 0; row < 16; ++row)
      for (int group = 0; group < 16; ++group) {
        uint32_t choice = randomChoice(random);
        metadata[row % 8 * 4 + row / 8 + 2 * (group / 8)] |=
            choice << (4 * (group % 8));
        for (int slot = 0; slot < 2; ++slot) {
          int value = smallValue(random, type);
          o.a[row][4 * group + static_cast<int>(choice >> (2 * slot) & 3)] =
              value;
          setBits(o.registersA, row % 8 * 4 + group % 8 / 2,
                  32 * (row / 8 + 2 * (group / 8)) + 16 * (group % 2) +
                      8 * slot,
                  static_cast<uint32_t>(encodeFloat(type, value)) << shift);
        }
      }
    for (int column = 0; column < 8; ++column)
      for (int k = 0; k < 64; ++k) {
        int value = smallValue(random, E::E4M3);
        o.b[column][k] = value;
        setBits(o.registersB, column * 4 + k % 16 / 4,
                32 * (k / 16) + 8 * (k % 4),
                static_cast<uint32_t>(encodeFloat(E::E4M3, value)));
      }
    LaneWords c[4] = {}, d[4];
    mma(op, o.registersA, o.registersB, c, d, metadata, 0);
    op.scaling.vectors = 1;
    Scales one;
    one.values.assign(16, {1});
    expectProduct(op, o, one, one, d);
  }
}

TEST(MmaBlockScale, ScalesThatAreNoNumbers) {
  // 0xff of ue8m0 and 0x7f of ue4m3 are NaN; the sign of ue4m3 is not read.
  for (auto [scaling, code] : {std::pair{MmaScaling{2, E::UE8M0}, 0xffu},
                               std::pair{MmaScaling{4, E::E4M3}, 0x7fu},
                               std::pair{MmaScaling{4, E::E4M3}, 0xffu}}) {
    std::mt19937 random(5);
    MmaOp op;
    op.m = 16, op.n = 8, op.k = 64;
    op.a = op.b = E::E2M1;
    op.scaling = scaling;
    Operands o = denseNibbles(random);
    uint32_t scalesA[warpLanes], scalesB[warpLanes];
    uint32_t ones = scaling.type == E::UE8M0 ? 0x7f7f7f7f : 0x38383838;
    std::fill_n(scalesA, warpLanes, ones);
    std::fill_n(scalesB, warpLanes, ones);
    scalesA[4 * 3 + 1] = code * 0x01010101u; // row 11
    MmaScales scales{scalesA, scalesB, 0, 0, 0, 0};
    LaneWords c[4] = {}, d[4];
    mma(op, o.registersA, o.registersB, c, d, nullptr, 0, &scales);
    for (int lane = 0; lane < warpLanes; ++lane)
      for (int i = 0; i < 4; ++i)
        EXPECT_EQ(std::isnan(bitsToF32(d[i][lane])), c16n8(lane, i).row == 11);
  }
}

TEST(MmaBlockScale, RefusesSelectorsOutOfRange) {
  EXPECT_EQ(checkScaleSelector({1, E::UE8M0}, true, 3, 1), "");
  EXPECT_NE(checkScaleSelector({1, E::UE8M0}, true, 0, 2), "");
  EXPECT_EQ(checkScaleSelector({1, E::UE8M0}, false, 0, 3), "");
  EXPECT_NE(checkScaleSelector({2, E::UE8M0}, true, 1, 0), "");
  EXPECT_NE(checkScaleSelector({4, E::E4M3}, false, 2, 0), "");
  EXPECT_NE(checkScaleSelector({1, E::UE8M0}, false, 4, 0), "");
}

TEST(Mma, DoublesRoundAsAsked) {
  // 1 + 2^-60 and -1 - 2^-60: only directed rounding sees the small term.
  MmaOp op;
  op.m = 8, op.n = 8, op.k = 4;
  op.a = op.b = op.c = op.d = E::F64;
  LaneDoubles a[1], b[1], c[2], d[2];
  for (int lane = 0; lane < warpLanes; ++lane) {
    double sign = lane / 4 % 2 ? -1 : 1; // of the row
    a[0][lane] = f64ToBits(lane % 4 == 0 ? sign * 0x1p-60 : 0.0);
    b[0][lane] = f64ToBits(lane % 4 == 0 ? 1.0 : 0.0);
    c[0][lane] = c[1][lane] = f64ToBits(sign);
  }
  auto first = [&](Rounding rounding, int lane) {
    op.rounding = rounding;
    mmaF64(op, a, b, c, d);
    return bitsToF64(d[0][lane]);
  };
  EXPECT_EQ(first(Rounding::NearestEven, 0), 1.0);
  EXPECT_EQ(first(Rounding::Up, 0), 1 + 0x1p-52);
  EXPECT_EQ(first(Rounding::Down, 4), -1 - 0x1p-52);
  EXPECT_EQ(first(Rounding::TowardZero, 4), -1.0);
}
