//===- Teams.h - Two teams that compute every second tile -------*- C++ -*-===//
//
// With `consumers = pingpong` a tile is computed by one team, and two teams have
// the tiles of a block in turn, so that the products of one run while the other
// stores (docs/decisions/0012). Each gets the program that all tiles had:
//
//     all tiles                         team 1 of 2
//     for tile = b .. n step s          for tile = b + s .. n step 2 * s
//         iter_args(%use = 0)               iter_args(%use = skip(0))
//       ..                                ..
//       yield %next                       yield skip(%next)
//
// where skip(%use) is the number behind a tile that starts at %use: what the tile
// computes of it, with loops replaced by how often they go round (TileWalk.h). What
// a team keeps in shared memory lies behind what the teams before it keep
// (TeamBuffers.h).
//
// Teams take a turn a tile. Where a block has an odd number of tiles, team 1 has one
// less, and takes its last turn behind its loop, with nothing in it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_SPECIALIZEWARPS_TEAMS_H
#define TILE_TRANSFORMS_SPECIALIZEWARPS_TEAMS_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Whether there is room in the arena for what each of the teams of `launch` keeps;
/// an error at the buffer for which there is not.
LogicalResult verifyTeamBuffers(LaunchOp launch);

/// The roles of `launch` with a consumer for each of its teams.
RolesAttr getRolesOfTeams(LaunchOp launch);

/// Makes of `program`, the consumers' over all tiles, that of one team. `front` is
/// the block around the roles.
void giveTiles(Block &front, Region &program, int64_t team, int64_t teams);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_SPECIALIZEWARPS_TEAMS_H
