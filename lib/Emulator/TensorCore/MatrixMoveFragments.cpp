//===- MatrixMoveFragments.cpp - Fragments that ldmatrix moves ------------===//
//
// Matrices of 8x8 16-bit elements (and the byte forms of sm_100) between rows
// of 16 bytes in shared memory and the fragments of mma. A lane's word of a
// plain 8x8 matrix is row lane / 4, columns 2 * (lane % 4) and the next;
// transposed, it is those two rows of column lane / 4.
//
//===----------------------------------------------------------------------===//

#include "tile/Emulator/TensorCore.h"

#include <cstring>

using namespace tilec::emu;

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

std::string tilec::emu::checkLdmatrix(const LdmatrixOp &op) {
  if (op.count != 1 && op.count != 2 && op.count != 4)
    return "ldmatrix loads 1, 2 or 4 matrices, not " + std::to_string(op.count);
  switch (op.shape) {
  case LdmatrixShape::M8N8:
    return op.source == LdmatrixSource::B16
               ? ""
               : "ldmatrix.m8n8 has elements of .b16 only";
  case LdmatrixShape::M16N16:
    if (op.count == 4)
      return "ldmatrix.m16n16 has .x1 and .x2 only";
    if (!op.transpose)
      return "ldmatrix.m16n16 needs .trans";
    return op.source != LdmatrixSource::B16
               ? ""
               : "ldmatrix.m16n16 has no elements of .b16";
  case LdmatrixShape::M8N16:
    if (op.transpose)
      return "ldmatrix.m8n16 has no .trans";
    return op.source == LdmatrixSource::B6x16P32 ||
                   op.source == LdmatrixSource::B4x16P64
               ? ""
               : "ldmatrix.m8n16 needs .b8x16 with .b6x16_p32 or .b4x16_p64";
  }
  return "unknown shape";
}

int tilec::emu::ldmatrixRowCount(const LdmatrixOp &op) {
  return (op.shape == LdmatrixShape::M16N16 ? 16 : 8) * op.count;
}

int tilec::emu::ldmatrixRowLane(const LdmatrixOp &, int row) { return row; }

int tilec::emu::ldmatrixRegisterCount(const LdmatrixOp &op) {
  return op.shape == LdmatrixShape::M16N16 ? 2 * op.count : op.count;
}

/// Sixteen 4- or 6-bit elements of a row to bytes, as .kind::f8f6f4 wants them.
static void unpackRow(LdmatrixSource source, const uint8_t *row,
                      uint8_t *bytes) {
  if (source == LdmatrixSource::B4x16P64) {
    for (int i = 0; i < 16; ++i)
      bytes[i] =
          static_cast<uint8_t>(((row[i / 2] >> (4 * (i % 2))) & 0xf) << 2);
  } else if (source == LdmatrixSource::B6x16P32) {
    for (int i = 0; i < 16; ++i) {
      int bit = 6 * i;
      unsigned pair = row[bit / 8] | row[bit / 8 + 1] << 8;
      bytes[i] = static_cast<uint8_t>((pair >> (bit % 8)) & 0x3f);
    }
  } else {
    std::memcpy(bytes, row, 16);
  }
}

static uint32_t halfAt(const uint8_t *row, int column) {
  return row[2 * column] | static_cast<uint32_t>(row[2 * column + 1]) << 8;
}

void tilec::emu::ldmatrix(const LdmatrixOp &op, const uint8_t (*rows)[16],
                          LaneWords *d) {
  if (op.shape == LdmatrixShape::M8N8) {
    for (int matrix = 0; matrix < op.count; ++matrix)
      for (int lane = 0; lane < warpLanes; ++lane) {
        const uint8_t (*base)[16] = rows + 8 * matrix;
        int group = lane / 4, inGroup = lane % 4;
        if (op.transpose)
          d[matrix][lane] = halfAt(base[2 * inGroup], group) |
                            halfAt(base[2 * inGroup + 1], group) << 16;
        else
          std::memcpy(&d[matrix][lane], base[group] + 4 * inGroup, 4);
      }
    return;
  }
  uint8_t bytes[32][16];
  for (int row = 0; row < ldmatrixRowCount(op); ++row)
    unpackRow(op.source, rows[row], bytes[row]);
  if (op.shape == LdmatrixShape::M8N16) {
    for (int matrix = 0; matrix < op.count; ++matrix)
      for (int lane = 0; lane < warpLanes; ++lane)
        std::memcpy(&d[matrix][lane],
                    bytes[8 * matrix + lane / 4] + 4 * (lane % 4), 4);
    return;
  }
  // A lane holds columns lane / 4 and 8 more of the four rows 4 * (lane % 4)
  // onwards: two rows in the first register, two in the second.
  for (int matrix = 0; matrix < op.count; ++matrix)
    for (int half = 0; half < 2; ++half)
      for (int lane = 0; lane < warpLanes; ++lane) {
        uint32_t word = 0;
        for (int byte = 0; byte < 4; ++byte) {
          int row = 16 * matrix + 4 * (lane % 4) + 2 * half + byte % 2;
          uint32_t value = bytes[row][lane / 4 + 8 * (byte / 2)];
          word |= value << (8 * byte);
        }
        d[2 * matrix + half][lane] = word;
      }
}

//===----------------------------------------------------------------------===//
// stmatrix
//===----------------------------------------------------------------------===//

std::string tilec::emu::checkStmatrix(const StmatrixOp &op) {
  if (op.count != 1 && op.count != 2 && op.count != 4)
    return "stmatrix stores 1, 2 or 4 matrices, not " +
           std::to_string(op.count);
  if (op.bytes && !op.transpose)
    return "stmatrix.m16n8 needs .trans";
  return "";
}

int tilec::emu::stmatrixRowCount(const StmatrixOp &op) { return 8 * op.count; }

int tilec::emu::stmatrixRowLane(const StmatrixOp &, int row) { return row; }

void tilec::emu::stmatrix(const StmatrixOp &op, const LaneWords *a,
                          uint8_t (*rows)[16]) {
  for (int matrix = 0; matrix < op.count; ++matrix)
    for (int lane = 0; lane < warpLanes; ++lane) {
      uint8_t (*base)[16] = rows + 8 * matrix;
      uint32_t word = a[matrix][lane];
      int group = lane / 4, inGroup = lane % 4;
      if (op.bytes) {
        for (int byte = 0; byte < 4; ++byte)
          base[2 * inGroup + byte % 2][group + 8 * (byte / 2)] =
              static_cast<uint8_t>(word >> (8 * byte));
      } else if (op.transpose) {
        for (int half = 0; half < 2; ++half) {
          uint16_t bits = static_cast<uint16_t>(word >> (16 * half));
          std::memcpy(base[2 * inGroup + half] + 2 * group, &bits, 2);
        }
      } else {
        std::memcpy(base[group] + 4 * inGroup, &word, 4);
      }
    }
}

//===----------------------------------------------------------------------===//
// movmatrix
//===----------------------------------------------------------------------===//

void tilec::emu::movmatrix(const LaneWords &a, LaneWords &d) {
  uint8_t rows[8][16];
  stmatrix({false, 1, false}, &a, rows);
  ldmatrix({LdmatrixShape::M8N8, LdmatrixSource::B16, 1, true}, rows, &d);
}
