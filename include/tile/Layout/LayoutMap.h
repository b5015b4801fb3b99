//===- LayoutMap.h - How one layout follows from another --------*- C++ -*-===//
//
// Between the layouts of two values, or of a value and an iteration space, an
// operation states a map: the layout of one end as a function of the other's. A
// map is a value that can be compared, printed and written down in a test:
//
//     identity               elementwise operands, loop-carried values
//     drop dims [1]          what a broadcast or a reduction leaves out
//     permute [1, 0]         a transposition
//     project [0]            a fragment read at some of a loop's variables
//     reshape [8, 4]         the same elements under another shape
//     slice [0, 4] [8, 4]    a part, in whole registers of every thread
//     if sliceable ..        the whole, provided that it has that part
//     recast 8 to 16 bits    the same bits as wider or narrower elements
//
// A map need not have a value everywhere: digits do not split at any place.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUT_LAYOUTMAP_H
#define TILE_LAYOUT_LAYOUTMAP_H

#include "tile/Layout/FragmentLayout.h"

namespace tilec {

class LayoutMap {
public:
  enum class Kind {
    Identity,
    DropDims,
    Permute,
    Project,
    Reshape,
    Slice,
    IfSliceable,
    Recast
  };

  /// The identity.
  LayoutMap() = default;

  /// `FragmentLayout::dropDims`; `dims` increasing.
  static LayoutMap dropDims(const Coordinate &dims);
  /// `FragmentLayout::transpose`.
  static LayoutMap permute(const Coordinate &permutation);
  /// `FragmentLayout::project`.
  static LayoutMap project(const Coordinate &dims);
  /// `FragmentLayout::reshape`.
  static LayoutMap reshape(const Coordinate &shape);
  /// `FragmentLayout::slice`, then under `shape`: the part's, or that without
  /// unit dimensions.
  static LayoutMap slice(const Coordinate &offsets, const Coordinate &sizes,
                         const Coordinate &shape);
  /// The layout itself; fails where `slice` of the same arguments does.
  static LayoutMap ifSliceable(const Coordinate &offsets,
                               const Coordinate &sizes,
                               const Coordinate &shape);
  /// `FragmentLayout::recast`.
  static LayoutMap recast(int64_t sourceBits, int64_t resultBits);

  Kind getKind() const { return kind; }
  bool isIdentity() const { return kind == Kind::Identity; }
  /// Whether this is `dropDims({dim})`.
  bool drops(int64_t dim) const {
    return kind == Kind::DropDims && lists[0] == Coordinate{dim};
  }

  /// Of a slice: how much it takes of each dimension of the whole.
  const Coordinate &getSliceSizes() const { return lists[1]; }

  /// The other end's layout, or the reason why there is none.
  Expected<FragmentLayout> apply(const FragmentLayout &layout) const;

  /// As in the header's list.
  std::string toString() const;

  bool operator==(const LayoutMap &) const = default;

private:
  LayoutMap(Kind kind, Coordinate first, Coordinate second = {},
            Coordinate third = {})
      : kind(kind),
        lists{std::move(first), std::move(second), std::move(third)} {}

  Kind kind = Kind::Identity;
  /// Dimensions, a permutation or a shape; offsets, sizes and a shape; two
  /// widths.
  std::array<Coordinate, 3> lists;
};

} // namespace tilec

#endif // TILE_LAYOUT_LAYOUTMAP_H
