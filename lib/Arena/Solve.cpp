//===- Solve.cpp - Lower bound, first fit, search, settling --------------===//
//
// First fit in a good order meets the lower bound for most problems, and then
// nothing else runs. Orders differ in what they place first: large buffers,
// long-lived ones, both, early ones, or those in conflict with the most.
//
//===----------------------------------------------------------------------===//

#include "BranchAndBound.h"
#include "Conflicts.h"
#include "Parts.h"
#include "Settle.h"

#include <algorithm>
#include <array>
#include <numeric>

using namespace tilec::arena;

namespace {

/// What the orders compare; larger comes first.
struct OrderKeys {
  int64_t size = 0;
  int64_t length = 0; ///< of the lifetimes, together
  int64_t start = 0;  ///< negated begin of the first lifetime
  int64_t degree = 0;
  int64_t neighborBytes = 0;
};

using Order = bool (*)(const OrderKeys &, const OrderKeys &);

constexpr std::array<Order, 6> orders = {
    [](const OrderKeys &a, const OrderKeys &b) { return a.size > b.size; },
    [](const OrderKeys &a, const OrderKeys &b) {
      return static_cast<double>(a.size) * static_cast<double>(a.length) >
             static_cast<double>(b.size) * static_cast<double>(b.length);
    },
    [](const OrderKeys &a, const OrderKeys &b) { return a.length > b.length; },
    [](const OrderKeys &a, const OrderKeys &b) { return a.start > b.start; },
    [](const OrderKeys &a, const OrderKeys &b) { return a.degree > b.degree; },
    [](const OrderKeys &a, const OrderKeys &b) {
      return a.size + a.neighborBytes > b.size + b.neighborBytes;
    },
};

} // namespace

static std::vector<OrderKeys> computeOrderKeys(const Problem &problem,
                                               const Conflicts &conflicts) {
  std::vector<OrderKeys> keys;
  for (int index = 0; index < conflicts.getCount(); ++index) {
    const Buffer &buffer = problem.buffers[index];
    OrderKeys key;
    key.size = buffer.sizeBytes;
    for (const Lifetime &span : buffer.lifetimes)
      key.length += span.end - span.begin;
    if (!buffer.lifetimes.empty())
      key.start = -buffer.lifetimes.front().begin;
    key.degree = static_cast<int64_t>(conflicts.getNeighbors(index).size());
    for (int neighbor : conflicts.getNeighbors(index))
      key.neighborBytes += problem.buffers[neighbor].sizeBytes;
    keys.push_back(key);
  }
  return keys;
}

/// The lowest aligned offset at which `buffer` misses the placed buffers that
/// conflict with it. `offsets` of unplaced buffers are negative. `taken` is
/// overwritten: the spans of bytes of the others, by where they begin.
static int64_t findLowestOffset(const Problem &problem,
                                const Conflicts &conflicts, int buffer,
                                const std::vector<int64_t> &offsets,
                                std::vector<Lifetime> &taken) {
  taken.clear();
  for (int neighbor : conflicts.getNeighbors(buffer))
    if (offsets[neighbor] >= 0)
      taken.push_back(
          {offsets[neighbor],
           offsets[neighbor] + problem.buffers[neighbor].sizeBytes});
  std::ranges::sort(taken, {}, &Lifetime::begin);
  const Buffer &placing = problem.buffers[buffer];
  int64_t offset = 0;
  for (const Lifetime &span : taken) {
    if (offset + placing.sizeBytes <= span.begin)
      break;
    offset = std::max(offset, alignUp(span.end, placing.alignmentBytes));
  }
  return offset;
}

static Solution placeFirstFit(const Problem &problem,
                              const Conflicts &conflicts,
                              const std::vector<int> &order) {
  Solution solution;
  solution.offsets.assign(problem.buffers.size(), -1);
  std::vector<Lifetime> taken;
  for (int buffer : order) {
    int64_t offset =
        findLowestOffset(problem, conflicts, buffer, solution.offsets, taken);
    solution.offsets[buffer] = offset;
    solution.totalBytes = std::max(solution.totalBytes,
                                   offset + problem.buffers[buffer].sizeBytes);
  }
  return solution;
}

int Problem::addBuffer(std::string name, int64_t sizeBytes,
                       int64_t alignmentBytes,
                       std::vector<Lifetime> lifetimes) {
  buffers.push_back(
      {std::move(name), sizeBytes, alignmentBytes, std::move(lifetimes)});
  return static_cast<int>(buffers.size()) - 1;
}

namespace {

/// A part, and what the solver asks of it.
struct SolvedPart {
  explicit SolvedPart(Part of)
      : part(std::move(of)), conflicts(part.problem),
        cliques(collectCliques(part.problem, conflicts)),
        keys(computeOrderKeys(part.problem, conflicts)) {}

  Solution placeInOrder(Order isBefore) const;
  int64_t getLowerBound() const {
    return getCliqueBytes(part.problem, cliques.front());
  }

