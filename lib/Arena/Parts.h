//===- Parts.h - Parts of a packing problem ---------------------*- C++ -*-===//
//
// Buffers that conflict, directly or by way of others, are of one part. Parts are packed
// without regard to each other, each from the bottom of the arena: the largest is the
// arena. A launch with many loops has as many parts, and what is done for each of them
// does not grow with the launch.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ARENA_PARTS_H
#define TILE_LIB_ARENA_PARTS_H

#include "tile/Arena/Arena.h"

namespace tilec::arena {

/// Some buffers of a problem.
struct Part {
  std::vector<int> buffers; ///< their indices in the whole problem, increasing
  /// The problem of these alone, of buffers without names.
  Problem problem;
};

/// The parts of `problem`, by their first buffers.
std::vector<Part> splitIntoParts(const Problem &problem);

} // namespace tilec::arena

#endif // TILE_LIB_ARENA_PARTS_H
