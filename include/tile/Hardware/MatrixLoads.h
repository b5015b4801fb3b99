//===- MatrixLoads.h - What one ldmatrix brings to an operand ---*- C++ -*-===//
//
// Each 32-bit register of an operand tile in registers is one 8x8 matrix of
// 16-bit words, of which lane l holds words 2(l % 4), 2(l % 4) + 1 of row l / 4:
// what `ldmatrix` delivers from eight rows of 16 bytes. It loads up to four
// matrices at once:
//
//     matrix j of four begins at  (j % 2) * first step + (j / 2) * second step
//
// Coordinates are (outer, K), where outer is M for A and N for B.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_MATRIXLOADS_H
#define TILE_HARDWARE_MATRIXLOADS_H

#include "tile/Layout/FragmentLayout.h"

#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tilec {

/// Rows of an 8x8 matrix.
inline constexpr int64_t matrixRows = 8;

/// A matrix: what register `reg` of tile `tile` holds.
struct TileMatrix {
  int64_t tile, reg;
  int64_t outer, k; ///< where it begins, without the warp's part
};

/// Which matrices one instruction loads: 1, 2 or 4, these steps apart.
struct MatrixGroup {
  int64_t count = 1;
  std::pair<int, int64_t> steps[2]; ///< (0 outer, 1 K) and elements
  auto operator<=>(const MatrixGroup &) const = default;
};

/// The tiles of an operand in registers along outer.
class OperandTiles {
public:
  /// `operand` is the layout of the whole operand, `atom` of one instruction's
  /// part, both over (outer, K); that of the whole is of pairs (BytePairs.h) where
  /// `isPaired`. What is asked for below is in the order of the instructions.
  OperandTiles(const FragmentLayout &operand, const FragmentLayout &atom,
               int64_t elementsPerRegister, bool isPaired = false);

  /// The first coordinate of each along outer, without the warp's part.
  const std::vector<int64_t> &getOrigins() const { return origins; }
  int64_t getRegistersPerTile() const { return registersPerTile; }

  /// All matrices of the step of K that begins at element `k`, by tile.
  std::vector<TileMatrix> getMatrices(int64_t k) const;
  /// The most matrices that one instruction loads in a step of K.
  int64_t getLargestGroup() const;

private:
  FragmentLayout atom;
  int64_t elementsPerRegister, registersPerTile;
  std::vector<int64_t> origins;
};

/// How many of the first of `matrices`, at most `limit`, one instruction can
/// load.
MatrixGroup getGroup(std::span<const TileMatrix> matrices, int64_t limit);

} // namespace tilec

#endif // TILE_HARDWARE_MATRIXLOADS_H
