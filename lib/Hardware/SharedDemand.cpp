//===- SharedDemand.cpp - Does a buffer have a descriptor's pattern? -----===//
//
// Before the XOR, the offset of an element in a shared layout is a sum of one
// function a dimension, so the pattern is checked one dimension at a time: from
// the start of every tile the function must be the atom's, and one stride more
// for each atom passed. The XOR works on addresses and is the same for all.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/SharedDemand.h"

using namespace tilec;

/// The linear offset of the element at `position` of `dim`, 0 elsewhere.
static int64_t getOffsetAlong(const SharedLayout &layout, int dim,
                              int64_t position) {
  Coordinate coordinate(layout.getRank(), 0);
  coordinate[dim] = position;
  return layout.getLinearOffset(coordinate);
}

/// The stride in elements between the atoms of a tile of `extent` along one
/// dimension; 0 where a tile lies within one atom.
static Expected<int64_t> getStrideAlong(const SharedLayout &buffer, int dim,
                                        const SharedLayout &atom, int atomDim,
                                        int64_t extent) {
  int64_t end = buffer.getShape()[dim];
  int64_t atomExtent = atom.getShape()[atomDim];
  if (end % extent != 0)
    return Failure{"an extent of " + std::to_string(end) +
                   " is no multiple of the instruction's " +
                   std::to_string(extent)};
  int64_t stride =
      extent > atomExtent ? getOffsetAlong(buffer, dim, atomExtent) : 0;
  for (int64_t start = 0; start < end; start += extent) {
    int64_t base = getOffsetAlong(buffer, dim, start);
    for (int64_t i = 0; i < extent; ++i) {
      int64_t wanted = getOffsetAlong(atom, atomDim, i % atomExtent) +
                       stride * (i / atomExtent);
      int64_t found = getOffsetAlong(buffer, dim, start + i) - base;
      if (found != wanted)
        return Failure{"element " + std::to_string(start + i) +
                       " of dimension " + std::to_string(dim) + " lies " +
                       std::to_string(found) +
                       " elements behind the start of its tile, where the "
                       "instruction reads " +
                       std::to_string(wanted)};
    }
  }
  return stride;
}

Expected<DescriptorStrides>
SharedDemand::getStrides(const SharedLayout &buffer,
                         const std::vector<int> &dims,
                         const Coordinate &tile) const {
  // A descriptor holds strides in units of 16 bytes, in 14 bits.
  constexpr int64_t unitBytes = 16, endBytes = unitBytes << 14;
  int64_t bits = atom.getElementBits();
  if (buffer.getElementBits() != bits)
    return Failure{"the buffer's elements have " +
                   std::to_string(buffer.getElementBits()) +
                   " bits and the instruction's " + std::to_string(bits)};
  if (buffer.getSwizzle() != atom.getSwizzle())
    return Failure{"the buffer's swizzle is not that of " +
                   std::to_string(swizzleBytes) + " bytes"};
  DescriptorStrides strides;
  for (int i = 0; i < atom.getRank(); ++i) {
    auto stride = getStrideAlong(buffer, dims[i], atom, i, tile[i]);
    if (!stride)
      return Failure{stride.reason()};
    int64_t bytes = *stride * bits / 8;
    if (bytes % unitBytes != 0 || bytes >= endBytes)
      return Failure{"a stride of " + std::to_string(bytes) +
                     " bytes does not fit a descriptor"};
    if (leadingDim == i)
      strides.leadingBytes = bytes;
    else if (strideDim == i)
      strides.strideBytes = bytes;
    else if (bytes != 0)
      return Failure{"the descriptor has no stride along dimension " +
                     std::to_string(dims[i])};
  }
  return strides;
}
