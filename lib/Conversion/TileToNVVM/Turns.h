//===- Turns.h - Warpgroups that go on one after the other ------*- C++ -*-===//
//
// Each warpgroup that takes turns has a named barrier, at which it waits
// for the one in front of it, which only arrives: two warpgroups a barrier.
//
//     warpgroup 0                       warpgroup 1
//                                       arrive 0        the first turn is given
//     sync 0     its turn               sync 1
//       ..                                :
//     arrive 1   passed on                : its turn
//     sync 0                              ..
//       :                               arrive 0
//     sync 0     the last one taken back
//
// As each takes and passes equally many turns, as many arrive as wait. The circle is
// that of all roles that take turns.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_TURNS_H
#define TILE_LIB_CONVERSION_TILETONVVM_TURNS_H

#include "NamedBarriers.h"

namespace mlir::tile {

/// Emits what stands in front of the program of a role that takes turns: `warpgroup`
/// (i32) is which of those that take turns runs it.
void startTurns(ThreadEmitter &emitter, Value warpgroup,
                const NamedBarriers &barriers);
/// Emits what stands behind that program.
void finishTurns(ThreadEmitter &emitter);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_TURNS_H
