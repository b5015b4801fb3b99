//===- BytePairs.h - Operands of bytes that lie across K --------*- C++ -*-===//
//
// Matrix instructions take four bytes along K in a register. Where an operand lies along
// M (or N) in shared memory, `ldmatrix.trans` brings elements of 16 bits, two neighbours
// along M each. Of two matrices whose rows are chosen for it lane `l` gets
//
//     first    (k, 2r) (k, 2r + 1)   (k + 1, 2r) (k + 1, 2r + 1)      r = l / 4
//     second   the same of k + 2 and k + 3                            k = 4 * (l % 4)
//
// from which two byte permutations make the registers of 2r and of 2r + 1. So the lane
// that the instruction has for r and r + 8 has two neighbours, and rows of the result (or
// columns, of operand B) lie where their operand's do:
//
//     the instruction's   16q + 8h + r      h < 2, r < 8
//     the matrix's        16q + 2r + h
//
// For B that takes two tiles of eight columns, one is h = 0, the other h = 1. Rows of
// a matrix are eight of a block of 16 along K; those of both are read without conflicts
// where swizzled rows repeat every eight:
//
//     row 2i + e of the first    k = 4i + e + 2 * (i / 2)      0 1  4 5  10 11  14 15
//            of the second       k = 4i + e + 2 * (1 - i / 2)  2 3  6 7   8  9  12 13
//
// so that lanes with l % 4 >= 2 find the halves of their registers exchanged.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_BYTEPAIRS_H
#define TILE_HARDWARE_BYTEPAIRS_H

#include "tile/Layout/FragmentLayout.h"

namespace tilec {

/// Which operands of a product come in pairs.
struct BytePairs {
  bool a = false, b = false;
};

/// Along M or N, what a block of pairs spans, and along K.
inline constexpr int64_t pairedElements = 16;

/// Where the matrix has what is at `place` of the instructions along M or N, and back.
constexpr int64_t getPairedPlace(int64_t place) {
  return place / 16 * 16 + place % 8 * 2 + place / 8 % 2;
}
constexpr int64_t getInstructionPlace(int64_t place) {
  return place / 16 * 16 + place % 2 * 8 + place / 2 % 8;
}

/// `layout` with what it has at `place` along `dim` at getPairedPlace(place), neighbours
/// in registers that follow each other. Fails where its digits cannot be split there.
Expected<FragmentLayout> pairUp(const FragmentLayout &layout, int dim);

} // namespace tilec

#endif // TILE_HARDWARE_BYTEPAIRS_H
