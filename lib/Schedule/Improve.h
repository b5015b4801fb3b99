//===- Improve.h - Small changes of a schedule ------------------*- C++ -*-===//
//
// Hill climbing: one statement moves to another place in the step and to another
// stage, or a chain of dependent statements to another stage, as long as the
// schedule gets better and the budget lasts. It finds what modulo scheduling
// misses at its few intervals and where limits forbid what it finds.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_SCHEDULE_IMPROVE_H
#define TILE_LIB_SCHEDULE_IMPROVE_H

#include "Incumbent.h"

namespace tilec::schedule {

/// Offers changes of the best schedule until none is better.
void improve(Incumbent &incumbent);

} // namespace tilec::schedule

#endif // TILE_LIB_SCHEDULE_IMPROVE_H
