//===- CycleRatio.h - How fast a cyclic system can go -----------*- C++ -*-===//
//
// Arcs demand that a node's time in a step is at least `cycles` after another's
// `steps` steps before. All nodes then go through one step in
//
//     max over cycles of arcs  (sum of cycles) / (sum of steps)
//
// in the long run: the recurrence bound of modulo scheduling and the speed of
// a schedule that runs in order are both such a ratio.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_SCHEDULE_CYCLERATIO_H
#define TILE_LIB_SCHEDULE_CYCLERATIO_H

#include <cstdint>
#include <vector>

namespace tilec::schedule {

struct Arc {
  int from = 0, to = 0;
  int64_t cycles = 0;
  int steps = 0;
};

/// The largest ratio, rounded up, and at least `lowest`. Cycles of arcs without
/// steps must have no cycles. Fast where arcs are sorted such that those
/// without steps follow what leads to them.
int64_t findCycleRatio(int nodeCount, const std::vector<Arc> &arcs,
                       int64_t lowest);

} // namespace tilec::schedule

#endif // TILE_LIB_SCHEDULE_CYCLERATIO_H
