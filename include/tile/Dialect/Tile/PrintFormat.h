//===- PrintFormat.h - The text of tile.print -------------------*- C++ -*-===//
//
// What `tile.print "label" %v` prints, in the interpreter and on the GPU:
//
//     label (block 0, 1, 0): 3.5                   a scalar
//     label (block 0, 1, 0): [1, 2, 3]             a fragment of one line
//     label (block 0, 1, 0) [2, 16]: [1, 2, 3]     a part of a larger fragment
//     label (block 0, 1, 0) [7, 3]: 3.5            an iteration of a parallel
//     label (block 0, 1, 0) [7, 3] [2, 16]: [1, 2] a fragment in an iteration
//
// A line of a fragment holds up to `printLineElements` neighbours along its
// last dimension and begins with the coordinate of the first. Floats are
// printed as C's %g, integers signed, i1 as 0 or 1. Lines of one fragment come
// in row-major order; in which order iterations and blocks print is not said.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_PRINTFORMAT_H
#define TILE_DIALECT_TILE_PRINTFORMAT_H

#include <cstdint>

namespace mlir::tile {

/// A call of the GPU's printf takes 32 arguments; the block's index and a
/// coordinate are among them.
inline constexpr int64_t printLineElements = 16;

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_PRINTFORMAT_H
