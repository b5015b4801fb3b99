//===- RandomBody.h - Small loop bodies of all kinds ------------*- C++ -*-===//
//
// Bodies of a few statements over a few places with values, atomics, opaque
// statements, overlapping and private places: what brute force can try all
// schedules of.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_SCHEDULE_RANDOMBODY_H
#define TILE_TEST_UNIT_SCHEDULE_RANDOMBODY_H

#include "tile/Schedule/Schedule.h"

namespace tilec::schedule::test {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 2654435761u + 1) {}
  int below(int bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state >> 33) % static_cast<uint64_t>(bound));
  }
  bool isOneIn(int bound) { return below(bound) == 0; }

private:
  uint64_t state;
};

/// A problem with `count` statements: body, graph and 1 to 3 slots for each
/// place that may have them. Passes `checkBody`.
Problem makeRandomProblem(uint64_t seed, int count);

/// The body's graph and one slot for each place.
Problem makeProblem(Body body);

/// Every statement at stage 0, in program order.
Schedule makeProgramOrder(int count);

} // namespace tilec::schedule::test

#endif // TILE_TEST_UNIT_SCHEDULE_RANDOMBODY_H
