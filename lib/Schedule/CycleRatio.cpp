//===- CycleRatio.cpp - How fast a cyclic system can go ------------------===//
//
// A guess is too low if, with `guess` cycles taken off for every step, some
// cycle of arcs is still longer than nothing. Its own ratio is the next guess.
//
//===----------------------------------------------------------------------===//

#include "CycleRatio.h"

#include <algorithm>

using namespace tilec::schedule;

namespace {

class RatioSearch {
public:
  RatioSearch(int nodeCount, const std::vector<Arc> &arcs)
      : arcs(arcs), nodeCount(nodeCount) {}

  /// The ratio, rounded up, of a cycle above `guess`; `guess` if there is none.
  int64_t improve(int64_t guess);

private:
  bool relax(int64_t guess);
  bool findCycle(int64_t &ratio);

  const std::vector<Arc> &arcs;
  int nodeCount;
  std::vector<int64_t> times;
  std::vector<int> via; ///< the arc that decides a node's time, or -1
};

} // namespace

/// One round of longest paths; whether a time has grown.
bool RatioSearch::relax(int64_t guess) {
  bool hasChanged = false;
  for (int index = 0; index < static_cast<int>(arcs.size()); ++index) {
    const Arc &arc = arcs[index];
    int64_t time = times[arc.from] + arc.cycles - guess * arc.steps;
    if (time <= times[arc.to])
      continue;
    times[arc.to] = time;
    via[arc.to] = index;
    hasChanged = true;
  }
  return hasChanged;
}

/// Follows the arcs that decide times backwards; where they close a cycle, it
/// is above the guess.
bool RatioSearch::findCycle(int64_t &ratio) {
  std::vector<int> visitedFrom(nodeCount, -1);
  for (int start = 0; start < nodeCount; ++start) {
    int node = start;
    while (visitedFrom[node] < 0 && via[node] >= 0) {
      visitedFrom[node] = start;
      node = arcs[via[node]].from;
    }
    if (via[node] < 0 || visitedFrom[node] != start)
      continue;
    int64_t cycles = 0;
    int64_t steps = 0;
    int end = node;
    do {
      cycles += arcs[via[node]].cycles;
      steps += arcs[via[node]].steps;
      node = arcs[via[node]].from;
    } while (node != end);
    ratio = (cycles + steps - 1) / steps;
    return true;
  }
  return false;
}

int64_t RatioSearch::improve(int64_t guess) {
  times.assign(nodeCount, 0);
  via.assign(nodeCount, -1);
  int64_t ratio = guess;
  while (relax(guess))
    if (findCycle(ratio))
      return ratio;
  return guess;
}

int64_t tilec::schedule::findCycleRatio(int nodeCount,
                                        const std::vector<Arc> &arcs,
                                        int64_t lowest) {
  RatioSearch search(nodeCount, arcs);
  while (true) {
    int64_t higher = search.improve(lowest);
    if (higher == lowest)
      return lowest;
    lowest = higher;
  }
}
