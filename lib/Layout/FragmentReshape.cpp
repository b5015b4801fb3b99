//===- FragmentReshape.cpp - Reshape, slice, divide -----------------------===//
//
// The derived layouts that do not always exist: digits do not split anywhere,
// so each of these returns the layout or the reason there is none, and
// inference puts an exchange to a layout that can on that edge.
//
// A reshape works on groups of dimensions with equal products, as
// reassociations do. Within a group the row-major index turns the digits into
// one chain, which is cut where the new dimensions meet:
//
//     [32]  lane = [32 : (1)]              [24]  lane = [6 : (1), 4 : (6)]
//     [8, 4]  lane = [4 : (0, 1),          [6, 4]  none: the boundary at 4
//                     8 : (1, 0)]                  would cut the digit of 6
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "tile/Layout/FragmentLayout.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace tilec;
using namespace tilec::detail;

namespace {

/// A dimension seen from its group's row-major index.
struct Place {
  int64_t stride = 1; ///< of one step of the dimension
  int64_t end = 1;    ///< stride times extent; no end for the outermost
};

/// Dimensions [oldBegin, oldEnd) become [newBegin, newEnd).
struct Group {
  int oldBegin, oldEnd, newBegin, newEnd;
};

} // namespace

/// The smallest groups of equal products; unit dimensions at the end join the
/// last group. Both shapes have the same positive number of elements.
static std::vector<Group> getGroups(const Coordinate &oldShape,
                                    const Coordinate &newShape) {
  int oldRank = static_cast<int>(oldShape.size());
  int newRank = static_cast<int>(newShape.size());
  std::vector<Group> groups;
  int i = 0, j = 0;
  while (i < oldRank && j < newRank) {
    Group group = {i, i + 1, j, j + 1};
    int64_t oldProduct = oldShape[i++], newProduct = newShape[j++];
    while (oldProduct != newProduct) {
      if (oldProduct < newProduct)
        oldProduct *= oldShape[i++];
      else
        newProduct *= newShape[j++];
    }
    group.oldEnd = i;
    group.newEnd = j;
    groups.push_back(group);
  }
  if (groups.empty())
    groups.push_back({0, 0, 0, 0});
  groups.back().oldEnd = oldRank;
  groups.back().newEnd = newRank;
  return groups;
}

/// The dimensions [begin, end) of a group from the innermost outward: those
/// with an extent first, then unit dimensions, whose digits are padding
/// altogether.
static std::vector<int> getInnerToOuter(const Coordinate &shape, int begin,
                                        int end) {
  std::vector<int> dims;
  for (bool units : {false, true})
    for (int dim = end - 1; dim >= begin; --dim)
      if ((shape[dim] == 1) == units)
        dims.push_back(dim);
  return dims;
}

/// Gives each old dimension of the group its stride in the group's chain. Only
/// the outermost dimension with an extent may be padded.
static std::optional<Failure> placeOldDims(const Coordinate &shape,
                                           const Coordinate &box,
                                           const Group &group,
                                           std::vector<Place> &places) {
  int64_t stride = 1;
  int padded = -1;
  for (int dim : getInnerToOuter(shape, group.oldBegin, group.oldEnd)) {
    if (padded >= 0 && shape[dim] != 1)
      return Failure{"dimension " + std::to_string(padded) +
                     " is padded from " + std::to_string(shape[padded]) +
                     " to " + std::to_string(box[padded]) +
                     ", and the padding would move"};
    if (box[dim] != shape[dim])
      padded = dim;
    places[dim].stride = stride;
    stride = multiply(stride, box[dim]).value_or(largestNumber);
  }
  return std::nullopt;
}

/// Gives each new dimension of the group its part of the chain; the outermost
/// with an extent has no end, so that it takes the padding.
static void placeNewDims(const Coordinate &shape, const Group &group,
                         std::vector<Place> &places) {
  int64_t stride = 1;
  int outermost = -1;
  for (int dim : getInnerToOuter(shape, group.newBegin, group.newEnd)) {
    places[dim] = {stride, stride * shape[dim]};
    stride = places[dim].end;
    if (shape[dim] != 1 || outermost < 0)
      outermost = dim;
  }
  if (outermost >= 0)
    places[outermost].end = std::numeric_limits<int64_t>::max();
}

/// Cuts a digit of step `stride` in a group's chain where new dimensions meet
/// and appends the parts.
static std::optional<Failure> cutDigit(int64_t extent, int64_t stride,
                                       const Group &group,
                                       const std::vector<Place> &places,
                                       Digits &result) {
  while (extent > 1) {
    int dim = group.newBegin;
    while (dim < group.newEnd &&
           !(places[dim].stride <= stride && stride < places[dim].end))
      ++dim;
    if (dim == group.newEnd)
      return Failure{"the padding has no dimension to go to"};
    Place place = places[dim];
    int64_t here = extent;
    if (place.end / stride < extent) {
      here = place.end / stride;
      if (place.end % stride != 0 || extent % here != 0)
        return Failure{"a digit of extent " + std::to_string(extent) +
                       " at row-major step " + std::to_string(stride) +
                       " straddles the boundary of dimension " +
                       std::to_string(dim) + " at " +
                       std::to_string(place.end)};
    }
    // A whole number: the boundary below would otherwise lie inside another
    // digit of the chain, which straddles it.
    result.push_back({here, dim, stride / place.stride});
    extent /= here;
    stride *= here;
  }
  return std::nullopt;
}

Expected<FragmentLayout>
FragmentLayout::reshape(const Coordinate &newShape) const {
  if (auto failure = checkShape(newShape))
    return *failure;
  if (newShape == shape)
    return *this;
  auto countElements = [](const Coordinate &of) {
    return std::accumulate(of.begin(), of.end(), int64_t(1),
                           std::multiplies<>());
  };
  if (countElements(shape) != countElements(newShape))
    return Failure{"[" + join(shape) + "] and [" + join(newShape) +
                   "] have different numbers of elements"};
  if (countElements(shape) == 0)
    return Failure{"an empty shape has no row-major order to keep"};

  std::vector<Group> groups = getGroups(shape, newShape);
  std::vector<Place> oldPlaces(shape.size()), newPlaces(newShape.size());
  std::vector<int> groupOf(shape.size());
  Coordinate box = getBox();
  for (const Group &group : groups) {
    for (int dim = group.oldBegin; dim < group.oldEnd; ++dim)
      groupOf[dim] = static_cast<int>(&group - groups.data());
    if (auto failure = placeOldDims(shape, box, group, oldPlaces))
      return *failure;
    placeNewDims(newShape, group, newPlaces);
  }

  // Each digit in its group's row-major index, the group as its dimension:
  // digits that continue each other there may be cut elsewhere than where they
  // met.
  std::array<Digits, 3> cut;
  for (int i = 0; i < 3; ++i) {
    Digits chained;
    for (const Digit &digit : digits[i]) {
      if (digit.replicates()) {
        chained.push_back(digit);
        continue;
      }
      std::optional<int64_t> stride =
          multiply(digit.step, oldPlaces[digit.dim].stride);
      if (!stride)
        return Failure{"the padded box has more than 2^48 elements"};
      chained.push_back({digit.extent, groupOf[digit.dim], *stride});
    }
    for (const Digit &digit : mergeDigits(chained)) {
      if (digit.replicates())
        cut[i].push_back(digit);
      else if (auto failure = cutDigit(digit.extent, digit.step,
                                       groups[digit.dim], newPlaces, cut[i]))
        return *failure;
    }
  }
  return get(newShape, std::move(cut[0]), std::move(cut[1]), std::move(cut[2]));
}
