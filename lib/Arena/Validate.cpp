//===- Validate.cpp - Independent check of a packing ---------------------===//
//
// Reads problem and solution only and decides every conflict anew, pair by
// pair, so that a mistake of the solver cannot hide in shared code.
//
//===----------------------------------------------------------------------===//

#include "tile/Arena/Arena.h"

using namespace tilec::arena;

static std::string number(int64_t value) { return std::to_string(value); }

static std::string describe(const Problem &problem, size_t index) {
  return "buffer '" + problem.buffers[index].name + "'";
}

static std::string describeBytes(const Problem &problem,
                                 const Solution &solution, size_t index) {
  int64_t offset = solution.offsets[index];
  return describe(problem, index) + " in bytes [" + number(offset) + ", " +
         number(offset + problem.buffers[index].sizeBytes) + ")";
}

static bool liveTogether(const Buffer &first, const Buffer &second) {
  for (const Lifetime &a : first.lifetimes)
    for (const Lifetime &b : second.lifetimes)
      if (a.begin < b.end && b.begin < a.end && a.begin < a.end &&
          b.begin < b.end)
        return true;
  return false;
}

static bool isListed(const Problem &problem, size_t first, size_t second) {
  for (auto [a, b] : problem.conflicts) {
    size_t low = static_cast<size_t>(a < b ? a : b);
    size_t high = static_cast<size_t>(a < b ? b : a);
    if (low == first && high == second)
      return true;
  }
  return false;
}

static bool shareBytes(const Problem &problem, const Solution &solution,
                       size_t first, size_t second) {
  int64_t firstBegin = solution.offsets[first];
  int64_t secondBegin = solution.offsets[second];
  int64_t firstEnd = firstBegin + problem.buffers[first].sizeBytes;
  int64_t secondEnd = secondBegin + problem.buffers[second].sizeBytes;
  return firstBegin < secondEnd && secondBegin < firstEnd &&
         firstBegin < firstEnd && secondBegin < secondEnd;
}

std::optional<std::string> tilec::arena::checkProblem(const Problem &problem) {
  constexpr int64_t maxSizeBytes = int64_t(1) << 40;
  constexpr int64_t maxAlignmentBytes = int64_t(1) << 20;
  for (size_t index = 0; index < problem.buffers.size(); ++index) {
    const Buffer &buffer = problem.buffers[index];
    std::string name = describe(problem, index);
    if (buffer.sizeBytes < 0 || buffer.sizeBytes > maxSizeBytes)
      return name + " has a size of " + number(buffer.sizeBytes) +
             " bytes; it must be from 0 to " + number(maxSizeBytes);
    int64_t alignment = buffer.alignmentBytes;
    if (alignment < 1 || alignment > maxAlignmentBytes ||
        (alignment & (alignment - 1)) != 0)
      return name + " has an alignment of " + number(alignment) +
             " bytes; it must be a power of two from 1 to " +
             number(maxAlignmentBytes);
    for (const Lifetime &span : buffer.lifetimes)
      if (span.end < span.begin)
        return name + " has a lifetime that begins at " + number(span.begin) +
               " and ends before, at " + number(span.end);
  }
  int64_t count = static_cast<int64_t>(problem.buffers.size());
  for (auto [first, second] : problem.conflicts) {
    std::string pair =
        "conflict (" + number(first) + ", " + number(second) + ")";
    if (first < 0 || second < 0 || first >= count || second >= count)
      return pair + " names a buffer that does not exist; there are " +
             number(count);
    if (first == second)
      return pair + " is of a buffer with itself";
  }
  return std::nullopt;
}

std::optional<std::string> tilec::arena::validate(const Problem &problem,
                                                  const Solution &solution) {
  if (std::optional<std::string> error = checkProblem(problem))
    return error;
  size_t count = problem.buffers.size();
  if (solution.offsets.size() != count)
    return "the solution has " + number(int64_t(solution.offsets.size())) +
           " offsets for " + number(int64_t(count)) + " buffers";

  int64_t largestEnd = 0;
  for (size_t index = 0; index < count; ++index) {
    const Buffer &buffer = problem.buffers[index];
    int64_t offset = solution.offsets[index];
    if (offset < 0)
      return describe(problem, index) + " has the negative offset " +
             number(offset);
    if (offset % buffer.alignmentBytes != 0)
      return describe(problem, index) + " is at offset " + number(offset) +
             ", which is not a multiple of its alignment of " +
             number(buffer.alignmentBytes) + " bytes";
    if (offset + buffer.sizeBytes > largestEnd)
      largestEnd = offset + buffer.sizeBytes;
  }
  for (size_t first = 0; first < count; ++first)
    for (size_t second = first + 1; second < count; ++second)
      if (shareBytes(problem, solution, first, second) &&
          (liveTogether(problem.buffers[first], problem.buffers[second]) ||
           isListed(problem, first, second)))
        return describeBytes(problem, solution, first) + " overlaps " +
               describeBytes(problem, solution, second) +
               ", which is needed at the same time";
  if (solution.totalBytes != largestEnd)
    return "the solution claims " + number(solution.totalBytes) +
           " bytes; its buffers end at " + number(largestEnd);
  if (solution.lowerBoundBytes > solution.totalBytes)
    return "the lower bound of " + number(solution.lowerBoundBytes) +
           " bytes is above the total of " + number(solution.totalBytes);
  return std::nullopt;
}
