//===- TensorMaps.cpp - A memref as a tensor map describes it -------------===//

#include "tile/Contract/TensorMaps.h"

#include <algorithm>
#include <bit>

using namespace tilec;

static constexpr uint64_t largestSize = INT32_MAX;
static constexpr uint64_t strideLimitBytes = uint64_t(1) << 40;

int TensorDescription::getSwizzleNumber() const {
  return swizzleBytes == 0
             ? 0
             : std::bit_width(static_cast<unsigned>(swizzleBytes) / 16) - 1;
}

TensorDescription TensorDescription::get(const TensorMapShape &shape,
                                         int64_t elementBits) {
  TensorDescription map;
  map.rank = static_cast<int>(shape.box.size());
  map.packed = elementBits < 8 ? static_cast<int>(8 / elementBits) : 1;
  map.elementBytes = static_cast<int>(elementBits * map.packed / 8);
  map.elementNumber = shape.elementNumber;
  map.swizzleBytes = static_cast<int>(shape.swizzleBytes);
  map.isIm2Col = !shape.lower.empty();
  if (map.isIm2Col) {
    // A box of pixels and channels of an image of rank 4.
    map.rank = static_cast<int>(shape.lower.size()) + 2;
    for (int dim = 1; dim + 1 < map.rank; ++dim) {
      int entry = map.rank - 2 - dim;
      map.lowerCorner[dim - 1] = static_cast<int>(shape.lower[entry]);
      map.upperCorner[dim - 1] = static_cast<int>(shape.upper[entry]);
      map.elementStrides[dim] = static_cast<uint32_t>(shape.strides[entry]);
    }
  }
  for (size_t dim = 0; dim < shape.box.size(); ++dim)
    map.box[dim] = static_cast<uint32_t>(shape.box[shape.box.size() - 1 - dim]);
  map.box[0] /= map.packed;
  return map;
}

bool TensorDescription::isEmptyFor(const MemRefView &view) const {
  bool isEmpty = view.isEmpty();
  for (int dim = 1; isIm2Col && dim + 1 < rank; ++dim)
    isEmpty |= view.sizes[rank - 1 - dim] + upperCorner[dim - 1] <=
               lowerCorner[dim - 1];
  return isEmpty;
}

void TensorDescription::describeZeros(uint64_t zeros) {
  address = zeros;
  for (int dim = 0; dim < rank; ++dim) {
    dims[dim] = 1;
    if (dim > 0)
      stridesBytes[dim - 1] = alignBytes;
  }
  std::fill(std::begin(lowerCorner), std::end(lowerCorner), 0);
  std::fill(std::begin(upperCorner), std::end(upperCorner), 0);
}

/// Adds dimension `dim`; those inside of it span `spanBytes`.
std::string TensorDescription::addDim(const MemRefView &view, int dim,
                                      uint64_t &spanBytes) {
  int memrefDim = rank - 1 - dim;
  auto name = " dimension " + std::to_string(memrefDim);
  int64_t size = view.sizes[memrefDim], stride = view.strides[memrefDim];
  if (static_cast<uint64_t>(size) > largestSize)
    return "describes at most " + std::to_string(largestSize) +
           " elements along a dimension, and there are " +
           std::to_string(size) + " along" + name +
           "; split the memref into views";
  dims[dim] = static_cast<uint64_t>(size);
  if (dim == 0) {
    if (stride != 1 && size != 1)
      return "needs an innermost stride of 1, and it is " +
             std::to_string(stride) +
             "; copy the memref to one whose rows lie together";
    if (size % packed != 0)
      return "needs rows of whole bytes, and" + name + " has " +
             std::to_string(size) + " elements of 4 bits; pad the memref";
    dims[0] /= packed;
    spanBytes = dims[0] * static_cast<uint64_t>(elementBytes);
    return "";
  }
  uint64_t bytes = static_cast<uint64_t>(stride) / packed * elementBytes;
  // Nobody takes a step along it.
  if (size == 1)
    bytes = (spanBytes + alignBytes - 1) / alignBytes * alignBytes;
  bool isBeyond =
      size != 1 && static_cast<uint64_t>(stride) >= strideLimitBytes;
  bool isInByte = size != 1 && stride % packed != 0;
  if (isBeyond || isInByte || bytes % alignBytes != 0 ||
      bytes >= strideLimitBytes)
    return "needs strides that are multiples of " + std::to_string(alignBytes) +
           " bytes below 2^40, and that of" + name + " is " +
           std::to_string(static_cast<int64_t>(bytes)) +
           " bytes; pad the rows of the memref";
  if (bytes < spanBytes)
    return "needs dimensions that lie in each other, and the stride of" + name +
           ", " + std::to_string(bytes) + " bytes, is less than the " +
           std::to_string(spanBytes) +
           " bytes of the dimensions inside of it; write them in the order of "
           "their strides, outermost first";
  stridesBytes[dim - 1] = bytes;
  if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &spanBytes))
    spanBytes = std::numeric_limits<uint64_t>::max();
  return "";
}

std::string TensorDescription::describe(const MemRefView &view,
                                        uint64_t firstAddress,
                                        const std::string &buffer) {
  bool overflows = false;
  (void)getSpanBits(view, overflows);
  if (overflows)
    return "describes elements up to the last address of 64 bits, and buffer "
           "'" +
           buffer + "' has some beyond it";
  address = firstAddress;
  if (address % alignBytes != 0)
    return "needs an address that is a multiple of " +
           std::to_string(alignBytes) + " bytes, and buffer '" + buffer +
           "' with its offset of " +
           std::to_string(view.offset * elementBytes / packed) +
           " bytes is at " + std::to_string(address) +
           "; align the view, or the allocation by 'tile.align'";
  uint64_t spanBytes = 0;
  std::string problem;
  for (int dim = 0; problem.empty() && dim < rank; ++dim)
    problem = addDim(view, dim, spanBytes);
  return problem;
}
