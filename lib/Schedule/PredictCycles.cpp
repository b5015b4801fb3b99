//===- PredictCycles.cpp - The speed of a schedule -----------------------===//
//
// A block issues the statements of a step one after the other and then those of
// the next step. A statement also waits for what its edges bring: values and
// writes are there `latencyCycles` after their issue began. What a statement
// reads it has read once its issue is over, so that what comes later in order
// need not wait to overwrite it. Barriers stop all of it, wherever they are.
//
//===----------------------------------------------------------------------===//

#include "CycleRatio.h"
#include "tile/Schedule/Schedule.h"

#include <algorithm>
#include <numeric>

using namespace tilec::schedule;

/// Steps from what `edge` waits for to what waits.
static int countSteps(const Problem &problem, const Schedule &schedule,
                      const Edge &edge) {
  bool isReuse = edge.kind == Dependence::WriteAfterWrite && edge.distance == 1;
  int distance = isReuse ? problem.slots[edge.subject] : edge.distance;
  return schedule.stages[edge.to] + distance - schedule.stages[edge.from];
}

int64_t tilec::schedule::predictCycles(const Problem &problem,
                                       const Schedule &schedule) {
  const std::vector<Statement> &statements = problem.body.statements;
  int count = static_cast<int>(statements.size());
  std::vector<int> sorted(count);
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::sort(sorted, {}, [&](int s) { return schedule.orders[s]; });
  std::vector<std::vector<Arc>> arcsFrom(count);
  for (const Edge &edge : problem.graph.edges)
    if (edge.kind != Dependence::WriteAfterRead &&
        edge.kind != Dependence::Order)
      arcsFrom[edge.from].push_back({edge.from, edge.to,
                                     statements[edge.from].latencyCycles,
                                     countSteps(problem, schedule, edge)});

  std::vector<Arc> arcs;
  int64_t issueCycles = 0;
  for (int position = 0; position < count; ++position) {
    int statement = sorted[position];
    bool isLast = position + 1 == count;
    int next = sorted[isLast ? 0 : position + 1];
    int64_t cycles = statements[statement].issueCycles;
    issueCycles += cycles;
    arcs.push_back({statement, next, cycles, isLast ? 1 : 0});
    arcs.insert(arcs.end(), arcsFrom[statement].begin(),
                arcsFrom[statement].end());
  }
  int64_t cycles = findCycleRatio(count, arcs, issueCycles);
  if (problem.barrierCycles > 0)
    cycles += problem.barrierCycles * countBarriers(problem, schedule);
  return cycles;
}
