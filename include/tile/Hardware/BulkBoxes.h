//===- BulkBoxes.h - A tile as boxes of a bulk copy -------------*- C++ -*-===//
//
// A bulk tensor copy moves a box: in global memory any box of the tensor, in
// shared memory a dense block, rows of the swizzle mode's length under its XOR
// (`TensorBox::getLayout`). A tile that is larger than a box, or whose buffer is
// more than one such block, is several boxes of one shape, its *pieces*:
//
//     64 x 128 x f16, 128-byte swizzle         300 x 16 x f32, dense
//
//         64          64                            16
//     +----------+----------+                   +--------+
//     | piece 0  | piece 1  |  64               |   0    |  150
//     +----------+----------+                   +--------+
//     byte 0     byte 8192                      |   1    |  150   byte 9600
//                                               +--------+
//
// Nothing here is asked of the hardware but `TensorBox`; whether the buffer of
// a tile is such blocks is arithmetic on its layout.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_BULKBOXES_H
#define TILE_HARDWARE_BULKBOXES_H

#include "tile/Hardware/CopyInstruction.h"

namespace tilec {

/// One dimension of the tensor: how much of it the tile has, and the dimension
/// of the buffer that it runs along, one element a step; none where the tile
/// does not have it (its extent is 1).
struct TensorAxis {
  int64_t extent = 1;
  std::optional<int> bufferDim;
};

/// One box of a tile.
struct BoxPiece {
  /// What is added to the start of the tile in the tensor, per dimension of the
  /// tensor, in elements.
  Coordinate offsets;
  /// What is added to the address of the tile's first element in shared memory.
  int64_t byteOffset = 0;
  bool operator==(const BoxPiece &) const = default;
};

/// How a tile is copied.
struct BulkBoxes {
  /// Elements of one box, per dimension of the tensor.
  Coordinate box;
  int64_t swizzleBytes = 0; ///< 128, 64, 32 or 0
  int64_t boxBytes = 0;     ///< what each piece counts at an mbarrier
  /// All pieces, in the order of the tensor's elements.
  std::vector<BoxPiece> pieces;
  /// How many blocks share the tile; block number i of them brings of each piece
  /// what is i boxes along `partDim` of the tensor behind its place, and i
  /// times `boxBytes` in shared memory.
  int64_t parts = 1;
  size_t partDim = 0;

  /// What arrives in one block, of whoever brings it.
  int64_t getTileBytes() const {
    return static_cast<int64_t>(pieces.size()) * boxBytes * parts;
  }
};

/// The fewest boxes that move a tile of a tensor to or from `buffer`, with the
/// copies of `row`. `axes` are the dimensions of the tensor, innermost last;
/// `startDivisors` what is known to divide the place where the tile begins in
/// the buffer, per dimension of the buffer (0: it is zero). Fails with what is
/// in the way.
Expected<BulkBoxes> getBulkBoxes(const CopyInstruction &row,
                                 const SharedLayout &buffer,
                                 const std::vector<TensorAxis> &axes,
                                 const std::vector<int64_t> &startDivisors);

/// The same boxes in equal parts, each a box of its own, cut along the outermost
/// dimension of the box. Fails where a part would not begin where the box's
/// pattern does.
Expected<BulkBoxes> splitBoxes(const CopyInstruction &row,
                               const BulkBoxes &whole, int64_t parts);

} // namespace tilec

#endif // TILE_HARDWARE_BULKBOXES_H
