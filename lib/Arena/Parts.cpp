//===- Parts.cpp - Parts of a packing problem -----------------------------===//

#include "Parts.h"

#include <algorithm>
#include <numeric>

using namespace tilec::arena;

namespace {

/// Sets of buffers that grow together; each is named by its least buffer.
class PartNames {
public:
  explicit PartNames(size_t count) : parents(count) {
    std::iota(parents.begin(), parents.end(), 0);
  }
  int find(int buffer) {
    while (parents[buffer] != buffer)
      buffer = parents[buffer] = parents[parents[buffer]];
    return buffer;
  }
  void join(int first, int second) {
    auto [least, other] = std::minmax(find(first), find(second));
    parents[other] = least;
  }

private:
  std::vector<int> parents;
};

/// A lifetime of a buffer that takes bytes.
struct Span {
  Lifetime lifetime;
  int buffer = 0;
};

} // namespace

/// Joins buffers of which some lifetimes overlap.
static void joinLiveTogether(const Problem &problem, PartNames &names) {
  std::vector<Span> spans;
  for (size_t buffer = 0; buffer < problem.buffers.size(); ++buffer)
    for (const Lifetime &lifetime : problem.buffers[buffer].lifetimes)
      if (problem.buffers[buffer].sizeBytes > 0 &&
          lifetime.begin < lifetime.end)
        spans.push_back({lifetime, static_cast<int>(buffer)});
  std::ranges::sort(spans, {},
                    [](const Span &span) { return span.lifetime.begin; });
  // Of those before, the one that lives longest.
  const Span *longest = nullptr;
  for (const Span &span : spans) {
    if (longest && span.lifetime.begin < longest->lifetime.end)
      names.join(span.buffer, longest->buffer);
    if (!longest || span.lifetime.end > longest->lifetime.end)
      longest = &span;
  }
}

std::vector<Part> tilec::arena::splitIntoParts(const Problem &problem) {
  const std::vector<Buffer> &buffers = problem.buffers;
  PartNames names(buffers.size());
  joinLiveTogether(problem, names);
  auto conflict = [&](std::pair<int, int> pair) {
    return buffers[pair.first].sizeBytes > 0 &&
           buffers[pair.second].sizeBytes > 0;
  };
  for (std::pair<int, int> pair : problem.conflicts)
    if (conflict(pair))
      names.join(pair.first, pair.second);

  std::vector<Part> parts;
  std::vector<int> partOf(buffers.size()), indices(buffers.size());
  for (int buffer = 0; buffer < static_cast<int>(buffers.size()); ++buffer) {
    int name = names.find(buffer);
    if (name == buffer) {
      partOf[buffer] = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    Part &part = parts[partOf[buffer] = partOf[name]];
    indices[buffer] = part.problem.addBuffer("", buffers[buffer].sizeBytes,
                                             buffers[buffer].alignmentBytes,
                                             buffers[buffer].lifetimes);
    part.buffers.push_back(buffer);
  }
  for (std::pair<int, int> pair : problem.conflicts)
    if (conflict(pair))
      parts[partOf[pair.first]].problem.conflicts.emplace_back(
          indices[pair.first], indices[pair.second]);
  return parts;
}
