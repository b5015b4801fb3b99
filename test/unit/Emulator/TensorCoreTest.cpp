//===- TensorCoreTest.cpp - mma.sync and mma.sp against plain loops -------===//
//
// Matrices of small random integers are scattered into registers by the
// formulas of the PTX ISA, multiplied, and compared with three nested loops.
//
//===----------------------------------------------------------------------===//

#include "TensorCoreModel.h"

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>

using namespace tilec::emu;

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

TEST(Mma, EveryShapeAgreesWithPlainLoops) {
  std::mt19937 random(1);
  for (const Shape &shape : kShapes)
    for (BitOperation operation : {BitOperation::Xor, BitOperation::And}) {
      MmaOp op = makeOp(shape);
      op.bitOperation = operation;
      ASSERT_EQ(checkMma(op), "");
      Matrix a = randomMatrix(random, shape.m, shape.k, shape.a);
      Matrix b = randomMatrix(random, shape.k, shape.n, shape.b);
      Matrix c = randomMatrix(random, shape.m, shape.n, shape.c);
      MmaRegisterCounts counts = mmaRegisterCounts(op);
      LaneWords words[3][8], d[8];
      scatter(a, shape.a, shape.layoutA, counts.a, words[0]);
      scatter(b, shape.b, shape.layoutB, counts.b, words[1]);
      scatter(c, shape.c, shape.layoutC, counts.c, words[2]);
      mma(op, words[0], words[1], words[2], d);
      Matrix expected = product(shape, a, b, c, operation);
      for (int lane = 0; lane < warpLanes; ++lane)
        for (int i = 0; i < shape.m * shape.n / warpLanes; ++i) {
          Place at = shape.layoutC(lane, i);
          ASSERT_EQ(decodeResult(shape.c, d, lane, i),
                    expected[at.row][at.column])
              << "m" << shape.m << "n" << shape.n << "k" << shape.k << " "
              << nameOf(shape.a) << " lane " << lane << " element " << i;
        }
      // In place: D over C.
      mma(op, words[0], words[1], words[2], words[2]);
      ASSERT_EQ(std::memcmp(words[2], d, sizeof(LaneWords) * counts.d), 0);
    }
}

TEST(Mma, IndexFunctionsAgreeWithTheIsa) {
  for (const Shape &shape : kShapes) {
    MmaOp op = makeOp(shape);
    MmaRegisterCounts counts = mmaRegisterCounts(op);
    auto compare = [&](auto indexOf, Layout layout, int registers, E type) {
      for (int lane = 0; lane < warpLanes; ++lane)
        for (int i = 0; i < registers * (32 / bitWidth(type)); ++i) {
          MatrixIndex index = indexOf(op, lane, i);
          Place at = layout(lane, i);
          ASSERT_EQ(index.row, at.row);
          ASSERT_EQ(index.column, at.column);
        }
    };
    compare(mmaIndexA, shape.layoutA, counts.a, shape.a);
    compare(mmaIndexB, shape.layoutB, counts.b, shape.b);
    compare(mmaIndexC, shape.layoutC, counts.c, shape.c);
  }
}

TEST(Mma, DoublePrecisionShapes) {
  struct {
    int m, k;
    Layout a;
  } const shapes[] = {{8, 4, a8n8k4Double},
                      {16, 4, a16n8k16Double},
                      {16, 8, a16n8k16Double},
                      {16, 16, a16n8k16Double}};
  std::mt19937 random(2);
  for (auto shape : shapes) {
    MmaOp op;
    op.m = shape.m, op.n = 8, op.k = shape.k;
    op.a = op.b = op.c = op.d = E::F64;
    ASSERT_EQ(checkMma(op), "");
    Layout layoutC = shape.m == 8 ? c8n8 : c16n8;
    Matrix a = randomMatrix(random, shape.m, shape.k, E::F64);
    Matrix b = randomMatrix(random, shape.k, 8, E::F64);
    Matrix c = randomMatrix(random, shape.m, 8, E::F64);
    LaneDoubles left[8], right[4], sums[4], d[4];
    MmaRegisterCounts counts = mmaRegisterCounts(op);
    auto place = [&](const Matrix &matrix, Layout layout, int count,
                     LaneDoubles *values) {
      for (int lane = 0; lane < warpLanes; ++lane)
        for (int i = 0; i < count; ++i) {
          Place at = layout(lane, i);
          values[i][lane] = f64ToBits(matrix[at.row][at.column]);
        }
    };
    place(a, shape.a, counts.a, left);
    place(b, bDouble, counts.b, right);
    place(c, layoutC, counts.c, sums);
    mmaF64(op, left, right, sums, d);
    Matrix expected = product({shape.m, 8, shape.k, E::F64, E::F64, E::F64,
                               nullptr, nullptr, nullptr},
                              a, b, c, BitOperation::And);
    for (int lane = 0; lane < warpLanes; ++lane)
      for (int i = 0; i < counts.d; ++i) {
        Place at = layoutC(lane, i);
        ASSERT_EQ(bitsToF64(d[i][lane]), expected[at.row][at.column]);
      }
  }
}

