//===- Incumbent.cpp - The best schedule so far --------------------------===//
//
// See Incumbent.h. Rings get the slots that the candidate needs; what validates
// solutions also judges candidates.
//
//===----------------------------------------------------------------------===//

#include "Incumbent.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace tilec::schedule;

/// The smaller, the better.
static auto getKey(const Candidate &candidate) {
  return std::tuple(candidate.cycles, candidate.schedule.getLastStage(),
                    candidate.sequence, candidate.schedule.stages);
}

Incumbent::Incumbent(const Problem &problem, const Limits &limits)
    : problem(problem), limits(limits),
      count(static_cast<int>(problem.body.statements.size())) {
  best.sequence.resize(count);
  std::iota(best.sequence.begin(), best.sequence.end(), 0);
  best.schedule = {std::vector<int>(count, 0), best.sequence};
  this->problem.slots.assign(problem.body.places.size(), 1);
  best.cycles = predictCycles(this->problem, best.schedule);
}

bool Incumbent::isWithinLimits(const Schedule &schedule) {
  if (schedule.getLastStage() >= limits.maxStages ||
      countRegisters(problem.body, schedule) > limits.registers)
    return false;
  for (int statement = 0; statement < count; ++statement)
    if (problem.body.statements[statement].isLast &&
        schedule.stages[statement] != schedule.getLastStage())
      return false;
  problem.slots = countSlots(problem, schedule);
  int64_t bytes = 0;
  for (size_t place = 0; place < problem.slots.size(); ++place)
    if (problem.body.places[place].isPrivate)
      bytes += problem.slots[place] * problem.body.places[place].bytes;
  return bytes <= limits.sharedBytes;
}

bool Incumbent::offer(const Sequence &sequence, std::vector<int> stages) {
  Candidate candidate;
  candidate.sequence = sequence;
  int first = stages.empty() ? 0 : *std::ranges::min_element(stages);
  for (int &stage : stages)
    stage -= first;
  candidate.schedule.stages = std::move(stages);
  candidate.schedule.orders.resize(count);
  for (int order = 0; order < count; ++order)
    candidate.schedule.orders[sequence[order]] = order;
  if (!isWithinLimits(candidate.schedule) ||
      validate(problem, candidate.schedule))
    return false;
  candidate.cycles = predictCycles(problem, candidate.schedule);
  if (getKey(candidate) >= getKey(best))
    return false;
  best = std::move(candidate);
  return true;
}