  Part part;
  Conflicts conflicts;
  std::vector<Clique> cliques;
  std::vector<OrderKeys> keys;
  Solution best;
};

} // namespace

Solution SolvedPart::placeInOrder(Order isBefore) const {
  std::vector<int> order(part.problem.buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](int a, int b) {
    if (isBefore(keys[a], keys[b]) || isBefore(keys[b], keys[a]))
      return isBefore(keys[a], keys[b]);
    return keys[a].size != keys[b].size ? keys[a].size > keys[b].size : a < b;
  });
  return placeFirstFit(part.problem, conflicts, order);
}

/// Places all parts in the order that gives the smallest arena; returns its bytes.
static int64_t placeInBestOrder(std::vector<SolvedPart> &parts,
                                int64_t lowerBound) {
  int64_t bestBytes = 0;
  for (Order isBefore : orders) {
    std::vector<Solution> solutions;
    int64_t bytes = 0;
    for (const SolvedPart &part : parts) {
      solutions.push_back(part.placeInOrder(isBefore));
      bytes = std::max(bytes, solutions.back().totalBytes);
    }
    if (isBefore == orders.front() || bytes < bestBytes) {
      bestBytes = bytes;
      for (size_t index = 0; index < parts.size(); ++index)
        parts[index].best = std::move(solutions[index]);
    }
    if (bestBytes == lowerBound)
      break;
  }
  return bestBytes;
}

/// Searches the parts that make the arena larger than it may have to be. Whether no
/// smaller one exists.
static bool searchParts(std::vector<SolvedPart> &parts, int64_t lowerBound,
                        int64_t nodeBudget) {
  int64_t bytes = lowerBound, leastBytes = lowerBound;
  for (SolvedPart &part : parts) {
    if (part.best.totalBytes <= lowerBound)
      continue;
    if (searchCanonicalSolutions(part.part.problem, part.conflicts,
                                 part.cliques, nodeBudget, part.best))
      leastBytes = std::max(leastBytes, part.best.totalBytes);
    bytes = std::max(bytes, part.best.totalBytes);
  }
  return bytes == leastBytes;
}

Solution tilec::arena::solve(const Problem &problem, int64_t nodeBudget) {
  if (checkProblem(problem))
    return {};
  std::vector<SolvedPart> parts;
  int64_t lowerBound = 0;
  for (Part &part : splitIntoParts(problem)) {
    parts.emplace_back(std::move(part));
    lowerBound = std::max(lowerBound, parts.back().getLowerBound());
  }
  Solution best;
  best.lowerBoundBytes = lowerBound;
  best.isOptimal = placeInBestOrder(parts, lowerBound) == lowerBound ||
                   searchParts(parts, lowerBound, nodeBudget);
  best.offsets.resize(problem.buffers.size());
  for (const SolvedPart &part : parts) {
    best.totalBytes = std::max(best.totalBytes, part.best.totalBytes);
    for (size_t index = 0; index < part.part.buffers.size(); ++index)
      best.offsets[part.part.buffers[index]] = part.best.offsets[index];
  }
  settle(problem, best);
  return best;
}

Solution tilec::arena::solveWithin(const Problem &problem, int64_t limitBytes) {
  Solution solution = solve(problem, shortNodeBudget);
  if (solution.isOptimal || solution.totalBytes <= limitBytes ||
      solution.lowerBoundBytes > limitBytes)
    return solution;
  return solve(problem, longNodeBudget);
}

/// No solution of `problem` that the solver gives is larger: all buffers end to end, each
/// at a multiple of the largest alignment.
static int64_t getEndToEndBytes(const Problem &problem) {
  int64_t alignment = 1, bytes = 0;
  for (const Buffer &buffer : problem.buffers)
    alignment = std::max(alignment, buffer.alignmentBytes);
  for (const Buffer &buffer : problem.buffers)
    bytes += alignUp(buffer.sizeBytes, alignment);
  return bytes;
}

int64_t tilec::arena::packBytes(const Problem &problem, int64_t limitBytes) {
  if (checkProblem(problem))
    return 0;
  std::vector<Part> parts = splitIntoParts(problem);
  std::vector<std::pair<int64_t, size_t>> largestFirst;
  for (size_t index = 0; index < parts.size(); ++index)
    largestFirst.emplace_back(-getEndToEndBytes(parts[index].problem), index);
  std::ranges::sort(largestFirst);
  int64_t bytes = 0;
  for (auto [negatedMost, index] : largestFirst) {
    if (-negatedMost <= bytes)
      break;
    Solution solution = solveWithin(parts[index].problem, limitBytes);
    bytes = std::max(bytes, solution.totalBytes);
  }
  return bytes;
}

std::vector<int> tilec::arena::getPeak(const Problem &problem) {
  if (checkProblem(problem))
    return {};
  std::vector<Clique> cliques = collectCliques(problem, Conflicts(problem));
  return cliques.empty() ? Clique{} : cliques.front();
}
