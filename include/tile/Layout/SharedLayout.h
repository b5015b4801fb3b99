//===- SharedLayout.h - Where a shared buffer keeps elements ----*- C++ -*-===//
//
// The same mixed-radix digits as a fragment layout, with the one hardware
// dimension `offset` (in elements), where a digit may carry a weight that
// leaves a gap (padding), and an XOR of byte-address bits on top:
//
//     byte address a  ->  a ^ (((a >> (base + shift)) & (2^bits - 1)) << base)
//
// The 128-, 64- and 32-byte modes of TMA and wgmma are (3, 4, 3), (2, 4, 3) and
// (1, 4, 3); rows longer than the mode become panels:
//
//     32 x 128 x f16, mode 128:   panel 0: columns [0, 64), panel 1: [64, 128)
//     offset = [64 : (0, 1), 32 : (1, 0), 2 : (0, 64)], xor = [3, 4, 3]
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUT_SHAREDLAYOUT_H
#define TILE_LAYOUT_SHAREDLAYOUT_H

#include "tile/Layout/FragmentLayout.h"

namespace tilec {

/// One digit of the offset: `extent` values, each a step of `step` along
/// logical dimension `dim` and of `weight` elements in memory.
struct OffsetDigit {
  int64_t extent = 1;
  int dim = 0;
  int64_t step = 1;
  int64_t weight = 1;
  bool operator==(const OffsetDigit &) const = default;
  auto operator<=>(const OffsetDigit &) const = default;
};

using OffsetDigits = std::vector<OffsetDigit>;

/// An XOR of address bits; `bits == 0` is none. Units: bits of a byte address.
struct Swizzle {
  int bits = 0;
  int base = 0;
  int shift = 0;
  bool operator==(const Swizzle &) const = default;
  auto operator<=>(const Swizzle &) const = default;
  int64_t apply(int64_t byteAddress) const {
    return byteAddress ^
           (((byteAddress >> (base + shift)) & ((int64_t(1) << bits) - 1))
            << base);
  }
  /// The buffer's base must be a multiple of this, in bytes; 1 without an XOR.
  int64_t getPeriodBytes() const {
    return bits == 0 ? 1 : int64_t(1) << (bits + base + shift);
  }
};

class SharedLayout {
public:
  SharedLayout() = default;

  /// Checks the chains and the weights (each digit's weight at least the span
  /// of the digits before it, so that no two elements share an offset) and
  /// merges digits that continue each other in coordinate and weight.
  /// Register-like replication does not exist in memory. `elementBits` is the
  /// element's width in memory: a power of two from 4 to 128 (i1 is 8). An XOR
  /// must move whole elements (2^base bytes hold one) by bits above those it
  /// changes (shift >= bits), so that it undoes itself.
  static Expected<SharedLayout> get(Coordinate shape, OffsetDigits offset,
                                    Swizzle swizzle, int64_t elementBits);

  /// Plain nested loops, `order[0]` fastest; `padElements` are left unused
  /// after each innermost row.
  static Expected<SharedLayout> linear(const Coordinate &shape,
                                       const std::vector<int> &order,
                                       int64_t padElements,
                                       int64_t elementBits);

  /// The 32-, 64- or 128-byte mode: rows along `order[0]` of the mode's length
  /// or a multiple, which becomes panels. Panels follow the rows of `order[1]`;
  /// further dimensions are outside of them, so each index of those has the
  /// layout of the two-dimensional buffer. Fails, naming the modes that fit the
  /// row.
  static Expected<SharedLayout> swizzled(const Coordinate &shape,
                                         const std::vector<int> &order,
                                         int64_t modeBytes,
                                         int64_t elementBits);

  /// Row-major with whatever of the above keeps eight 16-byte rows (ldmatrix)
  /// and 16-byte column accesses free of bank conflicts: the largest mode that
  /// divides the row, else the padding that makes the pitch an odd number of 16
  /// bytes. A single row, and rows shorter than 16 bytes, are left dense.
  static SharedLayout conflictFree(const Coordinate &shape,
                                   const std::vector<int> &order,
                                   int64_t elementBits);

  const Coordinate &getShape() const { return shape; }
  int getRank() const { return static_cast<int>(shape.size()); }
  const OffsetDigits &getDigits() const { return digits; }
  const Swizzle &getSwizzle() const { return swizzle; }
  int64_t getElementBits() const { return elementBits; }

  /// Bytes from the base to the end of the last element of the box that the
  /// digits span, rounded up to getAlignmentBytes(), so that buffers laid end
  /// to end stay aligned.
  int64_t getSizeBytes() const;
  /// What the base address must be a multiple of: 16, or the XOR's period.
  int64_t getAlignmentBytes() const;

  /// The element offset before the XOR: the sum of digit times weight.
  int64_t getLinearOffset(const Coordinate &coordinate) const;
  /// The bit address after the XOR, relative to the base.
  int64_t getBitOffset(const Coordinate &coordinate) const;
  /// The byte address after the XOR, relative to the base (elements of whole
  /// bytes).
  int64_t getByteOffset(const Coordinate &coordinate) const {
    return getBitOffset(coordinate) / 8;
  }
  /// The coordinate of the element that a bit offset lies in; nothing where
  /// padding is.
  std::optional<Coordinate> invert(int64_t bitOffset) const;

  /// Elements along `dim` that are consecutive in memory from every multiple of
  /// the result on, at an offset that is a multiple of the result as well: the
  /// widest aligned vector access. Limited by panels, pitches (72 allows 8) and
  /// the XOR's base; need not be a power of two.
  int64_t getVectorWidth(int dim) const;

  /// The same of elements that digits number, innermost first, as those of a
  /// fragment's registers do: along several dimensions in turn.
  int64_t getVectorWidth(const Digits &numbering) const;

  /// Whether offset(a + b) = offset(a) + offset(b) before the XOR whenever a
  /// comes from the digits of lanes and warps of `fragment` and b from those of
  /// its registers (padding included): addresses are then a thread's part plus
  /// a constant. `fragment` has this layout's rank.
  bool isAdditiveOver(const FragmentLayout &fragment) const;

  /// The layout of `count` >= 1 copies, a new outermost dimension in front,
  /// each copy at a multiple of getSizeBytes().
  SharedLayout replicateOutermost(int64_t count) const;

  bool operator==(const SharedLayout &) const = default;
  /// A total order without meaning, for maps and deterministic tie-breaks.
  auto operator<=>(const SharedLayout &) const = default;
  uint64_t getHash() const;

  /// `[32, 64], offset = [64 : (0, 1), 32 : (1, 0)], xor = [3, 4, 3]`, as the
  /// dialect prints it; `weight 72` after a digit only where it is not the
  /// default, the XOR only where there is one. The element width is not part
  /// of it.
  std::string toString() const;

private:
  Coordinate shape;
  OffsetDigits digits;
  Swizzle swizzle;
  int64_t elementBits = 8;
};

/// Wavefronts (passes over the 32 four-byte banks) that one warp access takes:
/// `byteAddresses` holds the address of each active lane, each of which moves
/// `bytesPerLane` (1 to 16). Lanes that touch the same word share it. Accesses
/// of 8 bytes are served half a warp at a time, of 16 a quarter.
int64_t countWavefronts(const std::vector<int64_t> &byteAddresses,
                        int64_t bytesPerLane);

/// The fewest wavefronts an access of this size can take.
int64_t countIdealWavefronts(int64_t activeLanes, int64_t bytesPerLane);

} // namespace tilec

#endif // TILE_LAYOUT_SHAREDLAYOUT_H
