//===- BranchAndBound.cpp - Exact packing within a node budget -----------===//
//
// See BranchAndBound.h for why the search is complete. A node holds the floors
// of all unplaced buffers; placing a buffer raises those of its neighbours.
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
    descend(/*lastOffset=*/0, /*lastBuffer=*/-1, /*total=*/0);
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
  bool isBounded() const;
  std::vector<Candidate> getCandidates(int64_t lastOffset,
                                       int lastBuffer) const;
  void descend(int64_t lastOffset, int lastBuffer, int64_t total);
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

/// Whether what is left cannot end below the best total.
bool Search::isBounded() const {
  for (const Clique &clique : cliques) {
    int64_t lowestFloor = std::numeric_limits<int64_t>::max();
    int64_t bytes = 0;
    for (int buffer : clique)
      if (offsets[buffer] == noOffset) {
        lowestFloor = std::min(lowestFloor, floors[buffer]);
        bytes += buffers[buffer].sizeBytes;
      }
    if (bytes > 0 && lowestFloor + bytes >= best.totalBytes)
      return true;
  }
  return false;
}

std::vector<Search::Candidate> Search::getCandidates(int64_t lastOffset,
                                                     int lastBuffer) const {
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

  std::vector<Candidate> candidates;
  Candidate last{lastOffset, lastBuffer};
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
  std::ranges::sort(candidates, [&](const Candidate &a, const Candidate &b) {
    if (a.offset != b.offset)
      return a.offset < b.offset;
    int64_t sizeA = buffers[a.buffer].sizeBytes;
    int64_t sizeB = buffers[b.buffer].sizeBytes;
    return sizeA != sizeB ? sizeA > sizeB : a.buffer < b.buffer;
  });
  return candidates;
}

void Search::place(const Candidate &candidate, int64_t total) {
  auto [offset, buffer] = candidate;
  int64_t end = getEnd(buffer, offset);
  std::vector<std::pair<int, int64_t>> raised;
  offsets[buffer] = offset;
  --unplaced;
  for (int neighbor : conflicts.getNeighbors(buffer)) {
    int64_t floor = alignUp(end, buffers[neighbor].alignmentBytes);
    if (offsets[neighbor] == noOffset && floors[neighbor] < floor) {
      raised.emplace_back(neighbor, floors[neighbor]);
      floors[neighbor] = floor;
    }
  }
  descend(offset, buffer, std::max(total, end));
  for (auto [neighbor, floor] : raised)
    floors[neighbor] = floor;
  offsets[buffer] = noOffset;
  ++unplaced;
}

void Search::descend(int64_t lastOffset, int lastBuffer, int64_t total) {
  if (unplaced == 0) {
    if (total < best.totalBytes) {
      best.totalBytes = total;
      best.offsets = offsets;
    }
    return;
  }
  if (total >= best.totalBytes || isBounded())
    return;
  for (const Candidate &candidate : getCandidates(lastOffset, lastBuffer)) {
    if (best.totalBytes <= best.lowerBoundBytes || --nodesLeft <= 0)
      return;
    place(candidate, total);
  }
}

bool tilec::arena::searchCanonicalSolutions(const Problem &problem,
                                            const Conflicts &conflicts,
                                            const std::vector<Clique> &cliques,
                                            int64_t nodeBudget,
                                            Solution &solution) {
  return Search(problem, conflicts, cliques, nodeBudget, solution).run();
}
