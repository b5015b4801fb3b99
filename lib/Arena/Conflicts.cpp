//===- Conflicts.cpp - The conflict graph of a packing problem -----------===//
//
// See Conflicts.h. The heaviest clique is found exactly for the graphs that
// occur: a search over buffers in decreasing size that gives up after a fixed
// number of steps, since any clique is a valid bound.
//
//===----------------------------------------------------------------------===//

#include "Conflicts.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

using namespace tilec::arena;

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

static bool overlap(const std::vector<Lifetime> &first,
                    const std::vector<Lifetime> &second) {
  for (const Lifetime &a : first)
    for (const Lifetime &b : second)
      if (std::max(a.begin, b.begin) < std::min(a.end, b.end))
        return true;
  return false;
}

Conflicts::Conflicts(const Problem &problem)
    : count(static_cast<int>(problem.buffers.size())),
      matrix(static_cast<size_t>(count) * count), neighbors(count) {
  const std::vector<Buffer> &buffers = problem.buffers;
  auto add = [&](int first, int second) {
    if (buffers[first].sizeBytes == 0 || buffers[second].sizeBytes == 0)
      return;
    matrix[static_cast<size_t>(first) * count + second] = true;
    matrix[static_cast<size_t>(second) * count + first] = true;
  };
  for (int first = 0; first < count; ++first)
    for (int second = first + 1; second < count; ++second)
      if (overlap(buffers[first].lifetimes, buffers[second].lifetimes))
        add(first, second);
  for (auto [first, second] : problem.conflicts)
    add(first, second);
  for (int buffer = 0; buffer < count; ++buffer)
    for (int other = 0; other < count; ++other)
      if (conflict(buffer, other))
        neighbors[buffer].push_back(other);
}

//===----------------------------------------------------------------------===//
// Cliques
//===----------------------------------------------------------------------===//

int64_t tilec::arena::getCliqueBytes(const Problem &problem,
                                     const Clique &clique) {
  if (clique.empty())
    return 0;
  int64_t alignment = problem.buffers[clique.front()].alignmentBytes;
  for (int buffer : clique)
    alignment = std::min(alignment, problem.buffers[buffer].alignmentBytes);
  // All but the topmost are followed by another, at a multiple of `alignment`.
  int64_t sum = 0;
  int64_t largestSlack = 0;
  for (int buffer : clique) {
    int64_t size = problem.buffers[buffer].sizeBytes;
    int64_t rounded = alignUp(size, alignment);
    sum += rounded;
    largestSlack = std::max(largestSlack, rounded - size);
  }
  return sum - largestSlack;
}

namespace {

/// The bounded exact search for the heaviest clique.
class HeaviestClique {
public:
  HeaviestClique(const Problem &problem, const Conflicts &conflicts)
      : problem(problem), conflicts(conflicts) {}

  Clique find() {
    std::vector<int> candidates(conflicts.getCount());
    std::iota(candidates.begin(), candidates.end(), 0);
    std::ranges::sort(candidates, [&](int a, int b) {
      int64_t sizeA = problem.buffers[a].sizeBytes;
      int64_t sizeB = problem.buffers[b].sizeBytes;
      return sizeA != sizeB ? sizeA > sizeB : a < b;
    });
    extend(candidates, 0);
    std::ranges::sort(best);
    return best;
  }

private:
  void extend(const std::vector<int> &candidates, int64_t bytes) {
    if (bytes > bestBytes || best.empty()) {
      bestBytes = bytes;
      best = current;
    }
    int64_t reachable = bytes;
    for (int candidate : candidates)
      reachable += problem.buffers[candidate].sizeBytes;
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (reachable <= bestBytes || ++steps > stepBudget)
        return;
      int chosen = candidates[i];
      int64_t size = problem.buffers[chosen].sizeBytes;
      std::vector<int> next;
      for (size_t j = i + 1; j < candidates.size(); ++j)
        if (conflicts.conflict(chosen, candidates[j]))
          next.push_back(candidates[j]);
      current.push_back(chosen);
      extend(next, bytes + size);
      current.pop_back();
      reachable -= size;
    }
  }

  static constexpr int64_t stepBudget = 20'000;
  const Problem &problem;
  const Conflicts &conflicts;
  Clique current;
  Clique best;
  int64_t bestBytes = 0;
  int64_t steps = 0;
};

} // namespace

/// Adds to `clique` what conflicts with all of it, large buffers first.
static Clique growClique(Clique clique, const std::vector<int> &bySize,
                         const Conflicts &conflicts) {
  std::vector<char> fits(conflicts.getCount(), 1);
  auto narrowTo = [&](int member) {
    std::ranges::transform(fits, conflicts.getRow(member), fits.begin(),
                           std::bit_and<char>());
  };
  std::ranges::for_each(clique, narrowTo);
  for (int candidate : bySize)
    if (fits[candidate]) {
      clique.push_back(candidate);
      narrowTo(candidate);
    }
  std::ranges::sort(clique);
  return clique;
}

/// The buffers that live at the point where one lifetime begins.
static Clique getLiveAt(const Problem &problem, int64_t point) {
  Clique live;
  for (size_t buffer = 0; buffer < problem.buffers.size(); ++buffer) {
    const Buffer &candidate = problem.buffers[buffer];
    if (candidate.sizeBytes > 0 &&
        std::ranges::any_of(candidate.lifetimes, [&](const Lifetime &span) {
          return span.begin <= point && point < span.end;
        }))
      live.push_back(static_cast<int>(buffer));
  }
  return live;
}

std::vector<Clique> tilec::arena::collectCliques(const Problem &problem,
                                                 const Conflicts &conflicts) {
  std::vector<int> bySize(conflicts.getCount());
  std::iota(bySize.begin(), bySize.end(), 0);
  std::ranges::sort(bySize, [&](int a, int b) {
    int64_t sizeA = problem.buffers[a].sizeBytes;
    int64_t sizeB = problem.buffers[b].sizeBytes;
    return sizeA != sizeB ? sizeA > sizeB : a < b;
  });

  std::vector<Clique> cliques;
  for (int buffer : bySize)
    cliques.push_back(growClique({buffer}, bySize, conflicts));
  for (const Buffer &buffer : problem.buffers)
    for (const Lifetime &span : buffer.lifetimes)
      cliques.push_back(
          growClique(getLiveAt(problem, span.begin), bySize, conflicts));
  cliques.push_back(HeaviestClique(problem, conflicts).find());

  std::erase_if(cliques, [](const Clique &clique) { return clique.empty(); });
  std::ranges::sort(cliques);
  auto repeated = std::ranges::unique(cliques);
  cliques.erase(repeated.begin(), repeated.end());
  std::vector<std::pair<int64_t, Clique>> byBytes;
  for (Clique &clique : cliques)
    byBytes.emplace_back(-getCliqueBytes(problem, clique), std::move(clique));
  std::ranges::sort(byBytes);
  for (size_t index = 0; index < byBytes.size(); ++index)
    cliques[index] = std::move(byBytes[index].second);
  return cliques;
}