// m8n8k4 of f16: four products, each over two quads of lanes.
TEST(Mma, LegacyQuadPairs) {
  std::mt19937 random(3);
  for (bool aColumn : {false, true})
    for (bool bRow : {false, true})
      for (E type : {E::F16, E::F32}) {
        MmaOp op;
        op.m = op.n = 8, op.k = 4;
        op.c = op.d = type;
        op.aColumnMajor = aColumn;
        op.bRowMajor = bRow;
        ASSERT_EQ(checkMma(op), "");
        Matrix a[4], b[4], c[4];
        LaneWords left[2] = {}, right[2] = {}, sums[8] = {}, d[8];
        auto high = [](int lane) { return lane < 16 ? 0 : 4; };
        auto placeC = [&](int lane, int i) -> Place {
          if (type == E::F16)
            return {lane % 4 + high(lane), i};
          return {(lane & 1) + (i & 2) + high(lane),
                  (i & 4) + (lane & 2) + (i & 1)};
        };
        for (int q = 0; q < 4; ++q) {
          a[q] = randomMatrix(random, 8, 4, E::F16);
          b[q] = randomMatrix(random, 4, 8, E::F16);
          c[q] = randomMatrix(random, 8, 8, E::F16);
        }
        for (int lane = 0; lane < warpLanes; ++lane) {
          int q = lane % 16 / 4;
          auto put = [&](LaneWords *words, int i, int value) {
            words[i / 2][lane] |= static_cast<uint32_t>(encode(E::F16, value))
                                  << (16 * (i % 2));
          };
          for (int i = 0; i < 4; ++i) {
            put(left, i,
                aColumn ? a[q][i % 4 + high(lane)][lane % 4]
                        : a[q][lane % 4 + high(lane)][i]);
            put(right, i,
                bRow ? b[q][lane % 4][i + high(lane)]
                     : b[q][i][lane % 4 + high(lane)]);
          }
          for (int i = 0; i < 8; ++i) {
            Place at = placeC(lane, i);
            if (type == E::F16)
              put(sums, i, c[q][at.row][at.column]);
            else
              sums[i][lane] = static_cast<uint32_t>(
                  encode(E::F32, c[q][at.row][at.column]));
          }
        }
        mma(op, left, right, sums, d);
        for (int lane = 0; lane < warpLanes; ++lane)
          for (int i = 0; i < 8; ++i) {
            int q = lane % 16 / 4;
            Place at = placeC(lane, i);
            int expected = c[q][at.row][at.column];
            for (int k = 0; k < 4; ++k)
              expected += a[q][at.row][k] * b[q][k][at.column];
            ASSERT_EQ(decodeResult(type, d, lane, i), expected);
          }
      }
}

