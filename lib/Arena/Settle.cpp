//===- Settle.cpp - Fewer shared bytes at the same total -----------------===//
//
// The places tried for a buffer are where it is, the beginnings and ends of all
// others, and the top of the arena: between two of them nothing changes for the
// better.
//
//===----------------------------------------------------------------------===//

#include "Settle.h"

#include <algorithm>
#include <tuple>

using namespace tilec::arena;

namespace {

/// What a place costs; the least is best, compared from the first field on.
struct PlaceCost {
  int partners = 0;        ///< other buffers in some of its bytes
  int partialPartners = 0; ///< of these, those in not exactly its bytes
  int64_t offset = 0;

  bool operator<(const PlaceCost &other) const {
    return std::tie(partners, partialPartners, offset) <
           std::tie(other.partners, other.partialPartners, other.offset);
  }
};

} // namespace

/// The cost of `buffer` at `offset`, or nothing where it may not be.
static std::optional<PlaceCost> getCost(const Problem &problem,
                                        const Conflicts &conflicts,
                                        const Solution &solution, int buffer,
                                        int64_t offset) {
  int64_t size = problem.buffers[buffer].sizeBytes;
  if (offset < 0 || offset + size > solution.totalBytes)
    return std::nullopt;
  PlaceCost cost;
  cost.offset = offset;
  for (int other = 0; other < conflicts.getCount(); ++other) {
    int64_t otherOffset = solution.offsets[other];
    int64_t otherSize = problem.buffers[other].sizeBytes;
    if (other == buffer || otherSize == 0 ||
        offset >= otherOffset + otherSize || otherOffset >= offset + size)
      continue;
    if (conflicts.conflict(buffer, other))
      return std::nullopt;
    ++cost.partners;
    if (otherOffset != offset || otherSize != size)
      ++cost.partialPartners;
  }
  return cost;
}

void tilec::arena::settle(const Problem &problem, const Conflicts &conflicts,
                          Solution &solution) {
  constexpr int maxBufferCount = 64;
  int count = conflicts.getCount();
  if (count > maxBufferCount)
    return;
  for (int buffer = 0; buffer < count; ++buffer) {
    const Buffer &moving = problem.buffers[buffer];
    if (moving.sizeBytes == 0)
      continue;
    int64_t alignment = moving.alignmentBytes;
    std::vector<int64_t> places = {solution.offsets[buffer], 0,
                                   (solution.totalBytes - moving.sizeBytes) &
                                       -alignment};
    for (int other = 0; other < count; ++other) {
      int64_t otherOffset = solution.offsets[other];
      places.push_back(alignUp(otherOffset, alignment));
      places.push_back(
          alignUp(otherOffset + problem.buffers[other].sizeBytes, alignment));
    }
    std::ranges::sort(places);
    auto repeated = std::ranges::unique(places);
    places.erase(repeated.begin(), repeated.end());
    std::optional<PlaceCost> best;
    for (int64_t place : places) {
      std::optional<PlaceCost> cost =
          getCost(problem, conflicts, solution, buffer, place);
      if (cost && (!best || *cost < *best))
        best = cost;
    }
    solution.offsets[buffer] = best->offset;
  }
  solution.totalBytes = 0;
  for (int buffer = 0; buffer < count; ++buffer)
    solution.totalBytes =
        std::max(solution.totalBytes,
                 solution.offsets[buffer] + problem.buffers[buffer].sizeBytes);
}
