//===- FragmentWarps.h - The same tile on fewer warps -----------*- C++ -*-===//
//
// A tile that is spread over the warps of a block is to be moved by fewer of them.
// Warp `w` of `warps` takes over what warps w, w + warps, w + 2 * warps, .. hold, in
// registers behind its own:
//
//     [64, 32], register = [8 : (0, 1)], lane = .., warp = [8 : (8, 0)]
//     on 4 warps
//     [64, 32], register = [8 : (0, 1), 2 : (32, 0)], lane = .., warp = [4 : (8, 0)]
//
// That is the same for every layout, so that fragments that agree still do.
//
// And back: what a thread holds in many registers it moves in rounds, a few registers
// in each, as if more warps held them. In round `r` warp `w` of 4 is warp 4 * r + w of
//
//     [64, 32], register = [8 : (0, 1)], lane = .., warp = [4 : (8, 0), 2 : (32, 0)]
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUT_FRAGMENTWARPS_H
#define TILE_LAYOUT_FRAGMENTWARPS_H

#include "tile/Layout/FragmentLayout.h"

namespace tilec {

/// `layout` on `warps` of its warps, a divisor of their number. Fails where no
/// digit of the warps can be split there.
Expected<FragmentLayout> foldWarps(const FragmentLayout &layout, int64_t warps);

/// `layout` on as many more warps as leave each thread at most `registers`: first those
/// along `dim`, in order, then along the others. Fails where a digit of the registers
/// cannot be split there.
Expected<FragmentLayout> spreadRegisters(const FragmentLayout &layout,
                                         int64_t registers, int dim);

} // namespace tilec

#endif // TILE_LAYOUT_FRAGMENTWARPS_H
