//===- MbarrierRings.h - Rings that mbarriers carry out ---------*- C++ -*-===//
//
// A ring into whose slots the copy engine copies stays what it is: its uses are
// waits for mbarriers and arrivals at them, which only threads make
// (docs/decisions/0008). It gets the words of its mbarriers, a buffer beside the
// others; where threads change slots in place, they show that to the copy engine
// before each release, and make their copies by loads and stores. Its numbers will be given modulo twice the slots (SlotNumbers.h).
//
//     %ring = tile.ring %a        =>   %w = tile.alloc : memref<2x3xi64>
//                                      %ring = tile.ring %a barriers(%w) {modulo}
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_LOWERRINGS_MBARRIERRINGS_H
#define TILE_TRANSFORMS_LOWERRINGS_MBARRIERRINGS_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Gives the rings of a launch that bulk copies fill their words; fails with an
/// error where one is filled by other copies too, or cannot have words.
LogicalResult addMbarriers(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_LOWERRINGS_MBARRIERRINGS_H
