//===- Buffers.cpp - A layout for every buffer ----------------------------===//
//
// Buffers do not depend on fragments, so each is decided alone: by the first of
// its candidates that meets all that is demanded of it.
//
//===----------------------------------------------------------------------===//

#include "tile/LayoutSearch/LayoutProblem.h"

#include <algorithm>
#include <tuple>

using namespace tilec;

static bool areSame(const PatternDemand &a, const PatternDemand &b) {
  auto get = [](const SharedDemand &pattern) {
    return std::tie(pattern.major, pattern.swizzleBytes, pattern.atom,
                    pattern.leadingDim, pattern.strideDim);
  };
  return a.dims == b.dims && a.tile == b.tile &&
         std::ranges::equal(a.patterns, b.patterns, {}, get, get);
}

static bool areSame(const GroupDemand &a, const GroupDemand &b) {
  return a.numbering == b.numbering;
}

static bool areSame(const BufferDemand &a, const BufferDemand &b) {
  return a.index() == b.index() &&
         std::visit(
             [&](const auto &kind) {
               return areSame(kind, std::get<std::decay_t<decltype(kind)>>(b));
             },
             a);
}

bool LayoutProblem::isDemanded(int buffer, const BufferDemand &demand) const {
  return std::ranges::any_of(bufferEdges, [&](const BufferEdge &edge) {
    return !edge.isRepeated && edge.buffer == buffer &&
           areSame(edge.demand, demand);
  });
}

/// The demand that `layout` does not meet, with the reason; null if it meets
/// all of buffer `number`.
static const BufferEdge *findBroken(const LayoutProblem &problem, int number,
                                    const SharedLayout &layout,
                                    std::string &reason) {
  for (const BufferEdge &edge : problem.bufferEdges) {
    if (edge.buffer != number || edge.isRepeated)
      continue;
    if (auto obstacle = findObstacle(edge.demand, layout)) {
      reason = *obstacle;
      return &edge;
    }
  }
  return nullptr;
}

/// What to say where no candidate will do: why the first does not, and which
/// layout the access that it breaks would take.
static LayoutFailure getFailure(const LayoutProblem &problem, int number) {
  const SharedLayout &layout = problem.buffers[number].candidates.front();
  std::string reason;
  const BufferEdge *edge = findBroken(problem, number, layout, reason);
  std::string text = "its buffer has layout " + layout.toString() +
                     ", which the access cannot use: " + reason;
  std::vector<SharedLayout> wanted =
      getLayouts(edge->demand, layout.getShape(), layout.getElementBits());
  if (wanted.empty())
    return {edge->use, text + "; no layout of this shape meets it"};
  text += "; " + wanted.front().toString() + " meets it";
  // A layout that this access takes was a candidate, unless one was fixed.
  std::string other;
  if (findBroken(problem, number, wanted.front(), other))
    text += ", but not what another access to the buffer asks: " + other;
  return {edge->use, text};
}

std::optional<std::vector<int>>
tilec::chooseBuffers(const LayoutProblem &problem, LayoutFailure &failure) {
  std::vector<int> chosen;
  for (int number = 0; number < static_cast<int>(problem.buffers.size());
       ++number) {
    const auto &candidates = problem.buffers[number].candidates;
    auto fits = std::ranges::find_if(candidates, [&](const auto &layout) {
      std::string reason;
      return !findBroken(problem, number, layout, reason);
    });
    if (fits == candidates.end()) {
      failure = getFailure(problem, number);
      return std::nullopt;
    }
    chosen.push_back(static_cast<int>(fits - candidates.begin()));
  }
  return chosen;
}
