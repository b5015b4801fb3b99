//===- BranchAndBound.cpp - Exact packing within a node budget -----------===//
//
// See BranchAndBound.h for why the search is complete. A node holds the floors
// of all unplaced buffers; placing a buffer raises those of its neighbours.
//
// What the nodes on the way down hold, their candidates and the floors to put
// back, stands on two stacks: a node costs as much as its work, and an
// allocation would be a fifth of that.
//
//===----------------------------------------------------------------------===//

#include "BranchAndBound.h"

#include <algorithm>
#include <limits>

using namespace tilec::arena;

namespace {

constexpr int64_t noOffset = -1;

class Search {
public:
  Search(const Problem &problem, const Conflicts &conflicts,
         const std::vector<Clique> &cliques, int64_t nodeBudget, Solution &best)
      : buffers(problem.buffers), conflicts(conflicts), cliques(cliques),
        nodesLeft(nodeBudget), best(best),
        offsets(problem.buffers.size(), noOffset),
        floors(problem.buffers.size(), 0) {
    findTwins();
    // Buffers of no bytes are in nobody's way.
    for (size_t buffer = 0; buffer < buffers.size(); ++buffer)
      if (buffers[buffer].sizeBytes == 0)
        offsets[buffer] = 0;
      else
        ++unplaced;
  }

  bool run() {
    descend(/*last=*/{0, -1}, /*total=*/0);
    return nodesLeft > 0;
  }

private:
  /// A buffer whose floor lets it come next.
  struct Candidate {
    int64_t offset;
    int buffer;
    bool operator<(const Candidate &other) const {
      return offset != other.offset ? offset < other.offset
                                    : buffer < other.buffer;
    }
  };

  void findTwins();
  bool isBounded(const Clique &clique) const;
  bool isBounded();
  void pushCandidates(const Candidate &last);
  void descend(const Candidate &last, int64_t total);
  void place(const Candidate &candidate, int64_t total);

  int64_t getEnd(int buffer, int64_t offset) const {
    return offset + buffers[buffer].sizeBytes;
  }

  const std::vector<Buffer> &buffers;
  const Conflicts &conflicts;
  const std::vector<Clique> &cliques;
  int64_t nodesLeft;
  Solution &best;

  std::vector<int64_t> offsets; ///< of placed buffers, else noOffset
  std::vector<int64_t> floors;  ///< of unplaced buffers
  std::vector<int> twins;       ///< the buffer that must come first, or -1
  int unplaced = 0;

  std::vector<Candidate> candidates;           ///< of the nodes on the way down
  std::vector<std::pair<int, int64_t>> raised; ///< buffers and floors before
  size_t tightest = 0;                         ///< the clique that bounded last
};

} // namespace

/// Twins have the same neighbours, each other aside.
void Search::findTwins() {
  int count = conflicts.getCount();
  auto areAlike = [&](int first, int second) {
    if (buffers[first].sizeBytes != buffers[second].sizeBytes ||
        buffers[first].alignmentBytes != buffers[second].alignmentBytes)
      return false;
    for (int other = 0; other < count; ++other)
      if (other != first && other != second &&
          conflicts.conflict(first, other) != conflicts.conflict(second, other))
        return false;
    return true;
  };
  twins.assign(count, -1);
  for (int buffer = 0; buffer < count; ++buffer)
    for (int earlier = buffer - 1; earlier >= 0; --earlier)
      if (areAlike(earlier, buffer)) {
        twins[buffer] = earlier;
        break;
      }
}

/// Whether what is left of `clique` cannot end below the best total.
bool Search::isBounded(const Clique &clique) const {
  int64_t lowestFloor = std::numeric_limits<int64_t>::max();
  int64_t bytes = 0;
  for (int buffer : clique)
    if (offsets[buffer] == noOffset) {
      lowestFloor = std::min(lowestFloor, floors[buffer]);
      bytes += buffers[buffer].sizeBytes;
    }
  return bytes > 0 && lowestFloor + bytes >= best.totalBytes;
}

