//===- SlotNumbers.h - The slots of uses, without dividing ------*- C++ -*-===//
//
// Use n lies in slot n mod slots. The slot of a constant is one; that of a
// number that a loop counts is a counter that the loop carries beside it
// (SlotCounter.h), one for each distance from the number modulo the slots:
//
//     iter_args(%use = %c0)      iter_args(%use = %c0, %slot = %c0, %fill = %c2)
//       slot of %use        =>     %slot
//       slot of %use + 2           %fill
//
// What such a number starts with and what a loop ends with are numbers again,
// so that uses that are counted on by loops in sequence or around each other
// have slots that are. Only a number of another kind is divided.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_LOWERRINGS_SLOTNUMBERS_H
#define TILE_TRANSFORMS_LOWERRINGS_SLOTNUMBERS_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// Replaces the slots that acquires and waits of the launch give by numbers and
/// erases the operations.
void lowerSlots(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_LOWERRINGS_SLOTNUMBERS_H
