//===- BarrierCover.cpp - The cheapest points that cover all pairs --------===//

#include "tile/Analysis/BarrierCover.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

using namespace mlir::tile;
using llvm::BitVector;

namespace {
/// A point that is worth considering.
struct Candidate {
  int64_t point = 0;
  int64_t weight = 0;
  BitVector pairs; ///< those that it orders
  /// To their later accesses, added up; around the end of a loop at most once.
  int64_t distance = 0;
};

class CoverSolver {
public:
  CoverSolver(llvm::ArrayRef<CoverPair> pairs, llvm::ArrayRef<int64_t> weights);
  llvm::SmallVector<int64_t> solve();

private:
  void search(const BitVector &open, int64_t weight);
  int64_t findHardest(const BitVector &open) const;
  void takeGreedily();

  /// Steps of the search; every example needs fewer than a hundred.
  static constexpr int64_t stepLimit = 20000;

  int64_t pairCount;
  llvm::SmallVector<Candidate> candidates; ///< in the order they are tried
  llvm::SmallVector<int64_t> taken, best;
  int64_t bestWeight = std::numeric_limits<int64_t>::max();
  int64_t steps = 0;
};
} // namespace

CoverSolver::CoverSolver(llvm::ArrayRef<CoverPair> pairs,
                         llvm::ArrayRef<int64_t> weights)
    : pairCount(pairs.size()) {
  llvm::SmallVector<Candidate> all;
  for (auto [point, weight] : llvm::enumerate(weights)) {
    Candidate candidate{static_cast<int64_t>(point), weight,
                        BitVector(pairs.size())};
    int64_t count = weights.size();
    for (auto [index, pair] : llvm::enumerate(pairs))
      if (pair.points.test(point)) {
        candidate.pairs.set(index);
        candidate.distance += (pair.last - candidate.point + count) % count;
      }
    if (candidate.pairs.any())
      all.push_back(std::move(candidate));
  }
  llvm::sort(all, [](const Candidate &a, const Candidate &b) {
    return std::tuple(a.weight, -static_cast<int64_t>(a.pairs.count()),
                      a.distance, -a.point) <
           std::tuple(b.weight, -static_cast<int64_t>(b.pairs.count()),
                      b.distance, -b.point);
  });
  // Whatever is as good comes before.
  for (Candidate &candidate : all) {
    bool isDominated = llvm::any_of(candidates, [&](const Candidate &other) {
      return !candidate.pairs.test(other.pairs);
    });
    if (!isDominated)
      candidates.push_back(std::move(candidate));
  }
}

/// The open pair that the fewest candidates order.
int64_t CoverSolver::findHardest(const BitVector &open) const {
  int64_t hardest = -1, fewest = std::numeric_limits<int64_t>::max();
  for (int64_t pair : open.set_bits()) {
    int64_t count = llvm::count_if(candidates, [&](const Candidate &candidate) {
      return candidate.pairs.test(pair);
    });
    if (count < fewest) {
      fewest = count;
      hardest = pair;
    }
  }
  return hardest;
}

void CoverSolver::search(const BitVector &open, int64_t weight) {
  if (weight >= bestWeight)
    return;
  if (open.none()) {
    bestWeight = weight;
    best = taken;
    return;
  }
  if (++steps > stepLimit)
    return;
  int64_t pair = findHardest(open);
  for (auto [index, candidate] : llvm::enumerate(candidates)) {
    if (!candidate.pairs.test(pair))
      continue;
    BitVector left = open;
    left.reset(candidate.pairs);
    taken.push_back(index);
    search(left, weight + candidate.weight);
    taken.pop_back();
  }
}

/// A first solution: always the candidate that orders most for its cost.
void CoverSolver::takeGreedily() {
  BitVector open(pairCount, true);
  bestWeight = 0;
  while (open.any()) {
    double bestRate = 0;
    size_t choice = 0;
    for (auto [index, candidate] : llvm::enumerate(candidates)) {
      BitVector gained = candidate.pairs;
      gained &= open;
      double rate = double(gained.count()) / double(candidate.weight);
      if (rate > bestRate) {
        bestRate = rate;
        choice = index;
      }
    }
    open.reset(candidates[choice].pairs);
    best.push_back(choice);
    bestWeight += candidates[choice].weight;
  }
}

llvm::SmallVector<int64_t> CoverSolver::solve() {
  takeGreedily();
  search(BitVector(pairCount, true), 0);
  llvm::SmallVector<int64_t> points;
  for (int64_t index : best)
    points.push_back(candidates[index].point);
  llvm::sort(points);
  return points;
}

llvm::SmallVector<int64_t>
mlir::tile::findCheapestCover(llvm::ArrayRef<CoverPair> pairs,
                              llvm::ArrayRef<int64_t> weights) {
  return CoverSolver(pairs, weights).solve();
}
