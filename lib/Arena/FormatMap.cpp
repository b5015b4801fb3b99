//===- FormatMap.cpp - Memory maps for reports and errors ----------------===//
//
// Two tables: all buffers by offset, and the buffers of the peak by size, which
// is what a reader needs to see where the memory goes.
//
//===----------------------------------------------------------------------===//

#include "tile/Arena/Arena.h"

#include <algorithm>
#include <numeric>
#include <string_view>

using namespace tilec::arena;

constexpr size_t numberWidth = 12;

static std::string padLeft(std::string text, size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text
                             : text;
}

static std::string padRight(std::string text, size_t width) {
  if (text.size() < width)
    text.append(width - text.size(), ' ');
  return text;
}

/// "[0, 9)", "[0, 2) [5, 9)", or "-" without lifetimes.
static std::string formatLifetimes(const Buffer &buffer) {
  std::string text;
  for (const Lifetime &span : buffer.lifetimes) {
    if (!text.empty())
      text += ' ';
    text += "[" + std::to_string(span.begin) + ", " + std::to_string(span.end) +
            ")";
  }
  return text.empty() ? "-" : text;
}

/// The column of lifetimes is as wide as its widest entry.
static size_t getLifetimeWidth(const Problem &problem,
                               const std::vector<int> &rows) {
  size_t width = std::string_view("lifetime").size();
  for (int row : rows)
    width = std::max(width, formatLifetimes(problem.buffers[row]).size());
  return width;
}

static std::string formatTail(const Buffer &buffer, size_t lifetimeWidth) {
  return padLeft(std::to_string(buffer.sizeBytes), numberWidth) + "  " +
         padRight(formatLifetimes(buffer), lifetimeWidth) + "  " + buffer.name +
         "\n";
}

static std::string formatTailHeader(size_t lifetimeWidth) {
  return padLeft("bytes", numberWidth) + "  " +
         padRight("lifetime", lifetimeWidth) + "  name\n";
}

std::string tilec::arena::formatMap(const Problem &problem,
                                    const Solution &solution) {
  if (solution.offsets.size() != problem.buffers.size())
    return "no memory map: the buffers have no offsets\n";
  std::vector<int> rows(problem.buffers.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::ranges::sort(rows, [&](int a, int b) {
    return solution.offsets[a] != solution.offsets[b]
               ? solution.offsets[a] < solution.offsets[b]
               : a < b;
  });
  size_t width = getLifetimeWidth(problem, rows);
  std::string text = padLeft("offset", numberWidth) + formatTailHeader(width);
  for (int row : rows)
    text += padLeft(std::to_string(solution.offsets[row]), numberWidth) +
            formatTail(problem.buffers[row], width);
  return text + "total " + std::to_string(solution.totalBytes) +
         " bytes, lower bound " + std::to_string(solution.lowerBoundBytes) +
         " bytes\n";
}

std::string tilec::arena::formatPeak(const Problem &problem) {
  std::vector<int> rows = getPeak(problem);
  std::ranges::sort(rows, [&](int a, int b) {
    int64_t sizeA = problem.buffers[a].sizeBytes;
    int64_t sizeB = problem.buffers[b].sizeBytes;
    return sizeA != sizeB ? sizeA > sizeB : a < b;
  });
  size_t width = getLifetimeWidth(problem, rows);
  std::string text = formatTailHeader(width);
  int64_t sum = 0;
  for (int row : rows) {
    text += formatTail(problem.buffers[row], width);
    sum += problem.buffers[row].sizeBytes;
  }
  return text + std::to_string(sum) + " bytes are needed at the same time\n";
}
