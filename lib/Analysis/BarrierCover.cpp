//===- BarrierCover.cpp - The cheapest points that cover all pairs --------===//

#include "tile/Analysis/BarrierCover.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <map>
#include <vector>

using namespace mlir::tile;
using llvm::BitVector;
using Numbers = llvm::SmallVector<int64_t>; ///< ascending

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

namespace {
/// Candidates are numbered in the order in which they are tried.
struct CoverProblem {
  CoverProblem(llvm::ArrayRef<CoverPair> pairs,
               llvm::ArrayRef<int64_t> weights);
  void reduce();

  Numbers points, weights; ///< by candidate
  /// The pairs that a candidate orders, and the other way round. What needs no look
  /// any more has none.
  std::vector<Numbers> pairsOf, candidatesOf;

private:
  bool removeImpliedPairs();
  bool removeWorseCandidates();
};
} // namespace

CoverProblem::CoverProblem(llvm::ArrayRef<CoverPair> pairs,
                           llvm::ArrayRef<int64_t> pointWeights) {
  int64_t count = pointWeights.size();
  std::vector<Numbers> covered(count);
  // To their later accesses, added up; around the end of a loop at most once.
  std::vector<int64_t> distance(count);
  for (auto [index, pair] : llvm::enumerate(pairs))
    for (int64_t point : pair.points) {
      covered[point].push_back(index);
      distance[point] += (pair.last - point + count) % count;
    }
  for (int64_t point = 0; point < count; ++point)
    if (!covered[point].empty())
      points.push_back(point);
  llvm::sort(points, [&](int64_t a, int64_t b) {
    return std::tuple(pointWeights[a], -int64_t(covered[a].size()), distance[a],
                      -a) < std::tuple(pointWeights[b],
                                       -int64_t(covered[b].size()), distance[b],
                                       -b);
  });
  candidatesOf.resize(pairs.size());
  for (auto [index, point] : llvm::enumerate(points)) {
    weights.push_back(pointWeights[point]);
    for (int64_t pair : covered[point])
      candidatesOf[pair].push_back(index);
    pairsOf.push_back(std::move(covered[point]));
  }
}

static bool isSubset(const Numbers &part, const Numbers &whole) {
  return llvm::includes(whole, part);
}

/// Takes `number` out of the lists at `owners`.
static void removeFrom(std::vector<Numbers> &lists, const Numbers &owners,
                       int64_t number) {
  for (int64_t owner : owners)
    lists[owner].erase(llvm::lower_bound(lists[owner], number));
}

/// The list with the fewest entries of those at `indices`.
static const Numbers &getShortest(const std::vector<Numbers> &lists,
                                  const Numbers &indices) {
  int64_t shortest = indices.front();
  for (int64_t index : indices)
    if (lists[index].size() < lists[shortest].size())
      shortest = index;
  return lists[shortest];
}

/// A pair is ordered with any whose points are among its own.
bool CoverProblem::removeImpliedPairs() {
  bool changed = false;
  for (int64_t pair = 0; pair < int64_t(candidatesOf.size()); ++pair) {
    if (candidatesOf[pair].empty())
      continue;
    Numbers others = getShortest(pairsOf, candidatesOf[pair]);
    for (int64_t other : others) {
      if (other == pair || !isSubset(candidatesOf[pair], candidatesOf[other]))
        continue;
      removeFrom(pairsOf, candidatesOf[other], other);
      candidatesOf[other].clear();
      changed = true;
    }
  }
  return changed;
}

/// Whatever is as good comes before.
bool CoverProblem::removeWorseCandidates() {
  bool changed = false;
  for (int64_t candidate = pairsOf.size(); candidate-- > 0;) {
    if (pairsOf[candidate].empty())
      continue;
    bool isWorse = llvm::any_of(
        getShortest(candidatesOf, pairsOf[candidate]), [&](int64_t other) {
          return other < candidate &&
                 isSubset(pairsOf[candidate], pairsOf[other]);
        });
    if (!isWorse)
      continue;
    removeFrom(candidatesOf, pairsOf[candidate], candidate);
    pairsOf[candidate].clear();
    changed = true;
  }
  return changed;
}

/// Leaves the pairs and candidates on which the choice depends.
void CoverProblem::reduce() {
  bool changed = true;
  while (changed) {
    changed = removeWorseCandidates();
    changed |= removeImpliedPairs();
  }
}

//===----------------------------------------------------------------------===//
// One part of it
//===----------------------------------------------------------------------===//

namespace {
/// A cheapest cover of pairs that share candidates with no others.
class PartSolver {
public:
  PartSolver(const CoverProblem &problem, const Numbers &pairs);
  /// The numbers of candidates.
  Numbers solve();

private:
  struct Candidate {
    int64_t number = 0;
    int64_t weight = 0;
    BitVector pairs; ///< of this part
  };

  void search(const BitVector &open, int64_t weight);
  int64_t findHardest(const BitVector &open) const;
  void takeGreedily();

  /// Steps of the search; every example needs fewer than a hundred.
  static constexpr int64_t stepLimit = 20000;

  int64_t pairCount;
  std::vector<Candidate> candidates; ///< in the order they are tried
  Numbers choices;                   ///< by pair: how many candidates order it
  Numbers taken, best;
  int64_t bestWeight = std::numeric_limits<int64_t>::max();
  int64_t steps = 0;
};
} // namespace

PartSolver::PartSolver(const CoverProblem &problem, const Numbers &pairs)
    : pairCount(pairs.size()) {
  std::map<int64_t, BitVector> covered;
  for (auto [index, pair] : llvm::enumerate(pairs)) {
    const Numbers &numbers = problem.candidatesOf[pair];
    choices.push_back(numbers.size());
    for (int64_t number : numbers)
      covered.try_emplace(number, pairCount).first->second.set(index);
  }
  for (auto &[number, bits] : covered)
    candidates.push_back({number, problem.weights[number], std::move(bits)});
}

/// The open pair that the fewest candidates order.
int64_t PartSolver::findHardest(const BitVector &open) const {
  int64_t hardest = open.find_first();
  for (int64_t pair : open.set_bits())
    if (choices[pair] < choices[hardest])
      hardest = pair;
  return hardest;
}

void PartSolver::search(const BitVector &open, int64_t weight) {
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
void PartSolver::takeGreedily() {
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

Numbers PartSolver::solve() {
  takeGreedily();
  search(BitVector(pairCount, true), 0);
  for (int64_t &index : best)
    index = candidates[index].number;
  return best;
}

llvm::SmallVector<int64_t>
mlir::tile::findCheapestCover(llvm::ArrayRef<CoverPair> pairs,
                              llvm::ArrayRef<int64_t> weights) {
  CoverProblem problem(pairs, weights);
  problem.reduce();
  // Pairs that share a candidate, directly or by way of others, belong together.
  llvm::EquivalenceClasses<int64_t> parts;
  for (const Numbers &together : problem.pairsOf)
    for (int64_t pair : together)
      parts.unionSets(together.front(), pair);
  Numbers chosen;
  for (const auto &entry : parts) {
    if (!entry->isLeader())
      continue;
    Numbers part(parts.member_begin(*entry), parts.member_end());
    llvm::sort(part);
    for (int64_t candidate : PartSolver(problem, part).solve())
      chosen.push_back(problem.points[candidate]);
  }
  llvm::sort(chosen);
  return chosen;
}
