//===- Settle.cpp - Fewer shared bytes at the same total -----------------===//
//
// The places tried for a buffer are where it is, the beginnings and ends of all
// others, and the top of the arena: between two of them nothing changes for the
// better.
//
//===----------------------------------------------------------------------===//

#include "Settle.h"
#include "Conflicts.h"

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

/// The places of `moving` that lie in the arena, lowest first.
static void collectPlaces(const Problem &problem, const Solution &solution,
                          const Buffer &moving, std::vector<int64_t> &places) {
  int64_t highest = solution.totalBytes - moving.sizeBytes;
  int64_t alignment = moving.alignmentBytes;
  places = {0, highest & -alignment};
  auto add = [&](int64_t bytes) {
    int64_t place = alignUp(bytes, alignment);
    if (place <= highest)
      places.push_back(place);
  };
  for (size_t other = 0; other < problem.buffers.size(); ++other) {
    add(solution.offsets[other]);
    add(solution.offsets[other] + problem.buffers[other].sizeBytes);
  }
  std::ranges::sort(places);
  auto repeated = std::ranges::unique(places);
  places.erase(repeated.begin(), repeated.end());
}

void tilec::arena::settle(const Problem &problem, Solution &solution) {
  constexpr int maxBufferCount = 64;
  int count = static_cast<int>(problem.buffers.size());
  if (count > maxBufferCount)
    return;
  Conflicts conflicts(problem);
  std::vector<int64_t> places;
  for (int buffer = 0; buffer < count; ++buffer) {
    const Buffer &moving = problem.buffers[buffer];
    if (moving.sizeBytes == 0)
      continue;
    collectPlaces(problem, solution, moving, places);
    std::optional<PlaceCost> best;
    for (int64_t place : places) {
      std::optional<PlaceCost> cost =
          getCost(problem, conflicts, solution, buffer, place);
      if (cost && (!best || *cost < *best))
        best = cost;
      if (best && best->partners == 0)
        break; // none is better, and others lie higher
    }
    solution.offsets[buffer] = best->offset;
  }
  solution.totalBytes = 0;
  for (int buffer = 0; buffer < count; ++buffer)
    solution.totalBytes =
        std::max(solution.totalBytes,
                 solution.offsets[buffer] + problem.buffers[buffer].sizeBytes);
}
