//===- Rounds.h - A thread that acts for several in turn --------*- C++ -*-===//
//
// What a tile asks of a thread with few registers is done a part at a time, in a loop
// whose step `r` runs what another warp would, were there more of them: thread `t` of
// `threads` is thread `r * threads + t` of a larger scope (spreadRegisters in
// FragmentWarps.h gives the layout over its warps). Written out, what places each part
// does not depend on the loop around the copy, and LLVM keeps all of it over that loop.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_ROUNDS_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_ROUNDS_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// Asks LLVM not to unroll `loop`.
void keepRolled(scf::ForOp loop);

/// Emits `body` for `rounds` times as many threads as the scope has, one part of
/// them a step; as it is for one round.
LogicalResult emitInRounds(ThreadEmitter &emitter, int64_t rounds,
                           llvm::function_ref<LogicalResult()> body);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_ROUNDS_H
