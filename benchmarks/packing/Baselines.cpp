//===- Baselines.cpp - The packers that others ship -----------------------===//

#include "Baselines.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace tilec::arena;

static Lifetime getHull(const Buffer &buffer) {
  if (buffer.lifetimes.empty())
    return {};
  return {buffer.lifetimes.front().begin, buffer.lifetimes.back().end};
}

static int64_t alignUp(int64_t value, int64_t alignment) {
  return (value + alignment - 1) & -alignment;
}

/// Bytes taken by the live buffers, by their begin.
static std::vector<Lifetime> getTaken(const Problem &problem,
                                      const Solution &solution, int64_t point) {
  std::vector<Lifetime> taken;
  for (size_t other = 0; other < problem.buffers.size(); ++other) {
    int64_t offset = solution.offsets[other];
    if (offset >= 0 && getHull(problem.buffers[other]).end > point)
      taken.push_back({offset, offset + problem.buffers[other].sizeBytes});
  }
  std::ranges::sort(taken, {}, &Lifetime::begin);
  return taken;
}

/// The place for `buffer`: the lowest gap, or the smallest one.
static int64_t choosePlace(const std::vector<Lifetime> &taken,
                           const Buffer &buffer, bool smallest) {
  int64_t top = 0;
  int64_t best = -1;
  int64_t bestRoom = std::numeric_limits<int64_t>::max();
  for (const Lifetime &span : taken) {
    int64_t place = alignUp(top, buffer.alignmentBytes);
    int64_t room = span.begin - top;
    if (place + buffer.sizeBytes <= span.begin && room < bestRoom) {
      if (!smallest)
        return place;
      best = place;
      bestRoom = room;
    }
    top = std::max(top, span.end);
  }
  return best >= 0 ? best : alignUp(top, buffer.alignmentBytes);
}

static Solution packInOrderOfTime(const Problem &problem, bool smallest) {
  std::vector<int> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int index) {
    return std::pair(getHull(problem.buffers[index]).begin, index);
  });
  Solution solution;
  solution.offsets.assign(problem.buffers.size(), -1);
  for (int index : order) {
    const Buffer &buffer = problem.buffers[index];
    int64_t place =
        choosePlace(getTaken(problem, solution, getHull(buffer).begin), buffer,
                    smallest);
    solution.offsets[index] = place;
    solution.totalBytes =
        std::max(solution.totalBytes, place + buffer.sizeBytes);
  }
  return solution;
}

Solution packByLinearScan(const Problem &problem) {
  return packInOrderOfTime(problem, /*smallest=*/false);
}

Solution packByBestFit(const Problem &problem) {
  return packInOrderOfTime(problem, /*smallest=*/true);
}