TEST(Mma, IntegerSumsWrapOrSaturate) {
  MmaOp op = makeOp(kShapes[11]); // m16n8k16 s8, u8
  LaneWords a[2], b[1], c[4], d[4];
  for (int lane = 0; lane < warpLanes; ++lane) {
    a[0][lane] = a[1][lane] = 0x7f7f7f7f; // 127
    b[0][lane] = 0xffffffff;              // 255
    for (auto &word : c)
      word[lane] = 0x7fffffff;
  }
  mma(op, a, b, c, d);
  EXPECT_EQ(d[0][0], 0x7fffffffu + 16 * 127 * 255);
  op.saturateFinite = true;
  mma(op, a, b, c, d);
  EXPECT_EQ(d[3][31], 0x7fffffffu);
  for (int lane = 0; lane < warpLanes; ++lane) {
    a[0][lane] = a[1][lane] = 0x80808080; // -128
    for (auto &word : c)
      word[lane] = 0x80000000;
  }
  mma(op, a, b, c, d);
  EXPECT_EQ(d[0][0], 0x80000000u);
}

// Sums are taken in f32 with k ascending, starting from C.
TEST(Mma, SumsInDocumentedOrder) {
  MmaOp op = makeOp(kShapes[3]);
  LaneWords a[4] = {}, b[2] = {}, c[4] = {}, d[4];
  auto setA = [&](int k, double value) {
    int i = k % 2 + (k >= 8 ? 4 : 0), lane = k % 8 / 2; // row 0
    a[i / 2][lane] |= static_cast<uint32_t>(encodeFloat(E::F16, value))
                      << (16 * (i % 2));
  };
  for (auto &word : b)
    for (uint32_t &lane : word)
      lane = 0x3c003c00; // ones
  // 2^24 + 1 rounds back to 2^24 each time; 1 + 1 first would not.
  c[0][0] = f32ToBits(0x1p24f);
  setA(0, 1.0);
  setA(9, 1.0);
  mma(op, a, b, c, d);
  EXPECT_EQ(bitsToF32(d[0][0]), 0x1p24f);
  c[0][0] = 0;
  mma(op, a, b, c, d);
  EXPECT_EQ(bitsToF32(d[0][0]), 2.0f);
}

TEST(Mma, Tf32IgnoresTheLowBits) {
  MmaOp op = makeOp(kShapes[7]);
  LaneWords a[4], b[2], c[4] = {}, d[4];
  for (int lane = 0; lane < warpLanes; ++lane) {
    for (auto &word : a)
      word[lane] = 0x3f801fff; // 1.0 and 13 bits of noise
    for (auto &word : b)
      word[lane] = 0x40001fff;
  }
  mma(op, a, b, c, d);
  EXPECT_EQ(bitsToF32(d[0][0]), 16.0f);
}

TEST(Mma, NarrowFloatsInBytes) {
  MmaOp op;
  op.m = 16, op.n = 8, op.k = 32;
  op.a = E::E2M1, op.b = E::E3M2;
  op.byteContainers = true;
  ASSERT_EQ(checkMma(op), "");
  EXPECT_EQ(mmaRegisterCounts(op).a, 4);
  LaneWords a[4], b[2], c[4] = {}, d[4];
  uint32_t three = encodeFloat(E::E2M1, 3.0) << 2; // bits 5:2
  uint32_t half = encodeFloat(E::E3M2, 0.5);
  for (int lane = 0; lane < warpLanes; ++lane) {
    for (auto &word : a)
      word[lane] = three * 0x01010101u;
    for (auto &word : b)
      word[lane] = half * 0x01010101u;
  }
  mma(op, a, b, c, d);
  EXPECT_EQ(bitsToF32(d[2][7]), 48.0f);
}

TEST(Mma, RefusesWhatDoesNotExist) {
  MmaOp op;
  op.m = 16, op.n = 8, op.k = 32;
  EXPECT_EQ(checkMma(op), "mma.m16n8k32.f32.f16.f16.f32 has no such shape for "
                          "its types");
  op.k = 16;
  op.b = E::BF16;
  EXPECT_EQ(checkMma(op), "mma.m16n8k16.f32.f16.bf16.f32 has no such "
                          "combination of types");
  op.b = E::F16;
  op.aColumnMajor = true;
  EXPECT_NE(checkMma(op), "");
  op.aColumnMajor = false;
  op.saturateFinite = true;
  EXPECT_NE(checkMma(op), "");
  op.saturateFinite = false;
  op.c = E::F16;
  EXPECT_NE(checkMma(op), "");
}

