//===- KnownBounds.h - Accesses that need no check --------------*- C++ -*-===//
//
// What is known in a launch of where accesses lie, of the numbers of its loops and of
// how its grid counts up to the sizes of memrefs, is stated on them as `in_bounds`
// before it can no longer be seen: before loops are shifted and kernels outlined.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_KNOWNBOUNDS_H
#define TILE_ANALYSIS_KNOWNBOUNDS_H

#include "tile/Analysis/IndexFacts.h"

namespace mlir::tile {

/// States on a copy, load, store or atomic the dimensions in which its sides are known
/// to lie inside of their memrefs.
void stateKnownBounds(IndexFacts &facts, Operation *op);

/// States it on all accesses of a launch of dimensions with dynamic sizes: static ones
/// can be compared later.
void stateDynamicBounds(LaunchOp launch);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_KNOWNBOUNDS_H
