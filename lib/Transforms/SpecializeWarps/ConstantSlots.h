//===- ConstantSlots.h - Uses of rings in slots that are constant -*-C++-*-===//
//
// A step of a loop over K takes a consumer as many instructions for the slot
// that it counts as for its products: where the slot's bytes begin, its words,
// the phase, the next one. Where each step of the loop has a slot that is known
// all of that is constant but the phase, which changes once a round
// (EmitRounds.h, RoundNumbers.h).
//
// The loop is then there once for each slot, and most of that again for the
// steps that are no round. That pays where a step is little else than its
// product, which stays in flight. With two products and a softmax between them,
// as in attention, the copies cost more registers than the slots save
// instructions; so does the producer, whose one thread waits most of the time.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_SPECIALIZEWARPS_CONSTANTSLOTS_H
#define TILE_TRANSFORMS_SPECIALIZEWARPS_CONSTANTSLOTS_H

#include "mlir/IR/Region.h"

namespace mlir::tile {

/// Gives the loops in the program of a consumer constant slots where that pays;
/// remarks of `kernel` say which, and why not the others that keep a product in
/// flight.
void fixSlots(Region &consumer, StringRef kernel);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_SPECIALIZEWARPS_CONSTANTSLOTS_H
