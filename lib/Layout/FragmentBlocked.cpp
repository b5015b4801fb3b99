//===- FragmentBlocked.cpp - The default layouts of a shape
//----------------===//
//
// `blocked` gives each logical dimension the chain
//
//     [vector registers] [lanes] [warps] [registers]
//
// and chooses how many lanes and warps each dimension gets: the choice with the
// fewest registers a thread, then the least padding, then the most lanes along
// the fastest dimension, factors that divide the extent first. Lanes and warps
// left over replicate. The choice is a dynamic program over the dimensions
// whose state is the numbers of lanes and warps left: cost is a product over
// dimensions, and lexicographic order of products survives multiplication, so
// the best rest is best whatever comes before it.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "tile/Layout/FragmentLayout.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <tuple>

using namespace tilec;
using namespace tilec::detail;

namespace {

/// What one dimension gets, and the cost of it and the dimensions after it.
struct Share {
  int64_t lanes = 1, warps = 1, registers = 1;
  uint64_t registersTotal = 1, boxTotal = 1;
};

/// Distributes lanes and warps over extents, fastest dimension first.
class Distribution {
public:
  Distribution(std::vector<int64_t> extents, int64_t leastAlong)
      : extents(std::move(extents)), leastAlong(leastAlong) {}

  /// The best share of dimension `index` with so many lanes and warps left.
  const Share &choose(size_t index, int64_t lanes, int64_t warps);

private:
  std::vector<int64_t> extents;
  int64_t leastAlong; ///< lanes of the fastest dimension
  std::map<std::tuple<size_t, int64_t, int64_t>, Share> shares;
};

} // namespace

/// The divisors of `number`: first those that divide `extent` too, each group
/// largest first.
static std::vector<int64_t> getDivisors(int64_t number, int64_t extent) {
  std::vector<int64_t> exact, others;
  for (int64_t divisor = number; divisor >= 1; --divisor)
    if (number % divisor == 0)
      (extent % divisor == 0 ? exact : others).push_back(divisor);
  exact.insert(exact.end(), others.begin(), others.end());
  return exact;
}

const Share &Distribution::choose(size_t index, int64_t lanes, int64_t warps) {
  auto [entry, isNew] = shares.try_emplace({index, lanes, warps});
  if (!isNew || index == extents.size())
    return entry->second;
  int64_t extent = extents[index];
  std::optional<Share> best;
  for (int64_t lanesHere : getDivisors(lanes, extent)) {
    if (index == 0 && lanesHere < leastAlong)
      continue;
    // Lanes that pass the extent leave 1, and warps would only add padding to
    // that: none are chosen, so only the last digit of a chain passes the
    // shape.
    int64_t extentLeft = divideRoundingUp(extent, lanesHere);
    for (int64_t warpsHere : getDivisors(warps, extentLeft)) {
      const Share &rest =
          choose(index + 1, lanes / lanesHere, warps / warpsHere);
      Share share = {lanesHere, warpsHere,
                     divideRoundingUp(extentLeft, warpsHere)};
      share.registersTotal = rest.registersTotal * share.registers;
      share.boxTotal = rest.boxTotal * lanesHere * warpsHere * share.registers;
      if (!best || std::pair(share.registersTotal, share.boxTotal) <
                       std::pair(best->registersTotal, best->boxTotal))
        best = share;
    }
  }
  return entry->second = *best;
}

FragmentLayout FragmentLayout::blocked(const Coordinate &shape,
                                       const std::vector<int> &order,
                                       int64_t vectorWidth, int64_t lanes,
                                       int64_t warps, int64_t leastAlong) {
  assert(isPermutation(order, static_cast<int>(shape.size())) &&
         "the order must name each dimension once");
  assert(lanes % leastAlong == 0 && "lanes go along dimensions by divisors");
  std::vector<int64_t> extents;
  for (int dim : order)
    extents.push_back(std::max<int64_t>(shape[dim], 1));
  int64_t vector = 1;
  if (!order.empty() && vectorWidth > 1) {
    vector = std::gcd(vectorWidth, extents[0]);
    extents[0] /= vector;
  }

  Distribution distribution(extents, leastAlong);
  Digits registerDigits, laneDigits, warpDigits;
  if (vector > 1)
    registerDigits.push_back({vector, order[0], 1});
  for (size_t i = 0; i < order.size(); ++i) {
    const Share &share = distribution.choose(i, lanes, warps);
    int64_t step = i == 0 ? vector : 1;
    laneDigits.push_back({share.lanes, order[i], step});
    step *= share.lanes;
    warpDigits.push_back({share.warps, order[i], step});
    step *= share.warps;
    registerDigits.push_back({share.registers, order[i], step});
    lanes /= share.lanes;
    warps /= share.warps;
  }
  laneDigits.push_back({lanes, Digit::replicated, 0});
  warpDigits.push_back({warps, Digit::replicated, 0});
  Expected<FragmentLayout> layout =
      get(shape, std::move(registerDigits), std::move(laneDigits),
          std::move(warpDigits));
  assert(layout && "every shape and thread count has a blocked layout");
  return *layout;
}

FragmentLayout FragmentLayout::replicated(const Coordinate &shape,
                                          int64_t lanes, int64_t warps) {
  Digits registerDigits;
  for (int dim = static_cast<int>(shape.size()) - 1; dim >= 0; --dim)
    registerDigits.push_back({std::max<int64_t>(shape[dim], 1), dim, 1});
  Expected<FragmentLayout> layout =
      get(shape, std::move(registerDigits), {{lanes, Digit::replicated, 0}},
          {{warps, Digit::replicated, 0}});
  assert(layout && "every shape and thread count has a replicated layout");
  return *layout;
}
