//===- TensorMaps.h - A memref as a tensor map describes it -----*- C++ -*-===//
//
// What the encoder of a tensor map asks of a tensor is checked here, before it, so
// that a message can name both numbers and the remedy:
//
//     address                        a multiple of 16 bytes, not null
//     strides but the innermost      multiples of 16 bytes below 2^40, each at
//                                    least what the dimension inside of it spans
//     innermost stride               1
//     sizes                          below 2^31, as coordinates are
//
// Elements of 4 bits are described as their bytes: box, size and coordinates along the
// innermost dimension count pairs of them, and rows have whole bytes.
//
// No encoder takes a size of zero. A memref without elements is described as
// one element of zeros somewhere else: all that a copy reads of it is zero then,
// and what one writes is seen by nobody. So is an image in which a kernel has no
// place.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONTRACT_TENSORMAPS_H
#define TILE_CONTRACT_TENSORMAPS_H

#include "tile/Contract/MemRefs.h"

#include <algorithm>

namespace tilec {

/// What `tile.encode_tensor_map` says, outermost dimension first.
struct TensorMapShape {
  /// The type of the elements as CUtensorMapDataType numbers it: floats as they
  /// are, others as unsigned integers.
  int elementNumber = 0;
  int64_t swizzleBytes = 0; ///< 128, 64, 32 or 0
  std::span<const int64_t> box;
  /// Corners and strides of height and width in im2col mode, else empty.
  std::span<const int64_t> lower, upper, strides;
};

/// What cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col is told; dimension 0 is
/// the innermost.
struct TensorDescription {
  static constexpr int maxRank = 5;
  static constexpr unsigned sizeBytes = 128;
  /// Of the element of zeros that an empty tensor is described as.
  static constexpr int64_t alignBytes = 16;

  uint64_t address = 0; ///< of the first element, on the device
  int elementBytes = 1; ///< 1, 2, 4 or 8
  int packed =
      1; ///< elements of the memref in one of those, 2 where they have 4 bits
  int elementNumber = 0;
  int rank = 0;
  uint64_t dims[maxRank] = {};
  uint64_t stridesBytes[maxRank - 1] = {}; ///< of dimensions 1 to rank - 1
  uint32_t box[maxRank] = {}; ///< in im2col mode of channels and pixels
  uint32_t elementStrides[maxRank] = {1, 1, 1, 1, 1};
  bool isIm2Col = false;
  /// In im2col mode, of dimensions 1 to rank - 2.
  int lowerCorner[maxRank - 2] = {}, upperCorner[maxRank - 2] = {};
  int swizzleBytes = 0; ///< 128, 64, 32 or 0

  /// As CUtensorMapSwizzle numbers it.
  int getSwizzleNumber() const;

  /// What `shape` alone says.
  static TensorDescription get(const TensorMapShape &shape,
                               int64_t elementBits);
  /// Whether a copy by the map reads no element of `view`.
  bool isEmptyFor(const MemRefView &view) const;
  /// Describes one element of zeros at `address`.
  void describeZeros(uint64_t address);
  /// Describes `view`, which is not empty and whose first element is at
  /// `firstAddress` on the device. What is wrong with it, behind the name of the
  /// operation; `buffer` is what messages call its buffer.
  std::string describe(const MemRefView &view, uint64_t firstAddress,
                       const std::string &buffer);

  /// Fills what the encoders of driver and emulator name alike.
  template <typename Arguments>
  void copyTo(Arguments &arguments) const {
    arguments.rank = rank;
    std::ranges::copy(dims, arguments.dims);
    std::ranges::copy(stridesBytes, arguments.stridesBytes);
    std::ranges::copy(box, arguments.box);
    std::ranges::copy(elementStrides, arguments.elementStrides);
    std::ranges::copy(lowerCorner, arguments.lowerCorner);
    std::ranges::copy(upperCorner, arguments.upperCorner);
  }

private:
  std::string addDim(const MemRefView &view, int dim, uint64_t &spanBytes);
};

} // namespace tilec

#endif // TILE_CONTRACT_TENSORMAPS_H
