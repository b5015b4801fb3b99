//===- ViewRebaser.cpp - Operations that see a slot for a buffer ----------===//

#include "ViewRebaser.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The type of a view when its source has another offset than before.
static MemRefType inferViewType(Operation *view, MemRefType source) {
  return llvm::TypeSwitch<Operation *, MemRefType>(view)
      .Case([&](memref::SubViewOp op) {
        return memref::SubViewOp::inferRankReducedResultType(
            op.getType().getShape(), source, op.getMixedOffsets(),
            op.getMixedSizes(), op.getMixedStrides());
      })
      .Case([&](memref::ExpandShapeOp op) {
        return *memref::ExpandShapeOp::computeExpandedType(
            source, op.getResultType().getShape(),
            op.getReassociationIndices());
      })
      .Case([&](memref::CollapseShapeOp op) {
        return memref::CollapseShapeOp::computeCollapsedType(
            source, op.getReassociationIndices());
      })
      .Default([&](Operation *op) {
        // A cast forgets sizes; what it says of strides must not be more than
        // the source says.
        auto type = cast<MemRefType>(op->getResult(0).getType());
        return MemRefType::get(type.getShape(), type.getElementType(),
                               source.getLayout(), type.getMemorySpace());
      });
}

/// `memref` as a view of the slot; itself if it is not one of the buffer.
Value ViewRebaser::getView(Value memref) {
  if (Value known = mapping.lookupOrNull(memref))
    return known;
  auto view = memref.getDefiningOp<ViewLikeOpInterface>();
  if (!view)
    return memref;
  Value source = getView(view.getViewSource());
  if (source == view.getViewSource())
    return memref;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(view);
  Operation *made = source.getDefiningOp();
  // A view that is made in front of the slot, perhaps outside of the loop, is
  // made again behind it.
  Operation *inBlock = made->getBlock()->findAncestorOpInBlock(*view);
  if (!inBlock || inBlock->isBeforeInBlock(made))
    rewriter.setInsertionPointAfter(made);
  Operation *clone = rewriter.clone(*view, mapping);
  clone->getResult(0).setType(
      inferViewType(view, cast<MemRefType>(source.getType())));
  mapping.map(memref, clone->getResult(0));
  return clone->getResult(0);
}

void ViewRebaser::rebase(Operation *user) {
  user->walk([&](Operation *op) {
    if (isa<ViewLikeOpInterface>(op))
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (isa<MemRefType>(operand.get().getType()))
        operand.set(getView(operand.get()));
  });
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

AllocOp tile::createSlots(AllocOp buffer, int64_t slots, IRRewriter &rewriter) {
  MemRefType type = buffer.getType();
  SmallVector<int64_t> shape = {slots};
  llvm::append_range(shape, type.getShape());
  auto layout =
      buffer.getLayout()->getLayout(getMemoryBits(type.getElementType()));
  return AllocOp::create(
      rewriter, buffer.getLoc(),
      MemRefType::get(shape, type.getElementType(), MemRefLayoutAttrInterface(),
                      type.getMemorySpace()),
      SharedAttr::get(buffer.getContext(), layout->replicateOutermost(slots)),
      buffer.getAlignmentAttr());
}

Value tile::createSlotView(AllocOp buffer, AllocOp slots, Value slot,
                           IRRewriter &rewriter) {
  MemRefType type = buffer.getType();
  int64_t rank = type.getRank();
  SmallVector<OpFoldResult> offsets(rank + 1, rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes(rank + 1, rewriter.getIndexAttr(1));
  SmallVector<OpFoldResult> strides(rank + 1, rewriter.getIndexAttr(1));
  offsets[0] = slot;
  for (int64_t dim = 0; dim < rank; ++dim)
    sizes[dim + 1] = rewriter.getIndexAttr(type.getDimSize(dim));
  auto view = memref::SubViewOp::inferRankReducedResultType(
      type.getShape(), slots.getType(), offsets, sizes, strides);
  return memref::SubViewOp::create(rewriter, buffer.getLoc(), view, slots,
                                   offsets, sizes, strides);
}

/// Erases views of `memref` that nothing uses. Whether none is left.
static bool eraseUnusedViews(Value memref, IRRewriter &rewriter) {
  bool isUnused = true;
  for (Operation *user : llvm::make_early_inc_range(memref.getUsers())) {
    if (isa<ViewLikeOpInterface>(user) &&
        eraseUnusedViews(user->getResult(0), rewriter))
      rewriter.eraseOp(user);
    else
      isUnused = false;
  }
  return isUnused;
}

void tile::eraseUnused(AllocOp buffer, IRRewriter &rewriter) {
  if (eraseUnusedViews(buffer.getResult(), rewriter))
    rewriter.eraseOp(buffer);
}
