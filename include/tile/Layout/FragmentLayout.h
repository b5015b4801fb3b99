//===- FragmentLayout.h - Which thread holds which element ------*- C++ -*-===//
//
// A fragment layout maps a hardware position (register, lane, warp) to a
// logical coordinate of a tile. Each hardware dimension is a mixed-radix number
// whose digits, least significant first, have an extent and a step in one
// logical dimension; the coordinate is the sum of digit times step. A digit
// with a zero step replicates: the positions it tells apart hold the same
// element.
//
// In each logical dimension the non-zero digits of all hardware dimensions,
// sorted by step, form a chain: the first step is 1, each next the previous
// step times its extent. So the map is a bijection onto a box that covers the
// shape (coordinates past the shape are padding), and validity is arithmetic.
//
// Layouts are canonical by construction: adjacent digits that continue each
// other are merged and digits of extent 1 dropped, so equal maps compare equal.
// docs/Layout.md explains the algebra with pictures.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUT_FRAGMENTLAYOUT_H
#define TILE_LAYOUT_FRAGMENTLAYOUT_H

#include "tile/Layout/Expected.h"

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

namespace tilec {

/// A logical coordinate, a shape or a tuple of offsets, one entry a dimension.
using Coordinate = std::vector<int64_t>;

enum class HardwareDim { Register = 0, Lane = 1, Warp = 2 };

/// One digit of a mixed-radix number. `dim` is the logical dimension that it
/// steps through, or `replicated` (then `step` is 0).
struct Digit {
  static constexpr int replicated = -1;

  int64_t extent = 1;
  int dim = replicated;
  int64_t step = 0;

  bool replicates() const { return dim == replicated; }
  bool operator==(const Digit &) const = default;
  auto operator<=>(const Digit &) const = default;
};

using Digits = std::vector<Digit>;

/// Where one element is held; all digits of replication are zero.
struct HardwarePosition {
  int64_t reg = 0;
  int64_t lane = 0;
  int64_t warp = 0;
  bool operator==(const HardwarePosition &) const = default;
};

class FragmentLayout {
public:
  /// The empty layout of a scalar held by one lane; a placeholder.
  FragmentLayout() = default;

  // Construction -------------------------------------------------------------

  /// Checks the digits against the chain rule and canonicalises them. Fails
  /// with the reason when a digit's extent is not positive, its dimension is
  /// out of range, a chain has a gap, the box is smaller than the shape, a
  /// digit other than the last of a chain passes the shape, or a register digit
  /// replicates.
  static Expected<FragmentLayout> get(Coordinate shape, Digits registers,
                                      Digits lanes, Digits warps);

  /// One more digit on top of an atom, see `tile`.
  struct Outer {
    HardwareDim where;
    int dim; ///< logical dimension, or Digit::replicated
    int64_t extent;
  };

  /// Repeats `atom` over `shape`. Each entry of `outer` appends a digit to its
  /// hardware dimension; its step continues the chain of its logical dimension
  /// in the order of the list.
  static Expected<FragmentLayout> tile(const FragmentLayout &atom,
                                       Coordinate shape,
                                       const std::vector<Outer> &outer);

  /// The default layout: `vectorWidth` consecutive elements along `order[0]` a
  /// thread, then lanes and warps fill `order[0]`, then `order[1]`, ...; what
  /// is left goes to registers, threads beyond the tile replicate. `order`
  /// lists the fastest dimension first. `lanes` is a power of two; extents need
  /// not be. Every thread count and shape has one; a `vectorWidth` that does
  /// not divide the extent of `order[0]` is reduced to one that does. At least
  /// `leastAlong` of the lanes, a divisor of theirs, go along `order[0]`, however few of
  /// them it has elements for.
  static FragmentLayout blocked(const Coordinate &shape,
                                const std::vector<int> &order,
                                int64_t vectorWidth, int64_t lanes,
                                int64_t warps, int64_t leastAlong = 1);

  /// Every thread holds every element, in row-major register order.
  static FragmentLayout replicated(const Coordinate &shape, int64_t lanes,
                                   int64_t warps);

  // Facts --------------------------------------------------------------------

