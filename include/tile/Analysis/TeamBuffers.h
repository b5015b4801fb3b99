//===- TeamBuffers.h - What each team keeps in shared memory ----*- C++ -*-===//
//
// Teams that compute tiles of their own (`consumers = pingpong`) run one program.
// What a ring holds is theirs in turn; everything else that the program keeps in
// shared memory, results that are staged and exchanges between threads, each team
// has for itself, one copy behind the other:
//
//     |  slots, words  |  result of team 0  |  result of team 1  |
//                      offset               + stride
//
// Nobody knows what the other team does meanwhile, so that these bytes are shared
// with nothing else, whatever the program says of their lifetimes.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_TEAMBUFFERS_H
#define TILE_ANALYSIS_TEAMBUFFERS_H

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Layout/SharedLayout.h"

namespace mlir::tile {

/// Whether each team keeps the buffer `memref` for itself: no ring has it, in its
/// slots or as its words.
bool isOfTeam(Value memref);

/// From one team's copy of a buffer with `layout` to the next one's, in bytes: a
/// multiple of the alignment that the layout asks for.
int64_t getTeamStride(const tilec::SharedLayout &layout);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_TEAMBUFFERS_H
