//===- CountBarriers.cpp - Barriers in a step of a schedule ---------------===//
//
// What threads hand to each other needs a barrier on the way. A step is a
// circle of gaps, gap g behind the statement at position g, and each dependence
// through such a place an arc of it:
//
//     position   0       1       2
//               copy    store   gemm
//     gap            0       1       2
//     store -> gemm          x            in this step
//     gemm  -> store 0               x    the next one, in the same slot
//
// The fewest gaps that meet every arc are found exactly: one of them is in the
// shortest arc, and from there on each arc that is not met yet is met as late
// as it can be.
//
//===----------------------------------------------------------------------===//

#include "tile/Schedule/Schedule.h"

#include <algorithm>
#include <map>
#include <utility>

using namespace tilec::schedule;

namespace {

/// `length` gaps from `begin` on, around the circle.
struct Arc {
  int begin = 0, length = 0;
};

class BarrierCounter {
public:
  BarrierCounter(const Problem &problem, const Schedule &schedule)
      : problem(problem), schedule(schedule),
        count(static_cast<int>(problem.body.statements.size())) {}
  int run();

private:
  void addEdge(const Edge &edge);
  int countFrom(int first) const;

  const Problem &problem;
  const Schedule &schedule;
  int count;
  std::vector<Arc> arcs;
  /// Of writes that arrive late, by statement and place: when the first reader
  /// waits for them, by its steps and its order.
  std::map<std::pair<int, int>, std::pair<int, int>> waits;
};

} // namespace

void BarrierCounter::addEdge(const Edge &edge) {
  bool isOfPlace = edge.kind != Dependence::Value &&
                   edge.kind != Dependence::Order && edge.from != edge.to;
  if (!isOfPlace || !problem.body.places[edge.subject].isHandedOn)
    return;
  bool isRead = edge.kind == Dependence::ReadAfterWrite;
  int distance = !isRead && edge.distance == 1 ? problem.slots[edge.subject]
                                               : edge.distance;
  int steps = schedule.stages[edge.to] + distance - schedule.stages[edge.from];
  int from = schedule.orders[edge.from], to = schedule.orders[edge.to];
  if (!isRead || !problem.body.statements[edge.from].arrivesLate) {
    arcs.push_back({from, to + steps * count - from});
    return;
  }
  // Waited for at the beginning of the reader's step at the earliest.
  auto [known, isNew] =
      waits.try_emplace({edge.from, edge.subject}, std::pair(steps, to));
  if (!isNew)
    known->second = std::min(known->second, std::pair(steps, to));
}

/// Gaps that meet all arcs if there is one at `first`.
int BarrierCounter::countFrom(int first) const {
  std::vector<std::pair<int, int>> unmet; // the last gap and the first
  for (auto [begin, length] : arcs) {
    int after = (begin - first + count) % count;
    if (after != 0 && after + length <= count)
      unmet.emplace_back(after + length - 1, after);
  }
  std::ranges::sort(unmet);
  int gaps = 1, latest = 0;
  for (auto [last, begin] : unmet)
    if (latest < begin) {
      latest = last;
      ++gaps;
    }
  return gaps;
}

int BarrierCounter::run() {
  for (const Edge &edge : problem.graph.edges)
    addEdge(edge);
  for (auto [write, wait] : waits) {
    auto [steps, reader] = wait;
    int from = schedule.orders[write.first];
    arcs.push_back(steps == 0 ? Arc{from, reader - from}
                              : Arc{count - 1, reader + 1});
  }
  if (arcs.empty())
    return 0;
  Arc shortest = *std::ranges::min_element(arcs, {}, &Arc::length);
  int fewest = count;
  for (int gap = 0; gap < std::min(shortest.length, count); ++gap)
    fewest = std::min(fewest, countFrom((shortest.begin + gap) % count));
  return fewest;
}

int tilec::schedule::countBarriers(const Problem &problem,
                                   const Schedule &schedule) {
  return BarrierCounter(problem, schedule).run();
}
