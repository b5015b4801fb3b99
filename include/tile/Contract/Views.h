//===- Views.h - Views of memrefs and what is assumed of them ---*- C++ -*-===//
//
// What host code makes of memrefs and numbers has to be what it says: views lie in their
// source, types say the sizes that are there, loops go forward, and assumptions hold.
// Where one is broken, a sentence says how, else it is empty.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONTRACT_VIEWS_H
#define TILE_CONTRACT_VIEWS_H

#include "tile/Contract/MemRefs.h"

namespace tilec {

/// One dimension of a `memref.subview`, whose source has `sourceSize` elements there.
std::string checkSubview(size_t dim, int64_t offset, int64_t size,
                         int64_t stride, int64_t sourceSize);

/// A memref that gets a type which fixes `shape`.
std::string checkType(const MemRefShape &shape, const MemRefView &view);

/// The dimension that a `memref.dim` asks for.
std::string checkDim(int64_t dim, int64_t rank);

/// The step of an `scf.for`, in the signedness of the loop.
std::string checkStep(int64_t step);

/// `tile.assume_divisible`.
std::string checkAssumption(int64_t number, int64_t divisor);

/// `tile.assume`.
struct MemRefAssumption {
  std::span<const int64_t> sizes, strides; ///< divisors; empty: none
  int64_t alignment = 1;                   ///< of the first element, in bytes
};
std::string checkAssumption(const MemRefAssumption &assumption,
                            const MemRefView &view);

} // namespace tilec

#endif // TILE_CONTRACT_VIEWS_H