/// The same of any clique. What bounded one node mostly bounds the next.
bool Search::isBounded() {
  if (tightest < cliques.size() && isBounded(cliques[tightest]))
    return true;
  for (size_t index = 0; index < cliques.size(); ++index)
    if (isBounded(cliques[index])) {
      tightest = index;
      return true;
    }
  return false;
}

/// Pushes what may come behind `last`, lowest first.
void Search::pushCandidates(const Candidate &last) {
  // The two lowest ends of unplaced buffers at their floors: what dominates a
  // buffer is the lowest end of another.
  constexpr int64_t infinity = std::numeric_limits<int64_t>::max();
  int64_t lowestEnd = infinity;
  int64_t secondEnd = infinity;
  int lowestBuffer = -1;
  for (int buffer = 0; buffer < conflicts.getCount(); ++buffer) {
    if (offsets[buffer] != noOffset)
      continue;
    int64_t end = getEnd(buffer, floors[buffer]);
    if (end < lowestEnd) {
      secondEnd = lowestEnd;
      lowestEnd = end;
      lowestBuffer = buffer;
    } else {
      secondEnd = std::min(secondEnd, end);
    }
  }

  auto begin = static_cast<std::ptrdiff_t>(candidates.size());
  for (int buffer = 0; buffer < conflicts.getCount(); ++buffer) {
    if (offsets[buffer] != noOffset)
      continue;
    if (twins[buffer] >= 0 && offsets[twins[buffer]] == noOffset)
      continue;
    Candidate candidate{floors[buffer], buffer};
    int64_t otherEnd = buffer == lowestBuffer ? secondEnd : lowestEnd;
    if (last < candidate && candidate.offset < otherEnd)
      candidates.push_back(candidate);
  }
  auto isBefore = [&](const Candidate &a, const Candidate &b) {
    if (a.offset != b.offset)
      return a.offset < b.offset;
    int64_t sizeA = buffers[a.buffer].sizeBytes;
    int64_t sizeB = buffers[b.buffer].sizeBytes;
    return sizeA != sizeB ? sizeA > sizeB : a.buffer < b.buffer;
  };
  std::sort(candidates.begin() + begin, candidates.end(), isBefore);
}

void Search::place(const Candidate &candidate, int64_t total) {
  auto [offset, buffer] = candidate;
  int64_t end = getEnd(buffer, offset);
  size_t before = raised.size();
  offsets[buffer] = offset;
  --unplaced;
  for (int neighbor : conflicts.getNeighbors(buffer)) {
    int64_t floor = alignUp(end, buffers[neighbor].alignmentBytes);
    if (offsets[neighbor] == noOffset && floors[neighbor] < floor) {
      raised.emplace_back(neighbor, floors[neighbor]);
      floors[neighbor] = floor;
    }
  }
  descend(candidate, std::max(total, end));
  for (; raised.size() > before; raised.pop_back())
    floors[raised.back().first] = raised.back().second;
  offsets[buffer] = noOffset;
  ++unplaced;
}

void Search::descend(const Candidate &last, int64_t total) {
  if (unplaced == 0) {
    if (total < best.totalBytes) {
      best.totalBytes = total;
      best.offsets = offsets;
    }
    return;
  }
  if (total >= best.totalBytes || isBounded())
    return;
  size_t begin = candidates.size();
  pushCandidates(last);
  size_t end = candidates.size();
  for (size_t index = begin; index < end; ++index) {
    if (best.totalBytes <= best.lowerBoundBytes || --nodesLeft <= 0)
      break;
    Candidate candidate = candidates[index]; // the stack grows below
    place(candidate, total);
  }
  candidates.resize(begin);
}

bool tilec::arena::searchCanonicalSolutions(const Problem &problem,
                                            const Conflicts &conflicts,
                                            const std::vector<Clique> &cliques,
                                            int64_t nodeBudget,
                                            Solution &solution) {
  return Search(problem, conflicts, cliques, nodeBudget, solution).run();
}
