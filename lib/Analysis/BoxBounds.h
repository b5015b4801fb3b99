//===- BoxBounds.h - Where boxes and views end ------------------*- C++ -*-===//

#ifndef TILE_LIB_ANALYSIS_BOXBOUNDS_H
#define TILE_LIB_ANALYSIS_BOXBOUNDS_H

#include "tile/Analysis/ViewedBox.h"

namespace mlir::tile {

/// Bounds of a start whose factors are positive; nothing where they are not known, or
/// do not fit.
std::optional<int64_t> getLowerBound(IndexFacts &facts, const BoxStart &start);
std::optional<int64_t> getUpperBound(IndexFacts &facts, const BoxStart &start);

/// Whether `start` is known not to be negative.
bool isNegativeNowhere(IndexFacts &facts, const BoxStart &start);

/// Whether `box` is known to lie inside of a view of `size` along dimension `dim`.
bool isInside(IndexFacts &facts, const ViewedBox &box, int64_t dim,
              int64_t size);
bool isInside(IndexFacts &facts, const ViewedBox &box, int64_t dim,
              OpFoldResult size);

/// Whether it is known to lie inside of its memref along dimension `dim`.
bool isInside(IndexFacts &facts, const ViewedBox &box, int64_t dim);

/// Whether a view of `size` elements from `offset` on ends where `memref` does along
/// `dim`.
bool endsTogether(OpFoldResult offset, OpFoldResult size,
                  TypedValue<MemRefType> memref, int64_t dim);

} // namespace mlir::tile

#endif // TILE_LIB_ANALYSIS_BOXBOUNDS_H
