//===- FragmentDerive.cpp - Layouts made from a layout --------------------===//
//
// The layout that a reduction, broadcast or transpose implies on its other
// side. None of these moves data: thread and register numbers stay what they
// were, only coordinates are renamed. FragmentReshape.cpp has those that can
// fail.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "tile/Layout/FragmentLayout.h"

#include <algorithm>
#include <cassert>

using namespace tilec;
using namespace tilec::detail;

FragmentLayout FragmentLayout::dropDims(const std::vector<int> &dims) const {
  // Where each dimension goes; `replicated` for the dropped ones.
  std::vector<int> newDim(shape.size(), 0);
  for (int dim : dims)
    newDim[dim] = Digit::replicated;
  Coordinate newShape;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (newDim[dim] != Digit::replicated) {
      newDim[dim] = static_cast<int>(newShape.size());
      newShape.push_back(shape[dim]);
    }

  std::array<Digits, 3> kept;
  for (int i = 0; i < 3; ++i)
    for (const Digit &digit : digits[i]) {
      int dim = digit.replicates() ? digit.dim : newDim[digit.dim];
      if (dim != Digit::replicated)
        kept[i].push_back({digit.extent, dim, digit.step});
      else if (i != static_cast<int>(HardwareDim::Register))
        kept[i].push_back({digit.extent, Digit::replicated, 0});
    }
  Expected<FragmentLayout> layout = get(std::move(newShape), std::move(kept[0]),
                                        std::move(kept[1]), std::move(kept[2]));
  assert(layout && "the chains of the dimensions that stay are untouched");
  return *layout;
}

FragmentLayout
FragmentLayout::transpose(const std::vector<int> &permutation) const {
  assert(isPermutation(permutation, getRank()) &&
         "the permutation must name each dimension once");
  std::vector<int> newDim(shape.size());
  Coordinate newShape;
  for (size_t i = 0; i < permutation.size(); ++i) {
    newDim[permutation[i]] = static_cast<int>(i);
    newShape.push_back(shape[permutation[i]]);
  }
  FragmentLayout result = *this;
  result.shape = std::move(newShape);
  for (Digits &list : result.digits)
    for (Digit &digit : list)
      if (!digit.replicates())
        digit.dim = newDim[digit.dim];
  return result;
}

FragmentLayout FragmentLayout::project(const std::vector<int> &dims) const {
  std::vector<int> sorted = dims, dropped, order;
  std::ranges::sort(sorted);
  for (int dim = 0; dim < getRank(); ++dim)
    if (!std::ranges::binary_search(sorted, dim))
      dropped.push_back(dim);
  for (int dim : dims)
    order.push_back(static_cast<int>(std::ranges::lower_bound(sorted, dim) -
                                     sorted.begin()));
  return dropDims(dropped).transpose(order);
}
