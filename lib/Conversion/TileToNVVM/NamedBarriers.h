//===- NamedBarriers.h - Who has which barrier of a block -------*- C++ -*-===//
//
// A block has 16 barriers. Number 0 is that of all its threads. In a kernel with
// roles those of the highest numbers are the roles', one each, then come those of
// warpgroups that take turns, in the order of their warps; the others are the
// program's (`tile.barrier` with an id):
//
//      0    1 .. 11         12, 13      14         15
//     all   the program's   turns     role 1     role 0
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_NAMEDBARRIERS_H
#define TILE_LIB_CONVERSION_TILETONVVM_NAMEDBARRIERS_H

#include "ThreadEmitter.h"

namespace mlir::tile {

class NamedBarriers {
public:
  /// Of a block that has `count` barriers, and `specialize`; null: no roles.
  NamedBarriers(SpecializeOp specialize, int64_t count);

  /// The barrier at which the warps of a role meet.
  int64_t getOfRole(unsigned role) const { return ofRole[role]; }
  /// The first of the barriers of turns, one for each warpgroup that takes any.
  int64_t getOfTurns() const { return endOfFree; }
  /// How many warpgroups take turns.
  int64_t getTurnCount() const { return turnCount; }
  /// Barriers 1 to this number, excluded, are the program's; less than 1 if there
  /// are not enough for all roles.
  int64_t getEndOfFree() const { return endOfFree; }

private:
  SmallVector<int64_t> ofRole;
  int64_t endOfFree;
  int64_t turnCount = 0;
};

/// `threads` threads in all wait for each other at barrier `id` (i32).
void waitAtNamedBarrier(ThreadEmitter &emitter, Value id, int64_t threads);
/// As that, but the threads that run this only arrive.
void arriveAtNamedBarrier(ThreadEmitter &emitter, Value id, int64_t threads);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_NAMEDBARRIERS_H
