//===- Settle.h - Fewer shared bytes at the same total ----------*- C++ -*-===//
//
// Two buffers in the same bytes need an order at run time: the first reader or
// writer of the later one waits for the last of the earlier. Packings of equal
// size differ in how many such pairs they have, so a solution is settled: each
// buffer moves to the place, within the total, that it shares with the fewest
// others, preferring one it shares as a whole.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ARENA_SETTLE_H
#define TILE_LIB_ARENA_SETTLE_H

#include "tile/Arena/Arena.h"

namespace tilec::arena {

/// Moves buffers of `solution`, one at a time in the order of their indices,
/// never beyond its total. Ties are broken by the lower offset. Leaves problems
/// of more than 64 buffers alone, where the effort is not worth it.
void settle(const Problem &problem, Solution &solution);

} // namespace tilec::arena

#endif // TILE_LIB_ARENA_SETTLE_H
