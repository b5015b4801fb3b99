//===- TensorCoreTest.cpp - Matrix instructions against plain loops -------===//
//
// The fragment layouts below are written out shape by shape from the formulas
// of the PTX ISA ("row = groupID for ai where ..."), not from the one rule the
// library uses. Matrices of small random integers are scattered into registers
// by them, multiplied, and compared with three nested loops.
//
//===----------------------------------------------------------------------===//

#include "tile/Emulator/TensorCore.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstring>
#include <iostream>
#include <random>
#include <set>

using namespace tilec::emu;

namespace {

using E = ElementType;

struct Place {
  int row, column;
};
using Layout = Place (*)(int lane, int i);

// groupID and threadID_in_group of the ISA.
int groupOf(int lane) { return lane >> 2; }
int inGroup(int lane) { return lane % 4; }

// --- Multiplicand A ----------------------------------------------------------

Place a16n8k8Half(int lane, int i) {
  return {i < 2 ? groupOf(lane) : groupOf(lane) + 8,
          inGroup(lane) * 2 + (i & 1)};
}
Place a16n8k16Half(int lane, int i) {
  bool upper = (0 <= i && i < 2) || (4 <= i && i < 6);
  return {upper ? groupOf(lane) : groupOf(lane) + 8,
          i < 4 ? inGroup(lane) * 2 + (i & 1)
                : inGroup(lane) * 2 + (i & 1) + 8};
}
Place a16n8k4Word(int lane, int i) {
  return {i == 0 ? groupOf(lane) : groupOf(lane) + 8, inGroup(lane)};
}
Place a16n8k8Word(int lane, int i) {
  return {i == 0 || i == 2 ? groupOf(lane) : groupOf(lane) + 8,
          i < 2 ? inGroup(lane) : inGroup(lane) + 4};
}
Place a16n8k16Byte(int lane, int i) {
  return {i < 4 ? groupOf(lane) : groupOf(lane) + 8,
          inGroup(lane) * 4 + (i & 3)};
}
Place a16n8k32Byte(int lane, int i) {
  bool upper = (0 <= i && i < 4) || (8 <= i && i < 12);
  return {upper ? groupOf(lane) : groupOf(lane) + 8,
          i < 8 ? inGroup(lane) * 4 + (i & 3)
                : inGroup(lane) * 4 + (i & 3) + 16};
}
Place a16n8k32Nibble(int lane, int i) {
  return {i < 8 ? groupOf(lane) : groupOf(lane) + 8,
          inGroup(lane) * 8 + (i & 7)};
}
Place a16n8k64Nibble(int lane, int i) {
  bool upper = (0 <= i && i < 8) || (16 <= i && i < 24);
  return {upper ? groupOf(lane) : groupOf(lane) + 8,
          i < 16 ? inGroup(lane) * 8 + (i & 7)
                 : inGroup(lane) * 8 + (i & 7) + 32};
}
Place a16n8k128Bit(int lane, int i) {
  return {i < 32 ? groupOf(lane) : groupOf(lane) + 8,
          inGroup(lane) * 32 + (i & 31)};
}
Place a16n8k256Bit(int lane, int i) {
  bool upper = (0 <= i && i < 32) || (64 <= i && i < 96);
  return {upper ? groupOf(lane) : groupOf(lane) + 8,
          i < 64 ? inGroup(lane) * 32 + (i & 31)
                 : inGroup(lane) * 32 + (i & 31) + 128};
}
Place a8n8k16Byte(int lane, int i) {
  return {groupOf(lane), inGroup(lane) * 4 + i};
}
Place a8n8k32Nibble(int lane, int i) {
  return {groupOf(lane), inGroup(lane) * 8 + i};
}
Place a8n8k128Bit(int lane, int i) {
  return {groupOf(lane), inGroup(lane) * 32 + i};
}
Place a8n8k4Double(int lane, int) { return {groupOf(lane), inGroup(lane)}; }
Place a16n8k16Double(int lane, int i) {
  return {i % 2 == 0 ? groupOf(lane) : groupOf(lane) + 8,
          i % 2 == 0 ? i * 2 + inGroup(lane) : i * 2 - 2 + inGroup(lane)};
}

// --- Multiplicand B ----------------------------------------------------------

Place b16n8k8Half(int lane, int i) {
  return {inGroup(lane) * 2 + i, groupOf(lane)};
}
Place b16n8k16Half(int lane, int i) {
  return {i < 2 ? inGroup(lane) * 2 + (i & 1) : inGroup(lane) * 2 + (i & 1) + 8,
          groupOf(lane)};
}
Place bWord(int lane, int i) {
  return {i == 0 ? inGroup(lane) : inGroup(lane) + 4, groupOf(lane)};
}
Place bByte(int lane, int i) {
  return {i < 4 ? inGroup(lane) * 4 + (i & 3)
                : inGroup(lane) * 4 + (i & 3) + 16,
          groupOf(lane)};
}
Place bNibble(int lane, int i) {
  return {i < 8 ? inGroup(lane) * 8 + (i & 7)
                : inGroup(lane) * 8 + (i & 7) + 32,
          groupOf(lane)};
}
Place bBit(int lane, int i) {
  return {i < 32 ? inGroup(lane) * 32 + i : inGroup(lane) * 32 + (i - 32) + 128,
          groupOf(lane)};
}
Place bDouble(int lane, int i) {
  return {inGroup(lane) + i * 4, groupOf(lane)};
}

// --- Accumulators
// --------------------------------------------------------------

Place c16n8(int lane, int i) {
  return {i < 2 ? groupOf(lane) : groupOf(lane) + 8,
          inGroup(lane) * 2 + (i & 1)};
}
Place c8n8(int lane, int i) { return {groupOf(lane), inGroup(lane) * 2 + i}; }

struct Shape {
  int m, n, k;
  E a, b, c;
  Layout layoutA, layoutB, layoutC;
};

const Shape kShapes[] = {
    {16, 8, 8, E::F16, E::F16, E::F32, a16n8k8Half, b16n8k8Half, c16n8},
    {16, 8, 8, E::F16, E::F16, E::F16, a16n8k8Half, b16n8k8Half, c16n8},
    {16, 8, 8, E::BF16, E::BF16, E::F32, a16n8k8Half, b16n8k8Half, c16n8},
    {16, 8, 16, E::F16, E::F16, E::F32, a16n8k16Half, b16n8k16Half, c16n8},
    {16, 8, 16, E::F16, E::F16, E::F16, a16n8k16Half, b16n8k16Half, c16n8},
    {16, 8, 16, E::BF16, E::BF16, E::F32, a16n8k16Half, b16n8k16Half, c16n8},
    {16, 8, 4, E::TF32, E::TF32, E::F32, a16n8k4Word, bWord, c16n8},
    {16, 8, 8, E::TF32, E::TF32, E::F32, a16n8k8Word, bWord, c16n8},
    {16, 8, 16, E::E4M3, E::E5M2, E::F32, a16n8k16Byte, bByte, c16n8},
    {16, 8, 32, E::E4M3, E::E4M3, E::F32, a16n8k32Byte, bByte, c16n8},
    {16, 8, 32, E::E5M2, E::E4M3, E::F16, a16n8k32Byte, bByte, c16n8},
    {16, 8, 16, E::S8, E::U8, E::S32, a16n8k16Byte, bByte, c16n8},
    {16, 8, 32, E::U8, E::S8, E::S32, a16n8k32Byte, bByte, c16n8},
    {16, 8, 32, E::S4, E::U4, E::S32, a16n8k32Nibble, bNibble, c16n8},
    {16, 8, 64, E::U4, E::S4, E::S32, a16n8k64Nibble, bNibble, c16n8},
    {16, 8, 128, E::B1, E::B1, E::S32, a16n8k128Bit, bBit, c16n8},
    {16, 8, 256, E::B1, E::B1, E::S32, a16n8k256Bit, bBit, c16n8},
    {8, 8, 16, E::S8, E::S8, E::S32, a8n8k16Byte, bByte, c8n8},
    {8, 8, 32, E::S4, E::S4, E::S32, a8n8k32Nibble, bNibble, c8n8},
    {8, 8, 128, E::B1, E::B1, E::S32, a8n8k128Bit, bBit, c8n8},
};

/// The bits of a small integer in an element type.
uint64_t encode(E type, int value) {
  if (isFloat(type))
    return encodeFloat(type, value);
  int width = bitWidth(type);
  return static_cast<uint64_t>(value) &
         (width == 64 ? ~0ull : (1ull << width) - 1);
}

/// A random value that every element type of the test holds exactly.
int smallValue(std::mt19937 &random, E type) {
  if (type == E::B1)
    return static_cast<int>(random() % 2);
  bool isUnsigned = type == E::U8 || type == E::U4;
  int magnitude = static_cast<int>(random() % 5);
  return isUnsigned || random() % 2 ? magnitude : -magnitude;
}

using Matrix = std::vector<std::vector<int>>;

Matrix randomMatrix(std::mt19937 &random, int rows, int columns, E type) {
  Matrix matrix(rows, std::vector<int>(columns));
  for (auto &row : matrix)
    for (int &value : row)
      value = smallValue(random, type);
  return matrix;
}

/// Scatters a matrix over registers, `count` elements a lane.
void scatter(const Matrix &matrix, E type, Layout layout, int registers,
             LaneWords *words) {
  int width = bitWidth(type), perWord = 32 / width;
  std::memset(words, 0, sizeof(LaneWords) * registers);
  for (int lane = 0; lane < kLanes; ++lane)
    for (int i = 0; i < registers * perWord; ++i) {
      Place at = layout(lane, i);
      words[i / perWord][lane] |=
          static_cast<uint32_t>(encode(type, matrix[at.row][at.column]))
          << (width * (i % perWord));
    }
}

int decodeResult(E type, const LaneWords *words, int lane, int i) {
  if (type == E::S32)
    return static_cast<int>(words[i][lane]);
  if (type == E::F32)
    return static_cast<int>(bitsToF32(words[i][lane]));
  return static_cast<int>(
      f16ToF32(static_cast<uint16_t>(words[i / 2][lane] >> (16 * (i % 2)))));
}

Matrix product(const Shape &shape, const Matrix &a, const Matrix &b,
               const Matrix &c, BitOperation operation) {
  Matrix d = c;
  for (int i = 0; i < shape.m; ++i)
    for (int j = 0; j < shape.n; ++j)
      for (int k = 0; k < shape.k; ++k)
        if (shape.a == E::B1 && operation == BitOperation::Xor)
          d[i][j] += a[i][k] ^ b[k][j];
        else
          d[i][j] += a[i][k] * b[k][j];
  return d;
}

MmaOp makeOp(const Shape &shape) {
  MmaOp op;
  op.m = shape.m;
  op.n = shape.n;
  op.k = shape.k;
  op.a = shape.a;
  op.b = shape.b;
  op.c = op.d = shape.c;
  return op;
}

} // namespace

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
      for (int lane = 0; lane < kLanes; ++lane)
        for (int i = 0; i < shape.m * shape.n / kLanes; ++i) {
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
      for (int lane = 0; lane < kLanes; ++lane)
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
      for (int lane = 0; lane < kLanes; ++lane)
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
    for (int lane = 0; lane < kLanes; ++lane)
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
        for (int lane = 0; lane < kLanes; ++lane) {
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
        for (int lane = 0; lane < kLanes; ++lane)
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
  for (int lane = 0; lane < kLanes; ++lane) {
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
  for (int lane = 0; lane < kLanes; ++lane) {
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
  for (int lane = 0; lane < kLanes; ++lane) {
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
  for (int lane = 0; lane < kLanes; ++lane) {
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
      uint32_t metadata[kLanes] = {};
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
      for (int lane = 0; lane < kLanes; ++lane)
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
  uint32_t metadata[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
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
  for (int lane = 0; lane < kLanes; ++lane)
    word[lane] = lane;
  uint8_t rows[8][16];
  stmatrix({true, 1, true}, &word, rows);
  EXPECT_EQ(rows[2][1], 5u); // lane 5, byte 0: row 2 * 1, byte 1
  EXPECT_EQ(rows[6][7], 31u);
  EXPECT_NE(checkStmatrix({true, 1, false}), "");
}

TEST(Movmatrix, Transposes) {
  LaneWords a, d;
  for (int lane = 0; lane < kLanes; ++lane) {
    uint32_t base = (lane / 4) * 8 + lane % 4 * 2;
    a[lane] = base | (base + 1) << 16;
  }
  movmatrix(a, d);
  for (int lane = 0; lane < kLanes; ++lane) {
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
      for (int lane = 0; lane < kLanes; ++lane)
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
    for (int lane = 0; lane < kLanes; ++lane)
      for (int i = 0; i < shape.m * shape.n / kLanes; ++i) {
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
  for (int lane = 0; lane < kLanes; ++lane) {
    a[0][lane] = f64ToBits(2.0);
    b[0][lane] = f64ToBits(3.0);
    c[0][lane] = c[1][lane] = f64ToBits(1.0);
  }
  wmmaMmaF64(op, a, b, c, d);
  EXPECT_EQ(bitsToF64(d[1][13]), 25.0);
  op.k = 8;
  EXPECT_NE(checkWmma(op), "");
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

namespace {

uint64_t makeDescriptor(uint32_t address, uint32_t leading, uint32_t stride,
                        uint32_t baseOffset, uint32_t swizzleBytes) {
  uint64_t mode = swizzleBytes == 128  ? 1
                  : swizzleBytes == 64 ? 2
                  : swizzleBytes == 32 ? 3
                                       : 0;
  return (address >> 4) | static_cast<uint64_t>(leading >> 4) << 16 |
         static_cast<uint64_t>(stride >> 4) << 32 |
         static_cast<uint64_t>(baseOffset) << 49 | mode << 62;
}

/// An operand stored as the canonical layouts of the ISA say, built from nested
/// loops over core matrices, and the descriptor that names it.
struct StoredOperand {
  uint64_t descriptor = 0;
  std::vector<uint8_t> shared = std::vector<uint8_t>(1 << 17, 0xcd);

  void put(uint32_t address, E type, int value) {
    uint64_t bits = encode(type, value);
    std::memcpy(&shared[address], &bits, bitWidth(type) / 8);
  }
};

/// XORs the 16-byte chunk index with the row within the pattern.
uint32_t swizzled(uint32_t offset, uint32_t swizzleBytes) {
  switch (swizzleBytes) {
  case 128:
    return offset ^ (((offset >> 7) & 7) << 4);
  case 64:
    return offset ^ (((offset >> 7) & 3) << 4);
  case 32:
    return offset ^ (((offset >> 7) & 1) << 4);
  default:
    return offset;
  }
}

/// `at(mn, k)` for mn < extent, k < depth.
template <typename Values>
void store(StoredOperand &operand, E type, int extent, int depth, bool mnMajor,
           uint32_t swizzleBytes, uint32_t start, Values at) {
  uint32_t bytes = static_cast<uint32_t>(bitWidth(type)) / 8;
  uint32_t leading, stride;
  if (!mnMajor && swizzleBytes == 0) {
    // Core matrices of 8 x 16 bytes: K neighbours first, then mn.
    leading = 128;
    stride = 256;
    for (int mn = 0; mn < extent; ++mn)
      for (int k = 0; k < depth; ++k) {
        uint32_t kByte = static_cast<uint32_t>(k) * bytes;
        operand.put(start + mn / 8 * stride + kByte / 16 * leading +
                        mn % 8 * 16 + kByte % 16,
                    type, at(mn, k));
      }
  } else if (!mnMajor) {
    // Rows of the swizzle's width, eight to a pattern.
    leading = 16;
    stride = 8 * swizzleBytes;
    for (int mn = 0; mn < extent; ++mn)
      for (int k = 0; k < depth; ++k)
        operand.put(start + swizzled(mn * swizzleBytes +
                                         static_cast<uint32_t>(k) * bytes,
                                     swizzleBytes),
                    type, at(mn, k));
  } else if (swizzleBytes == 0) {
    leading = 128 * static_cast<uint32_t>(extent / 8);
    stride = 128;
    for (int mn = 0; mn < extent; ++mn)
      for (int k = 0; k < depth; ++k)
        operand.put(start + k / 8 * leading + mn / 8 * stride + k % 8 * 16 +
                        mn % 8 * 2,
                    type, at(mn, k));
  } else {
    // Panels of the swizzle's width along mn, K deep.
    int panel = static_cast<int>(swizzleBytes) / 2;
    leading = swizzleBytes * static_cast<uint32_t>(depth);
    stride = 8 * swizzleBytes;
    for (int mn = 0; mn < extent; ++mn)
      for (int k = 0; k < depth; ++k)
        operand.put(
            start + mn / panel * leading +
                swizzled(k * swizzleBytes + mn % panel * 2, swizzleBytes),
            type, at(mn, k));
  }
  operand.descriptor = makeDescriptor(start, leading, stride, 0, swizzleBytes);
}

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
      for (int lane = 0; lane < kLanes; ++lane)
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
    wgmmaForEachChunk(op, WgmmaOperand::B, descriptor, -1,
                      [&](uint32_t address) {
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
  wgmmaForEachChunk(op, WgmmaOperand::A, makeDescriptor(0, 16, 1024, 0, 128), 2,
                    [&](uint32_t) { ++visited; });
  EXPECT_EQ(visited, 32); // 16 rows of 32 bytes
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
