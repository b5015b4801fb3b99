//===- ModuloTimes.h - Iterative modulo scheduling --------------*- C++ -*-===//
//
// Finds a time for every statement of one iteration such that iterations which
// begin every `interval` cycles neither break a dependence nor issue two
// statements at a time (Rau, Iterative Modulo Scheduling, 1994):
//
//     time(to) >= time(from) + cycles - interval * distance
//
// The statement with the longest path behind it goes first, to the earliest
// free time; where none is free it takes one and evicts who is there.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_SCHEDULE_MODULOTIMES_H
#define TILE_LIB_SCHEDULE_MODULOTIMES_H

#include "CycleRatio.h"

#include <optional>

namespace tilec::schedule {

/// Arcs are dependences, with distances as `steps`; `issueCycles` are positive
/// and sum up to at most `interval`. Times are not negative, the first below
/// `interval`. Nothing if the evictions do not come to an end soon.
std::optional<std::vector<int64_t>>
findModuloTimes(const std::vector<int64_t> &issueCycles,
                const std::vector<Arc> &arcs, int64_t interval);

} // namespace tilec::schedule

#endif // TILE_LIB_SCHEDULE_MODULOTIMES_H
