//===- GemmPlan.h - How a product is spread over warps ----------*- C++ -*-===//
//
// Given an instruction and a grid of those who execute it together (a warp, or
// the four warps of a warpgroup; "group" below), the layouts of a product's
// result and operands follow. In every dimension the chain is: the
// instruction's own box, the tiles one group repeats in registers, then groups:
//
//     M:  m | tilesM (register) | warpsM    operand B replicates over these
//     N:  n | tilesN (register) | warpsN    operand A replicates over these
//     K:  k | tilesK (register)
//
// A sparse A has half of K's columns, and metadata like A. Scales of blocks follow A
// along M, and B along N, with one element a block along K.
//
// Registers run through the instruction's box, then N (K for A and B), then M
// (N for B), so that the result of one product can be operand A of the next
// without moving data. Warps count through the group, then groups along M, then
// along N:
//
//     mma     warp = warpM + warpsM * warpN
//     wgmma   warp = warpInGroup + 4 * (groupM + warpsM * groupN), where
//             warpInGroup is the instruction's digit [4 : (16, 0)] of M
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_GEMMPLAN_H
#define TILE_HARDWARE_GEMMPLAN_H

#include "tile/Hardware/BytePairs.h"
#include "tile/Hardware/MatrixInstruction.h"

namespace tilec {

struct GemmPlan {
  const MatrixInstruction *instruction = nullptr;
  /// Groups along M and N: warps, or warpgroups of four warps each.
  int64_t warpsM = 1, warpsN = 1;
  /// Instructions one group repeats along each dimension.
  int64_t tilesM = 1, tilesN = 1, tilesK = 1;
  FragmentLayout result; ///< over (M, N)
  /// Over (M, K) and (K, N); empty where the operand is not in registers.
  FragmentLayout a, b;
  /// Over (M, words along K) of a sparse A's metadata, which the warps along N
  /// replicate as they do A. Padded along K where a register serves more steps
  /// than there are.
  FragmentLayout metadata;
  /// Over (M, K / block) and (N, K / block); empty without scales.
  FragmentLayout scaleA, scaleB;
  /// The operands that come in pairs (BytePairs.h), as layouts have it.
  BytePairs pairs;

  /// Where the result has what the instructions have at `place`.
  Coordinate getPlace(const Coordinate &place) const {
    return {pairs.a ? getPairedPlace(place[0]) : place[0],
            pairs.b ? getPairedPlace(place[1]) : place[1]};
  }
};

/// The layouts for an M x N x K product on warpsM x warpsN groups. Fails where
/// a dimension is too small to give every group a tile without breaking a
/// chain, and for instructions whose accumulator has no layout of its own.
/// `scaleBlock` elements along K have one scale, where the instruction takes
/// scales. Operands come in the pairs that are `wanted` as far as nothing is padded and
/// instructions take four bytes of them a register.
Expected<GemmPlan> planGemm(const MatrixInstruction &instruction, int64_t M,
                            int64_t N, int64_t K, int64_t warpsM,
                            int64_t warpsN, int64_t scaleBlock = 0,
                            BytePairs wanted = {});

} // namespace tilec

#endif // TILE_HARDWARE_GEMMPLAN_H
