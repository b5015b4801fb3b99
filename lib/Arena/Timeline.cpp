//===- Timeline.cpp - The steps of a drawing's time axis ------------------===//

#include "Timeline.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

using namespace tilec::arena;

static bool meet(Lifetime a, Lifetime b) {
  return std::max(a.begin, b.begin) < std::min(a.end, b.end);
}

bool Timeline::meets(const std::vector<Lifetime> &spans, int step) const {
  Lifetime here{cuts[step], cuts[step + 1]};
  return std::ranges::any_of(
      spans, [&](const Lifetime &span) { return meet(span, here); });
}

Lifetime Timeline::getSteps(Lifetime span) const {
  Lifetime steps;
  for (int step = 0; step < getStepCount(); ++step) {
    if (!meets({span}, step))
      continue;
    if (steps.begin == steps.end)
      steps.begin = step;
    steps.end = step + 1;
  }
  return steps;
}

Timeline tilec::arena::buildTimeline(const Picture &picture, int maxSteps) {
  std::set<int64_t> cuts;
  auto add = [&](Lifetime span) {
    if (span.begin < span.end)
      cuts.insert({span.begin, span.end});
  };
  for (const Buffer &buffer : picture.problem.buffers)
    for (const Lifetime &span : buffer.lifetimes)
      add(span);
  for (const LoopMark &loop : picture.loops)
    add(loop.span);
  std::vector<int64_t> all(cuts.begin(), cuts.end());
  if (all.empty())
    return {};

  // Joined steps are of one width but the last, in cuts.
  int64_t steps = static_cast<int64_t>(all.size()) - 1;
  int64_t width = (steps + maxSteps - 1) / maxSteps;
  Timeline timeline;
  for (int64_t cut = 0; cut < steps; cut += width)
    timeline.cuts.push_back(all[cut]);
  timeline.cuts.push_back(all.back());
  return timeline;
}

int64_t tilec::arena::getLine(const Picture &picture, const Timeline &timeline,
                              int step) {
  int64_t count = static_cast<int64_t>(picture.lines.size());
  int64_t end = std::min(timeline.cuts[step + 1], count);
  for (int64_t point = timeline.cuts[step]; point < end; ++point)
    if (picture.lines[point] > 0)
      return picture.lines[point];
  return 0;
}

std::vector<int64_t> tilec::arena::getLiveBytes(const Picture &picture,
                                                const Timeline &timeline) {
  std::vector<int64_t> live(timeline.getStepCount(), 0);
  for (const Buffer &buffer : picture.problem.buffers)
    for (int step = 0; step < timeline.getStepCount(); ++step)
      if (timeline.meets(buffer.lifetimes, step))
        live[step] += buffer.sizeBytes;
  return live;
}

std::vector<int> tilec::arena::getRows(const Picture &picture) {
  auto getKey = [&](int buffer) {
    const std::vector<Lifetime> &spans =
        picture.problem.buffers[buffer].lifetimes;
    return std::tuple(picture.solution.offsets[buffer],
                      spans.empty() ? 0 : spans.front().begin, buffer);
  };
  std::vector<int> rows(picture.problem.buffers.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::ranges::sort(rows, [&](int a, int b) { return getKey(a) < getKey(b); });
  return rows;
}

std::vector<int> tilec::arena::getDepths(const Picture &picture) {
  std::vector<int> depths;
  for (size_t loop = 0; loop < picture.loops.size(); ++loop) {
    int depth = 0;
    for (size_t outer = 0; outer < loop; ++outer)
      if (picture.loops[loop].span.begin < picture.loops[outer].span.end)
        ++depth;
    depths.push_back(depth);
  }
  return depths;
}
