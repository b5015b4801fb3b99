//===- DenseOperands.h - Fragments to dense matrices ------------*- C++ -*-===//
//
// All of mma, wmma and wgmma decode their operands to dense arrays, multiply
// those and encode the result. The fragment layouts of mma.sync share one rule:
// a register of 32 lanes is a block of 8 rows; lane l holds, of row l / 4, the
// E = 32 / width consecutive columns from E * (l % 4). So a register is a
// row-major 8 x 4E matrix, A is tiled by such blocks with rows first, and B is
// tiled, transposed, along K.
//
//   A, 16 x 8E:  | r0 | r2 |        B, 8E x 8:  | r0^T |
//                | r1 | r3 |                    | r1^T |
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_TENSORCORE_DENSEOPERANDS_H
#define TILE_LIB_EMULATOR_TENSORCORE_DENSEOPERANDS_H

#include "tile/Emulator/TensorCore.h"

namespace tilec::emu {

/// The most elements of K that one product decodes (4-bit elements of mma.sp);
/// b1 stays packed. And the most columns (wgmma).
inline constexpr int maxK = 128;
inline constexpr int maxN = 256;

/// Elements of `type` in 32 bits; 4 for sub-byte types in byte containers.
int elementsPerWord(ElementType type, bool byteContainers = false);
bool isIntegerOperand(ElementType type);

/// `count` packed elements starting at `bytes`, as f32 (exact) or as integers.
/// `count` is a whole number of 32-bit words.
void decodeFloats(ElementType type, const uint32_t *words, int wordCount,
                  float *values, bool byteContainers = false);
void decodeIntegers(ElementType type, const uint32_t *words, int wordCount,
                    int32_t *values);

/// c += a * b, with a m x k, b k x n and c m x n, all row-major and dense;
/// n is a multiple of 8. Sums are taken with k ascending, each rounded once.
void multiplyFloats(int m, int n, int k, const float *a, const float *b,
                    float *c);
/// x * y + z, rounded once as the mode says.
double fuseDoubles(double x, double y, double z, Rounding rounding);
/// The same on integers: wrapping, or (`saturate`) with the exact sum clamped.
void multiplyIntegers(int m, int n, int k, const int32_t *a, const int32_t *b,
                      int32_t *c, bool saturate);
/// c += popc(a op b): rows of a and columns of b as k / 32 words each
/// (a[row][word], b[column][word]).
void multiplyBits(int m, int n, int words, const uint32_t *a, const uint32_t *b,
                  int32_t *c, BitOperation operation);

/// What is multiplied: the element types, and which results they have.
struct MultiplyTypes {
  ElementType a, b;
  bool byteContainers = false;
  bool saturate = false;
  BitOperation bitOperation = BitOperation::Xor;
};

/// Accumulators as the kernels take them: f32, or int32 in the same bytes.
union Accumulator {
  float real;
  int32_t integer;
};

/// An operand as dense words: `rows` rows of A, or of B transposed (one row per
/// column), each of `wordsPerRow` packed words.
struct PackedOperand {
  const uint32_t *words;
  int rows;
  int wordsPerRow;
};

/// c (m x n) += a (m rows of k) * b (n rows of k), decoding both.
void multiplyPacked(const MultiplyTypes &types, const PackedOperand &a,
                    const PackedOperand &b, Accumulator *c);

/// The same of block-scaled operands, for m = 16 and n = 8.
void multiplyScaled(const MmaOp &op, const PackedOperand &a,
                    const PackedOperand &b, const MmaScales &scales, float *c);

/// Sparse A to dense: each row of `wordsPerRow` stored words becomes twice as
/// many; `rowMetadata[row]` holds four bits for every group of four stored
/// slots (2:4), low groups first.
void expandSparse(ElementType type, const PackedOperand &stored,
                  const uint64_t *rowMetadata, uint32_t *dense);
/// Collects the metadata of `rows` (16) rows out of the lanes' registers.
void collectMetadata(ElementType type, int k, const uint32_t *metadata,
                     uint32_t selector, uint64_t *rowMetadata);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_TENSORCORE_DENSEOPERANDS_H
