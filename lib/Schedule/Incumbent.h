//===- Incumbent.h - The best schedule so far -------------------*- C++ -*-===//
//
// Judges candidates: legal, within the limits, the fewest predicted cycles, of
// those the fewest stages, then the closest to program order. Begins with the
// program's order, which need not keep the limits.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_SCHEDULE_INCUMBENT_H
#define TILE_LIB_SCHEDULE_INCUMBENT_H

#include "tile/Schedule/Schedule.h"

namespace tilec::schedule {

/// Statements by their order in a step.
using Sequence = std::vector<int>;

struct Candidate {
  Schedule schedule;
  Sequence sequence;
  int64_t cycles = 0;
};

class Incumbent {
public:
  Incumbent(const Problem &problem, const Limits &limits);

  /// Keeps the schedule if it is better; whether it is. Stages may begin
  /// anywhere.
  bool offer(const Sequence &sequence, std::vector<int> stages);
  /// Whether stages, registers and rings are no more than there may be, and the
  /// last stage has what stays there.
  bool isWithinLimits(const Schedule &schedule);

  const Candidate &getBest() const { return best; }
  /// Of no meaning: its slots, which are those of the last candidate.
  const Problem &getProblem() const { return problem; }
  const Limits &getLimits() const { return limits; }
  int getCount() const { return count; }

private:
  Problem problem;
  Limits limits;
  int count;
  Candidate best;
};

} // namespace tilec::schedule

#endif // TILE_LIB_SCHEDULE_INCUMBENT_H
