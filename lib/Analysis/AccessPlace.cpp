//===- AccessPlace.cpp - Which part of a memref is accessed ---------------===//

#include "tile/Analysis/AccessPlace.h"

#include "tile/Dialect/Tile/SubViews.h"
#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

/// Where `index` is: a constant plus multiples of values.
static LinearForm getStart(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return LinearForm(*constant);
  return LinearForm::getModular(cast<Value>(index));
}

/// The tile's shape, which gives the box its extents where the side does not.
static SmallVector<int64_t> getTileShape(const BlockAccess &access) {
  if (access.threads)
    return llvm::to_vector(access.threads.getLayout().getShape());
  if (access.fragment)
    return llvm::to_vector(
        cast<RankedTensorType>(access.fragment.getType()).getShape());
  return {};
}

/// The place in the coordinates of the memref that the operation names.
static AccessPlace getOwnPlace(const BlockAccess &access) {
  AccessPlace place;
  place.space = access.memref;
  auto type = cast<MemRefType>(access.memref.getType());
  for (int64_t extent : type.getShape())
    place.dims.emplace_back().extent = extent;
  const std::optional<Side> &side = access.side;
  SmallVector<int64_t> tile = getTileShape(access);
  if (side && !side->isWhole()) {
    SmallVector<int64_t> extents = side->getExtents(tile);
    for (auto [dim, index] : llvm::enumerate(side->indices)) {
      place.dims[dim].start = getStart(index);
      place.dims[dim].extent =
          dim < extents.size() ? extents[dim] : ShapedType::kDynamic;
    }
  }
  if (side && side->rows) {
    place.dims[*side->rowsDim].rows = side->rows;
    place.dims[*side->rowsDim].isUnknown = true;
  }
  if (side && !tile.empty())
    place.tileDims = side->getTileDims(tile);
  return place;
}

/// `inner`, coordinates of a view, in those of its source, where they start at
/// `offset` and step by `stride`.
static PlaceDim compose(const LinearForm &offset, OpFoldResult stride,
                        PlaceDim inner) {
  std::optional<int64_t> step = getConstantIntValue(stride);
  inner.isUnknown |= !step;
  inner.start = LinearForm(offset).add(inner.start, step.value_or(1));
  inner.stride *= step.value_or(1);
  return inner;
}

/// Moves `place` from a view to its source.
static void moveToSource(AccessPlace &place, memref::SubViewOp view) {
  llvm::SmallBitVector dropped = getDroppedDims(view);
  SmallVector<PlaceDim> dims;
  SmallVector<int64_t> sourceDims;
  auto kept = place.dims.begin();
  for (auto [dim, offset, stride] :
       llvm::enumerate(view.getMixedOffsets(), view.getMixedStrides())) {
    PlaceDim &moved = dims.emplace_back();
    moved.start = getStart(offset);
    if (dropped.test(dim))
      continue;
    sourceDims.push_back(dim);
    moved = compose(moved.start, stride, *kept++);
  }
  for (int64_t &dim : place.tileDims)
    dim = sourceDims[dim];
  place.space = view.getSource();
  place.dims = std::move(dims);
}

/// Moves `place` from what `op` gives to what that is seen through; false where
/// it stays.
static bool moveThrough(AccessPlace &place, Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](memref::CastOp castOp) {
        if (!isa<MemRefType>(castOp.getSource().getType()))
          return false;
        place.space = castOp.getSource();
        return true;
      })
      .Case([&](AssumeOp assume) {
        place.space = assume.getSource();
        return true;
      })
      .Case([&](memref::SubViewOp view) {
        moveToSource(place, view);
        return true;
      })
      .Default(false);
}

AccessPlace tile::getAccessPlace(const BlockAccess &access) {
  AccessPlace place = getOwnPlace(access);
  for (Operation *op = place.space.getDefiningOp();
       op && moveThrough(place, op);)
    op = place.space.getDefiningOp();
  return place;
}
