//===- CopyAddresses.h - Few addresses for a thread's copies ----*- C++ -*-===//
//
// An asynchronous copy names a place in each memory: a register and an immediate. The
// immediate of the shared side has 24 bits, that of the global side 12 with their sign
// (`LDGSTS`; found by assembling offsets for sm_80 to sm_120 with ptxas 13.0). What is
// further away in global memory takes two registers and two additions of its own. So
// the same copies are handed to threads in another order:
//
//     64 x 128 elements of f16 in rows of 256 bytes, 8 warps, 4 copies a thread
//
//     16 lanes a row     rows r, r + 16, r + 32, r + 48             4 addresses
//      8 lanes a row     both halves of rows r, r + 8               1 address
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_COPYADDRESSES_H
#define TILE_HARDWARE_COPYADDRESSES_H

#include "tile/Layout/SharedLayout.h"

namespace tilec {

/// From where copies are reached.
struct CopyOrigin {
  int64_t bytes = 0;     ///< behind the place of offset 0
  int64_t addresses = 0; ///< that are needed, this one included
};

/// The origin from which copies at `offsets`, in bytes of global memory, take the
/// fewest addresses; 0 where no other is better.
CopyOrigin chooseCopyOrigin(const std::vector<int64_t> &offsets);

/// A tile that threads copy from global to shared memory.
struct CopiedTile {
  int fastest = 0;   ///< the dimension along which an access goes
  int64_t width = 1; ///< elements of an access
  /// By dimension: the elements of global memory from a coordinate to the next.
  Coordinate strides;
  /// By dimension: whether coordinates are compared with the end of the memref.
  std::vector<bool> isMasked;
  SharedLayout buffer;
  /// For each dimension of the buffer that of the tile which runs along it, or -1.
  std::vector<int> bufferDims;
};

/// `layout`, or the tile spread otherwise over the same threads, if that takes fewer
/// instructions for addresses and comparisons, and no more passes over the banks.
/// Lanes still copy whole lines of 128 bytes where they did.
FragmentLayout arrangeCopies(const FragmentLayout &layout,
                             const CopiedTile &tile);

} // namespace tilec

#endif // TILE_HARDWARE_COPYADDRESSES_H
