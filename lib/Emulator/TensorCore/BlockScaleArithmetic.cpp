//===- BlockScaleArithmetic.cpp - What block-scaled mma computes ----------===//
//
// kind::mxf8f6f4, mxf4 and mxf4nvf4: every run of K / vectors elements of a row
// of A and of a column of B has a scale. Where the scales stand, in each group
// of four lanes (those of row g and column g, g = lane / 4):
//
//   A   lanes 2 threadA and 2 threadA + 1: of row g and of row g + 8
//   B   lane threadB: of column g
//
// and in such a lane's register `vectors` bytes from `byte` on, the first for
// the lowest elements of K.
//
//===----------------------------------------------------------------------===//

#include "DenseOperands.h"

#include <cmath>

using namespace tilec::emu;

std::string tilec::emu::checkScaleSelector(const MmaScaling &scaling, bool isA,
                                           uint32_t byte, uint32_t thread) {
  uint32_t step = static_cast<uint32_t>(scaling.vectors);
  if (byte > 3 || byte % step != 0)
    return "the byte of a scale is " + std::to_string(byte) +
           ", but must be a multiple of " + std::to_string(step) + " below 4";
  uint32_t threads = isA ? 2 : 4;
  if (thread >= threads)
    return "the thread of a scale is " + std::to_string(thread) +
           ", but must be below " + std::to_string(threads);
  return "";
}

/// The scales of one row or column.
static void decodeScales(const MmaScaling &scaling, uint32_t word,
                         uint32_t byte, double *scales) {
  for (int v = 0; v < scaling.vectors; ++v) {
    uint32_t bits = word >> (8 * (byte + static_cast<uint32_t>(v))) & 0xff;
    // ue4m3 is e4m3 without its sign.
    if (scaling.type == ElementType::E4M3)
      bits &= 0x7f;
    scales[v] = decodeFloat(scaling.type, bits);
  }
}

/// sum + product, rounded once; `product` has few bits, but may lie outside of
/// the range of f32.
static float addProduct(float sum, double product) {
  auto single = static_cast<float>(product);
  if (static_cast<double>(single) == product)
    return sum + single;
  return static_cast<float>(static_cast<double>(sum) + product);
}

void tilec::emu::multiplyScaled(const MmaOp &op, const PackedOperand &a,
                                const PackedOperand &b, const MmaScales &scales,
                                float *c) {
  alignas(64) float left[16 * maxK], right[8 * maxK];
  decodeFloats(op.a, a.words, a.rows * a.wordsPerRow, left, op.byteContainers);
  decodeFloats(op.b, b.words, b.rows * b.wordsPerRow, right, op.byteContainers);
  double scaleA[16][4], scaleB[8][4];
  for (int row = 0; row < 16; ++row)
    decodeScales(
        op.scaling,
        scales.a[row % 8 * 4 + 2 * static_cast<int>(scales.threadA) + row / 8],
        scales.byteA, scaleA[row]);
  for (int column = 0; column < 8; ++column)
    decodeScales(op.scaling,
                 scales.b[column * 4 + static_cast<int>(scales.threadB)],
                 scales.byteB, scaleB[column]);
  int run = op.k / op.scaling.vectors;
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      float sum = c[row * 8 + column];
      for (int k = 0; k < op.k; ++k) {
        double product = static_cast<double>(left[row * op.k + k]) *
                         static_cast<double>(right[column * op.k + k]);
        sum = addProduct(sum, product * scaleA[row][k / run] *
                                  scaleB[column][k / run]);
      }
      c[row * 8 + column] = canonicalF32(sum);
    }
}
