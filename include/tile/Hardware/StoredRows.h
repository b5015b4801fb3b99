//===- StoredRows.h - Results in the order of rows --------------*- C++ -*-===//
//
// The result of a product lies in pieces: of a row each thread has two elements side
// by side. It is stored in whole vectors once threads of a warp have exchanged such
// pieces for those further along the row. With 16 bits, two bits of the lane that count
// along the row, below the vector, trade places with the next two of registers:
//
//     column    bit 0     1     2     3     4    ..
//     before    register  lane  lane  register  ..
//     behind    register  ..    ..    lane  lane
//
// All else stays: the elements of a row that four threads had together they have
// together behind it, four times as many. In the buffer between them lie side by side
// 16 bytes that one thread had (*bricks*): a word for each of four threads, which
// `ldmatrix` hands them, so that registers need not change places:
//
//     written   st.shared.v4     words of columns 2t, 2t + 8, 2t + 16, 2t + 24
//     read      ldmatrix.x4      to thread u: columns 8u, 8u + 2, 8u + 4, 8u + 6
//     offset    [2 : (0, 1), 4 : (0, 8), ..]
//
// Where lanes and registers do not lie so, bricks are what both sides have in registers.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_STOREDROWS_H
#define TILE_HARDWARE_STOREDROWS_H

#include "tile/Layout/SharedLayout.h"

#include <optional>

namespace tilec {

/// `layout` with `width` neighbours along `dim` in consecutive registers, and at least
/// `run` in a warp's, both powers of two. Every warp holds what it has held if that has
/// such runs. Nothing where that takes other trades than of bits of lanes and of
/// registers, and for the run of warps.
std::optional<FragmentLayout> gatherNeighbours(const FragmentLayout &layout,
                                               int dim, int64_t width,
                                               int64_t run = 1);

/// The layout of a buffer between two that replicate nothing, for elements of
/// `elementBits`, from 8 to 32: bricks without bank conflicts. Nothing where both sides
/// have less than 4 bytes of a thread in common.
std::optional<SharedLayout> getBricks(const FragmentLayout &written,
                                      const FragmentLayout &read,
                                      int64_t elementBits);

/// Whether `ldmatrix` brings the registers of `layout`, in this order, out of `buffer`:
/// words of 32 bits, those of four neighbouring lanes side by side.
bool holdsMatrices(const SharedLayout &buffer, const FragmentLayout &layout);

} // namespace tilec

#endif // TILE_HARDWARE_STOREDROWS_H
