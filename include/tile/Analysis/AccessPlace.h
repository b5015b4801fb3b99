//===- AccessPlace.h - Which part of a memref is accessed -------*- C++ -*-===//
//
// Two accesses through different views of one memref are compared in its
// coordinates, its *space*: subviews and casts are followed up to it, and each
// access is a box
//
//     start + stride * [0, extent)
//
// in every dimension, where the start is a constant plus multiples of SSA values. A
// reshape, a selection or a loop-carried memref is a space of its own.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_ACCESSPLACE_H
#define TILE_ANALYSIS_ACCESSPLACE_H

#include "tile/Analysis/LinearForm.h"
#include "tile/Dialect/Tile/BlockAccess.h"

namespace mlir::tile {

/// Coordinates along one dimension.
struct PlaceDim {
  LinearForm start;
  int64_t stride = 1;
  /// How many; kDynamic where that is not known.
  int64_t extent = 1;
  /// The fragment that names gathered rows; null where coordinates follow each other.
  Value rows;
  /// Nothing is known of where they lie: gathered rows, views of steps that are not constant.
  bool isUnknown = false;
};

/// The box that an access may touch; what lies outside of the space is not.
struct AccessPlace {
  Value space;
  SmallVector<PlaceDim> dims; ///< by the dimensions of the space
  /// For each dimension of the moved tile the dimension it runs along.
  SmallVector<int64_t> tileDims;
};

/// The place of an access to a memref.
AccessPlace getAccessPlace(const BlockAccess &access);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_ACCESSPLACE_H
