//===- TensorCoreModel.h - Fragment layouts of the PTX ISA ------*- C++ -*-===//
//
// The fragment layouts of mma, written out shape by shape from the formulas of
// the PTX ISA ("row = groupID for ai where ..."), not from the one rule the
// library uses, and matrices of small random integers to scatter by them.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_EMULATOR_TENSORCOREMODEL_H
#define TILE_TEST_UNIT_EMULATOR_TENSORCOREMODEL_H

#include "tile/Emulator/TensorCore.h"

#include <cstring>
#include <random>
#include <vector>

namespace tilec::emu {

using E = ElementType;

struct Place {
  int row, column;
};
using Layout = Place (*)(int lane, int i);

// groupID and threadID_in_group of the ISA.
inline int groupOf(int lane) { return lane >> 2; }
inline int inGroup(int lane) { return lane % 4; }

// --- Multiplicand A ----------------------------------------------------------

inline Place a16n8k8Half(int lane, int i) {
  return {i < 2 ? groupOf(lane) : groupOf(lane) + 8,
          inGroup(lane) * 2 + (i & 1)};
}
inline Place a16n8k16Half(int lane, int i) {
  bool upper = (0 <= i && i < 2) || (4 <= i && i < 6);
  return {upper ? groupOf(lane) : groupOf(lane) + 8,
          i < 4 ? inGroup(lane) * 2 + (i & 1)
                : inGroup(lane) * 2 + (i & 1) + 8};
}
inline Place a16n8k4Word(int lane, int i) {
  return {i == 0 ? groupOf(lane) : groupOf(lane) + 8, inGroup(lane)};
}
inline Place a16n8k8Word(int lane, int i) {
  return {i == 0 || i == 2 ? groupOf(lane) : groupOf(lane) + 8,
          i < 2 ? inGroup(lane) : inGroup(lane) + 4};
}
inline Place a16n8k16Byte(int lane, int i) {
  return {i < 4 ? groupOf(lane) : groupOf(lane) + 8,
          inGroup(lane) * 4 + (i & 3)};
}
inline Place a16n8k32Byte(int lane, int i) {
  bool upper = (0 <= i && i < 4) || (8 <= i && i < 12);
  return {upper ? groupOf(lane) : groupOf(lane) + 8,
          i < 8 ? inGroup(lane) * 4 + (i & 3)
                : inGroup(lane) * 4 + (i & 3) + 16};
}
inline Place a16n8k32Nibble(int lane, int i) {
  return {i < 8 ? groupOf(lane) : groupOf(lane) + 8,
          inGroup(lane) * 8 + (i & 7)};
}
inline Place a16n8k64Nibble(int lane, int i) {
  bool upper = (0 <= i && i < 8) || (16 <= i && i < 24);
  return {upper ? groupOf(lane) : groupOf(lane) + 8,
          i < 16 ? inGroup(lane) * 8 + (i & 7)
                 : inGroup(lane) * 8 + (i & 7) + 32};
}
inline Place a16n8k128Bit(int lane, int i) {
  return {i < 32 ? groupOf(lane) : groupOf(lane) + 8,
          inGroup(lane) * 32 + (i & 31)};
}
inline Place a16n8k256Bit(int lane, int i) {
  bool upper = (0 <= i && i < 32) || (64 <= i && i < 96);
  return {upper ? groupOf(lane) : groupOf(lane) + 8,
          i < 64 ? inGroup(lane) * 32 + (i & 31)
                 : inGroup(lane) * 32 + (i & 31) + 128};
}
inline Place a8n8k16Byte(int lane, int i) {
  return {groupOf(lane), inGroup(lane) * 4 + i};
}
inline Place a8n8k32Nibble(int lane, int i) {
  return {groupOf(lane), inGroup(lane) * 8 + i};
}
inline Place a8n8k128Bit(int lane, int i) {
  return {groupOf(lane), inGroup(lane) * 32 + i};
}
inline Place a8n8k4Double(int lane, int) {
  return {groupOf(lane), inGroup(lane)};
}
inline Place a16n8k16Double(int lane, int i) {
  return {i % 2 == 0 ? groupOf(lane) : groupOf(lane) + 8,
          i % 2 == 0 ? i * 2 + inGroup(lane) : i * 2 - 2 + inGroup(lane)};
}

// --- Multiplicand B ----------------------------------------------------------

inline Place b16n8k8Half(int lane, int i) {
  return {inGroup(lane) * 2 + i, groupOf(lane)};
}
inline Place b16n8k16Half(int lane, int i) {
  return {i < 2 ? inGroup(lane) * 2 + (i & 1) : inGroup(lane) * 2 + (i & 1) + 8,
          groupOf(lane)};
}
inline Place bWord(int lane, int i) {
  return {i == 0 ? inGroup(lane) : inGroup(lane) + 4, groupOf(lane)};
}
inline Place bByte(int lane, int i) {
  return {i < 4 ? inGroup(lane) * 4 + (i & 3)
                : inGroup(lane) * 4 + (i & 3) + 16,
          groupOf(lane)};
}
inline Place bNibble(int lane, int i) {
  return {i < 8 ? inGroup(lane) * 8 + (i & 7)
                : inGroup(lane) * 8 + (i & 7) + 32,
          groupOf(lane)};
}
inline Place bBit(int lane, int i) {
  return {i < 32 ? inGroup(lane) * 32 + i : inGroup(lane) * 32 + (i - 32) + 128,
          groupOf(lane)};
}
inline Place bDouble(int lane, int i) {
  return {inGroup(lane) + i * 4, groupOf(lane)};
}

// Accumulators ------------------------------------------------------------------

inline Place c16n8(int lane, int i) {
  return {i < 2 ? groupOf(lane) : groupOf(lane) + 8,
          inGroup(lane) * 2 + (i & 1)};
}
inline Place c8n8(int lane, int i) {
  return {groupOf(lane), inGroup(lane) * 2 + i};
}

struct Shape {
  int m, n, k;
  E a, b, c;
  Layout layoutA, layoutB, layoutC;
};

inline const Shape kShapes[] = {
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
inline uint64_t encode(E type, int value) {
  if (isFloat(type))
    return encodeFloat(type, value);
  int width = bitWidth(type);
  return static_cast<uint64_t>(value) &
         (width == 64 ? ~0ull : (1ull << width) - 1);
}

/// A random value that every element type of the test holds exactly.
inline int smallValue(std::mt19937 &random, E type) {
  if (type == E::B1)
    return static_cast<int>(random() % 2);
  bool isUnsigned = type == E::U8 || type == E::U4;
  int magnitude = static_cast<int>(random() % 5);
  return isUnsigned || random() % 2 ? magnitude : -magnitude;
}

using Matrix = std::vector<std::vector<int>>;

inline Matrix randomMatrix(std::mt19937 &random, int rows, int columns,
                           E type) {
  Matrix matrix(rows, std::vector<int>(columns));
  for (auto &row : matrix)
    for (int &value : row)
      value = smallValue(random, type);
  return matrix;
}

/// Scatters a matrix over registers, `count` elements a lane.
inline void scatter(const Matrix &matrix, E type, Layout layout, int registers,
                    LaneWords *words) {
  int width = bitWidth(type), perWord = 32 / width;
  std::memset(words, 0, sizeof(LaneWords) * registers);
  for (int lane = 0; lane < warpLanes; ++lane)
    for (int i = 0; i < registers * perWord; ++i) {
      Place at = layout(lane, i);
      words[i / perWord][lane] |=
          static_cast<uint32_t>(encode(type, matrix[at.row][at.column]))
          << (width * (i % perWord));
    }
}

inline int decodeResult(E type, const LaneWords *words, int lane, int i) {
  if (type == E::S32)
    return static_cast<int>(words[i][lane]);
  if (type == E::F32)
    return static_cast<int>(bitsToF32(words[i][lane]));
  return static_cast<int>(
      f16ToF32(static_cast<uint16_t>(words[i / 2][lane] >> (16 * (i % 2)))));
}

inline Matrix product(const Shape &shape, const Matrix &a, const Matrix &b,
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

inline MmaOp makeOp(const Shape &shape) {
  MmaOp op;
  op.m = shape.m;
  op.n = shape.n;
  op.k = shape.k;
  op.a = shape.a;
  op.b = shape.b;
  op.c = op.d = shape.c;
  return op;
}

} // namespace tilec::emu

#endif // TILE_TEST_UNIT_EMULATOR_TENSORCOREMODEL_H
