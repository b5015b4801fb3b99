//===- ViewedBox.h - The box of a view in what it views ---------*- C++ -*-===//
//
// A launch may make a view of a memref from outside, as the matrix of its batch. A
// box of the view is one of that memref:
//
//     %v = memref.subview %m[%b, 0, 0] [1, 64, 512]     a box at %v[%i, %k]
//     %m[%b, %i, %k]                                     is one of %m
//
// Outside of the view nothing is there, though the memref may go on. So the box has
// to lie inside of the view, or the view has to end where the memref does: in each
// dimension by itself.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_VIEWEDBOX_H
#define TILE_ANALYSIS_VIEWEDBOX_H

#include "tile/Analysis/IndexFacts.h"
#include "tile/Layout/Expected.h"

namespace mlir::tile {

/// Where a box begins along a dimension: a constant plus multiples of values.
struct BoxStart {
  int64_t constant = 0;
  SmallVector<std::pair<Value, int64_t>, 2> terms; ///< value, factor
};

/// A box of a memref, by dimension.
struct ViewedBox {
  Value memref;
  SmallVector<BoxStart> starts;
  SmallVector<int64_t> extents;
  SmallVector<bool> inBounds; ///< whether it is known to lie inside
  std::optional<int64_t> rowsDim;

  void add(BoxStart start, int64_t extent, bool isInside);
};

/// The box of `side`, of a tile of shape `tile`, in its own memref.
ViewedBox getOwnBox(const Side &side, ArrayRef<int64_t> tile);

/// Whether a box of its memref is known to lie inside of it, in all dimensions: by
/// `in_bounds`, by ranges, or as a loop or the grid counts up to a size.
bool isKnownInside(IndexFacts &facts, const ViewedBox &box);

/// Whether `memref` is made in the launch that `facts` are of.
bool isMadeInLaunch(const IndexFacts &facts, Value memref);

/// The box of `side`, of a tile of shape `tile`, as one of the memref from outside of
/// the launch, which has the same elements and the same places without any. Fails
/// with what is in the way, as a sentence about the access.
tilec::Expected<ViewedBox> findViewedBox(IndexFacts &facts, const Side &side,
                                         ArrayRef<int64_t> tile);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_VIEWEDBOX_H
