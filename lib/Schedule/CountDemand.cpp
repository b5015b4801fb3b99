//===- CountDemand.cpp - Slots and registers that a schedule needs -------===//
//
// Both count iterations in flight: slots the iterations whose contents of a
// place are needed at the same time, registers those whose value is.
//
//===----------------------------------------------------------------------===//

#include "tile/Schedule/Schedule.h"

#include <algorithm>

using namespace tilec::schedule;

std::vector<int> tilec::schedule::countSlots(const Problem &problem,
                                             const Schedule &schedule) {
  const Body &body = problem.body;
  std::vector<bool> mayHaveSlots(body.places.size());
  for (size_t place = 0; place < body.places.size(); ++place)
    mayHaveSlots[place] = body.places[place].isPrivate;
  for (auto [first, second] : body.overlaps)
    mayHaveSlots[first] = mayHaveSlots[second] = false;

  std::vector<int> slots(body.places.size(), 1);
  for (const Edge &edge : problem.graph.edges) {
    bool isReuse = edge.kind == Dependence::WriteAfterRead ||
                   edge.kind == Dependence::WriteAfterWrite;
    if (!isReuse || edge.distance != 1 || !mayHaveSlots[edge.subject])
      continue;
    int steps = schedule.stages[edge.from] - schedule.stages[edge.to];
    bool isBehind = schedule.orders[edge.from] < schedule.orders[edge.to] &&
                    !body.places[edge.subject].isReusedNextStep;
    slots[edge.subject] =
        std::max(slots[edge.subject], isBehind ? steps : steps + 1);
  }
  return slots;
}

int64_t tilec::schedule::countRegisters(const Body &body,
                                        const Schedule &schedule) {
  std::vector<int> definitions(body.valueCount, -1);
  for (size_t index = 0; index < body.statements.size(); ++index)
    for (int value : body.statements[index].defines)
      definitions[value] = static_cast<int>(index);

  std::vector<int64_t> steps(body.valueCount);
  for (size_t index = 0; index < body.statements.size(); ++index)
    for (auto [value, distance] : body.statements[index].uses)
      if (int definition = definitions[value]; definition >= 0)
        steps[value] =
            std::max<int64_t>(steps[value], schedule.stages[index] + distance -
                                                schedule.stages[definition]);
  int64_t registers = 0;
  for (int value = 0; value < body.valueCount; ++value)
    if (definitions[value] >= 0)
      registers += steps[value] * body.statements[definitions[value]].registers;
  return registers;
}