//===----------------------------------------------------------------------===//
// mma.sp
//===----------------------------------------------------------------------===//

namespace {

struct SparseShape {
  int k;
  E a, c;
  Layout stored; // of the K / 2 stored columns
  Layout b;
};

Place bHalfLong(int lane, int i) {
  return {inGroup(lane) * 2 + (i & 1) + 8 * (i / 2), groupOf(lane)};
}
Place bByteLong(int lane, int i) {
  return {inGroup(lane) * 4 + (i & 3) + 16 * (i / 4), groupOf(lane)};
}
Place bWordLong(int lane, int i) {
  return {inGroup(lane) + 4 * i, groupOf(lane)};
}

const SparseShape kSparseShapes[] = {
    {16, E::F16, E::F32, a16n8k8Half, bHalfLong},
    {32, E::F16, E::F32, a16n8k16Half, bHalfLong},
    {32, E::BF16, E::F32, a16n8k16Half, bHalfLong},
    {32, E::S8, E::S32, a16n8k16Byte, bByteLong},
    {64, E::S8, E::S32, a16n8k32Byte, bByteLong},
    {64, E::E4M3, E::F32, a16n8k32Byte, bByteLong},
};

} // namespace

// Metadata words as the ISA places them: 16 bits of rows g and g + 8 a thread
// for 16-bit elements, 32 bits of one row a thread for 8-bit ones.
TEST(MmaSparse, AgreesWithDenseLoops) {
  std::mt19937 random(4);
  for (const SparseShape &shape : kSparseShapes)
    for (uint32_t selector = 0; selector < 2; ++selector) {
      bool bytes = bitWidth(shape.a) == 8;
      if (shape.k == 64 && selector != 0)
        continue;
      MmaOp op;
      op.m = 16, op.n = 8, op.k = shape.k;
      op.a = op.b = shape.a;
      op.c = op.d = shape.c;
      op.sparse = true;
      ASSERT_EQ(checkMma(op), "");
      Matrix stored = randomMatrix(random, 16, shape.k / 2, shape.a);
      Matrix dense(16, std::vector<int>(shape.k, 0));
      uint32_t metadata[warpLanes] = {};
      for (int row = 0; row < 16; ++row)
        for (int chunk = 0; chunk < shape.k / 4; ++chunk) {
          int first = static_cast<int>(random() % 3);
          int second = first + 1 + static_cast<int>(random() % (3 - first));
          dense[row][4 * chunk + first] = stored[row][2 * chunk];
          dense[row][4 * chunk + second] = stored[row][2 * chunk + 1];
          uint32_t nibble = first | second << 2;
          int g = row % 8, low = row < 8;
          int lane, bit;
          if (!bytes) {
            int threads = shape.k / 16;
            lane = 4 * g + threads * static_cast<int>(selector) + chunk / 4;
            bit = (low ? 0 : 16) + 4 * (chunk % 4);
          } else if (shape.k == 32) {
            lane = 4 * g + 2 * static_cast<int>(selector) + !low;
            bit = 4 * chunk;
          } else {
            lane = 4 * g + 2 * (chunk / 8) + !low;
            bit = 4 * (chunk % 8);
          }
          metadata[lane] |= nibble << bit;
        }
      Matrix b = randomMatrix(random, shape.k, 8, shape.a);
      Matrix c = randomMatrix(random, 16, 8, shape.c);
      LaneWords words[3][8], d[4];
      MmaRegisterCounts counts = mmaRegisterCounts(op);
      scatter(stored, shape.a, shape.stored, counts.a, words[0]);
      scatter(b, shape.a, shape.b, counts.b, words[1]);
      scatter(c, shape.c, c16n8, counts.c, words[2]);
      mma(op, words[0], words[1], words[2], d, metadata, selector);
      Matrix expected = product({16, 8, shape.k, shape.a, shape.a, shape.c,
                                 nullptr, nullptr, nullptr},
                                dense, b, c, BitOperation::And);
      for (int lane = 0; lane < warpLanes; ++lane)
        for (int i = 0; i < 4; ++i) {
          Place at = c16n8(lane, i);
          ASSERT_EQ(decodeResult(shape.c, d, lane, i),
                    expected[at.row][at.column])
              << nameOf(shape.a) << " k" << shape.k << " lane " << lane;
        }
    }
}

