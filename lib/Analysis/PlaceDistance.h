//===- PlaceDistance.h - How far apart accesses start -----------*- C++ -*-===//
//
// Along a dimension an access starts at a sum of multiples of values. Where a later one
// starts minus where an earlier one did is such a sum too, of what each value has
// changed by in between:
//
//     scf.for %i = %lower to %n step 64 {      %row is the same in both:      0
//       %at = %row + %i                        %i goes on with the loop:     64 or more
//       tile.store %t, %y[%at]                 distance of two stores:       64 or more
//     }
//
// Sums of 64 bits are taken not to wrap (LinearForm.h). Sums of fewer may, which
// changes a distance by a multiple of 2 to their width: places are only apart
// if they are so for all of them.
//
// Two places of which one number counts a dimension in steps no less than the boxes
// meet only where that number is the same. Numbers of all dimensions may be enough to say
// that the iteration is, as quotient and remainder are:
//
//     scf.for %tile = %block to %tiles step %blocks {
//       store %y[%tile / %n * 16, %tile % %n * 64]       16 x 64 elements
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_PLACEDISTANCE_H
#define TILE_LIB_ANALYSIS_PLACEDISTANCE_H

#include "tile/Analysis/ConflictScope.h"
#include "tile/Analysis/IndexFacts.h"

#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tile {

/// The numbers from `least` to `most`.
struct NumberBounds {
  llvm::DynamicAPInt least, most;
  NumberBounds &operator+=(const NumberBounds &other);
  NumberBounds operator*(int64_t factor) const;
};

/// What changes from an earlier access to a later one.
class PlaceDistance {
public:
  PlaceDistance(IndexFacts &facts, PlaceFacts known)
      : facts(facts), known(known) {}

  /// Whether `value` stands for the same number in both accesses.
  bool isSame(Value value) const;
  /// From the start of `earlier` to that of `later`, where it is a constant.
  std::optional<int64_t> getConstant(const PlaceDim &earlier,
                                     const PlaceDim &later) const;
  /// Whether they have no coordinate in common.
  bool areApart(const PlaceDim &earlier, const PlaceDim &later);

private:
  bool areApart(const PlaceDim &earlier, const PlaceDim &later,
                NumberBounds distance, unsigned bits) const;
  NumberBounds getDistance(const LinearForm &earlier, const LinearForm &later);
  NumberBounds getBounds(Value value);
  std::optional<NumberBounds> getChange(Value value);
  std::optional<NumberBounds> getChangeOfOne(Value value);

  IndexFacts &facts;
  PlaceFacts known;
};

/// The values that are the same in two accesses if they have an element in common.
class CommonValues {
public:
  explicit CommonValues(const PlaceDistance &distance) : distance(distance) {}

  /// What follows from a common coordinate of a dimension.
  void add(const PlaceDim &earlier, const PlaceDim &later);
  /// Whether it follows that `value` is the same in both.
  bool include(Value value);

private:
  bool isCommon(Value value, int depth = 0) const;
  void addFrom(Value value);

  const PlaceDistance &distance;
  llvm::SetVector<Value> values;
};

} // namespace mlir::tile

#endif // TILE_LIB_ANALYSIS_PLACEDISTANCE_H
