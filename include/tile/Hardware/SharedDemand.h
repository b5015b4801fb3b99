//===- SharedDemand.h - Shared layouts that descriptors name ----*- C++ -*-===//
//
// An operand that an instruction reads through a descriptor must lie in shared
// memory as one of a few patterns. Each is an atom, eight rows of 16 bytes or
// of a swizzle mode's S bytes, and two strides at which the descriptor repeats
// it. A row runs along K ("K-major") or across it ("MN-major": along M of A or
// N of B). For elements of e bytes, with MN written for M or N:
//
//                atom              no swizzle, S = 16     S = 32, 64, 128
//     K-major    8 MN x S/e K      MN: stride             MN: stride
//                                  K:  leading            K:  none
//     MN-major   S/e MN x 8 K      MN: stride             MN: leading
//                                  K:  leading            K:  stride
//
// "None": one instruction reads 32 bytes along K, which lie in one row of the
// atom; the next 32 bytes are another descriptor. The swizzle exchanges the
// 16-byte chunks of a row: chunk c of row r lies at c xor r, for S = 128.
//
// Source: PTX ISA 9.0, "Asynchronous warpgroup-level matrix shared memory
// layout", "Strides", and the canonical layouts there.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_SHAREDDEMAND_H
#define TILE_HARDWARE_SHAREDDEMAND_H

#include "tile/Layout/SharedLayout.h"

#include <optional>

namespace tilec {

/// Along which dimension of an operand the elements are consecutive.
enum class Major { K, MN };

/// The two strides of a matrix descriptor in bytes; 0 where one instruction
/// takes no step of that stride.
struct DescriptorStrides {
  int64_t leadingBytes = 0;
  int64_t strideBytes = 0;
  bool operator==(const DescriptorStrides &) const = default;
};

/// One pattern that an operand may have.
struct SharedDemand {
  Major major = Major::K;
  /// The swizzle mode: 32, 64, 128, or 0 for none.
  int64_t swizzleBytes = 0;
  /// What the descriptor repeats, over the operand's dimensions: (M, K) for A,
  /// (K, N) for B. Its alignment is what the buffer's base must have.
  SharedLayout atom;
  /// The operand's dimension that each stride steps through, one atom a step.
  std::optional<int> leadingDim;
  std::optional<int> strideDim;

  /// The strides with which a descriptor names every tile of `tile` elements
  /// (the operand's part in one instruction) of `buffer`, whose dimension
  /// dims[i] is the operand's dimension i; or why the pattern is another one.
  /// The same strides serve all tiles, only the start address differs.
  Expected<DescriptorStrides> getStrides(const SharedLayout &buffer,
                                         const std::vector<int> &dims,
                                         const Coordinate &tile) const;
};

} // namespace tilec

#endif // TILE_HARDWARE_SHAREDDEMAND_H