// tf32: 1 of 2, named 0b0100 (first) or 0b1110 (second).
TEST(MmaSparse, Tf32KeepsOneOfTwo) {
  MmaOp op;
  op.m = 16, op.n = 8, op.k = 8;
  op.a = op.b = E::TF32;
  op.sparse = true;
  ASSERT_EQ(checkMma(op), "");
  LaneWords a[2], b[2], c[4] = {}, d[4];
  uint32_t metadata[warpLanes];
  for (int lane = 0; lane < warpLanes; ++lane) {
    a[0][lane] = a[1][lane] = f32ToBits(1.0f);
    for (int i = 0; i < 2; ++i) { // B[k][n] = k
      Place at = bWordLong(lane, i);
      b[i][lane] = f32ToBits(static_cast<float>(at.row));
    }
    metadata[lane] = 0xeeee4444; // rows g: first; rows g + 8: second
  }
  mma(op, a, b, c, d, metadata, 0);
  EXPECT_EQ(bitsToF32(d[0][0]), 0.0f + 2 + 4 + 6);
  EXPECT_EQ(bitsToF32(d[2][0]), 1.0f + 3 + 5 + 7);
}

// Two positions of a group differ; `.sp::ordered_metadata` has the lower one first.
// Only the lanes that the selector names count.
TEST(MmaSparse, MetadataIsChecked) {
  MmaOp op;
  op.m = 16, op.n = 8, op.k = 32;
  op.a = op.b = E::F16;
  op.sparse = true;
  uint32_t metadata[warpLanes];
  auto check = [&](uint32_t word, uint32_t lane, uint32_t selector) {
    std::fill_n(metadata, warpLanes, 0x4444e9d8u);
    metadata[lane] = word;
    return checkMetadata(op, metadata, selector);
  };
  EXPECT_EQ(check(0x4444e9d8, 0, 0), "");
  EXPECT_EQ(check(0x4644e9d8, 4 * 3 + 1, 0), ""); // 2, then 1
  EXPECT_EQ(
      check(0x4544e9d8, 4 * 3 + 1, 0),
      "the metadata of row 11, columns 24 to 27, is 5: positions 1 and 1");
  EXPECT_EQ(check(0x4544e9d8, 4 * 3 + 1, 1), "");
  EXPECT_NE(check(0x4544e9d8, 4 * 3 + 2, 1), "");
  op.orderedMetadata = true;
  EXPECT_EQ(check(0x4444e9d8, 0, 0), "");
  EXPECT_EQ(check(0x4644e9d8, 4 * 3, 0),
            "the metadata of row 11, columns 8 to 11, is 6: positions 2 and 1");
  op.a = op.b = E::TF32;
  op.k = 8;
  EXPECT_EQ(check(0x4444e9d8, 0, 0),
            "the metadata of row 0, columns 0 to 1, is 8: positions 0 and 2");
}

//===----------------------------------------------------------------------===//
// Speed
//===----------------------------------------------------------------------===//

// Printed, not asserted: timings on shared machines vary.
TEST(Mma, SpeedOfTheCommonShape) {
  MmaOp op = makeOp(kShapes[3]);
  std::mt19937 random(12);
  LaneWords a[4], b[2], c[4] = {};
  for (auto &word : a)
    for (uint32_t &lane : word)
      lane = 0x3c003c00 + (random() & 0xff);
  for (auto &word : b)
    for (uint32_t &lane : word)
      lane = 0x2c002c00 + (random() & 0xff);
  auto begin = std::chrono::steady_clock::now();
  constexpr int kRounds = 20'000;
  for (int i = 0; i < kRounds; ++i)
    mma(op, a, b, c, c);
  std::chrono::duration<double, std::nano> time =
      std::chrono::steady_clock::now() - begin;
  std::cout << "m16n8k16 f16: " << time.count() / kRounds << " ns\n";
  EXPECT_GT(bitsToF32(c[0][0]), 0.0f);
}