  const Coordinate &getShape() const { return shape; }
  int getRank() const { return static_cast<int>(shape.size()); }
  const Digits &getDigits(HardwareDim dim) const {
    return digits[static_cast<int>(dim)];
  }
  /// Product of the digits' extents: registers a thread, lanes, warps.
  int64_t getExtent(HardwareDim dim) const;
  int64_t getRegisterCount() const { return getExtent(HardwareDim::Register); }
  /// How many (lane, warp) positions hold each element.
  int64_t getReplication() const;
  /// The box the chains span: at least the shape, larger where padded.
  Coordinate getBox() const;
  bool hasPadding() const { return getBox() != shape; }
  /// Whether positions of `where` differ in the coordinates of the shape that
  /// they hold along `dim`; those that differ in padding only do not.
  bool isShared(HardwareDim where, int dim) const;
  /// Registers r = 0, 1, .. n-1 hold consecutive elements along `dim`: the
  /// largest such n (a divisor of the register count).
  int64_t getVectorWidth(int dim) const;

  bool operator==(const FragmentLayout &) const = default;
  /// A total order without meaning, for maps and deterministic tie-breaks.
  auto operator<=>(const FragmentLayout &) const = default;
  uint64_t getHash() const;

  /// `[16, 8], register = [2 : (0, 1), ..], lane = [..], warp = [..]`, as the
  /// dialect prints it between the angle brackets.
  std::string toString() const;

  // The map ------------------------------------------------------------------

  /// The coordinate held at a position; may lie in the padding.
  Coordinate evaluate(int64_t reg, int64_t lane, int64_t warp) const;
  Coordinate evaluate(const HardwarePosition &at) const {
    return evaluate(at.reg, at.lane, at.warp);
  }
  /// The first position that holds a coordinate of the box.
  HardwarePosition invert(const Coordinate &coordinate) const;
  bool isInShape(const Coordinate &coordinate) const;

  /// Whether every (lane, warp) that holds an element in `other` holds it here
  /// too, so that going from here to `other` only forgets replication and
  /// renames registers.
  bool contains(const FragmentLayout &other) const;

  // Derived layouts ----------------------------------------------------------

  /// Removes the dimensions `dims` (increasing). Lane and warp digits of a
  /// removed dimension replicate, register digits go. The layout of a
  /// reduction's result and of a broadcast's operand.
  FragmentLayout dropDims(const std::vector<int> &dims) const;

  /// Result dimension i is dimension `permutation[i]` of this layout.
  FragmentLayout transpose(const std::vector<int> &permutation) const;

  /// The layout of a fragment whose dimension i runs along dimension `dims[i]`
  /// of this one; the other dimensions replicate.
  FragmentLayout project(const std::vector<int> &dims) const;

  /// The same elements under another shape in row-major order. Fails where a
  /// digit would straddle a new dimension's boundary or padding would move.
  Expected<FragmentLayout> reshape(const Coordinate &newShape) const;

  /// The part [offsets, offsets + sizes): fails unless the part is made of
  /// whole registers in every thread, but for what lies behind it in the last
  /// ones, which is padding of the part.
  Expected<FragmentLayout> slice(const Coordinate &offsets,
                                 const Coordinate &sizes) const;

  /// The same bits as elements of `resultBits` instead of `sourceBits`, of which
  /// one divides the other: the last dimension scales, lowest bits first. Fails
  /// where a thread does not hold all parts of a wider element in consecutive
  /// registers.
  Expected<FragmentLayout> recast(int64_t sourceBits, int64_t resultBits) const;

  /// How often `atom` repeats to give this layout: for each hardware dimension
  /// the digits beyond the atom's, in units of the atom's box. Fails when the
  /// atom is not the innermost part. `tile` with the result gives this layout.
  Expected<std::vector<Outer>> divide(const FragmentLayout &atom) const;

private:
  Coordinate shape;
  std::array<Digits, 3> digits;
};

/// What moves when a value goes from one layout to another of the same shape.
enum class ExchangeKind {
  None,    ///< every thread has what it needs; registers at most change names
  Shuffle, ///< every element stays in its warp
  Memory,  ///< through shared memory
};

/// The cheapest way from `source` to `target`. Both have the same shape and the
/// same numbers of lanes and warps.
ExchangeKind classifyExchange(const FragmentLayout &source,
                              const FragmentLayout &target);

/// For `ExchangeKind::None`: the register of `source` that thread (lane,
/// warp) reads for each register of `target`. The same for all threads when the
/// returned table is not empty; empty when it depends on the thread.
std::vector<int64_t> getRegisterRenaming(const FragmentLayout &source,
                                         const FragmentLayout &target);

} // namespace tilec

#endif // TILE_LAYOUT_FRAGMENTLAYOUT_H
