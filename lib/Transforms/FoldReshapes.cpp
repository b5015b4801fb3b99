//===- FoldReshapes.cpp - Reshapes of buffers that are none ---------------===//
//
// What is known of a place in shared memory is known along the dimensions of its
// buffer, which subviews keep. Reshapes need none of their own
//
//   - where they drop dimensions of extent 1: a subview drops them;
//   - where they add some: the buffer has them, and those who use it without look at it
//     through a subview;
//   - where all who use a buffer reshape it alike: the buffer has that shape.
//
// A buffer whose layout the user wrote has the shape that the layout is of.
//
//===----------------------------------------------------------------------===//

#include "FoldReshapes.h"

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::tile;

/// By dimension of `shape` whether the dimension that its group of `groups` becomes does
/// without it; nothing where one would have two of more than one element.
static std::optional<llvm::SmallBitVector>
findUnitDims(ArrayRef<int64_t> shape, ArrayRef<ReassociationIndices> groups) {
  llvm::SmallBitVector units(shape.size());
  for (const ReassociationIndices &group : groups) {
    int64_t kept = group.back();
    for (int64_t dim : group)
      if (shape[dim] != 1)
        kept = dim;
    for (int64_t dim : group) {
      if (dim != kept && shape[dim] != 1)
        return std::nullopt;
      if (dim != kept)
        units.set(dim);
    }
  }
  return units;
}

/// All of `whole` as a memref of `type`, which lacks dimensions of extent 1.
static Value dropUnits(PatternRewriter &rewriter, Location loc, Value whole,
                       MemRefType type) {
  ArrayRef<int64_t> shape = cast<MemRefType>(whole.getType()).getShape();
  SmallVector<OpFoldResult> offsets(shape.size(), rewriter.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(rewriter.getContext(), shape),
      strides(shape.size(), rewriter.getIndexAttr(1));
  auto dropped = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      type.getShape(), cast<MemRefType>(whole.getType()), offsets, sizes,
      strides));
  Value view = memref::SubViewOp::create(rewriter, loc, dropped, whole, offsets,
                                         sizes, strides);
  return dropped == type
             ? view
             : memref::CastOp::create(rewriter, loc, type, view).getResult();
}

/// Puts `shaped`, of another shape, in the place of `buffer`.
static AllocOp allocateAs(PatternRewriter &rewriter, AllocOp buffer,
                          MemRefType shaped) {
  rewriter.setInsertionPoint(buffer);
  return AllocOp::create(rewriter, buffer.getLoc(), shaped, SharedAttr(),
                         buffer.getAlignmentAttr());
}

/// The type in which `user` sees all of `buffer` in another shape; null where it does not.
static MemRefType getReshapedType(AllocOp buffer, Operation *user) {
  MemRefType whole = buffer.getType();
  auto view = dyn_cast<ViewLikeOpInterface>(user);
  auto type =
      view ? dyn_cast<MemRefType>(user->getResult(0).getType()) : MemRefType();
  bool isReshaped = type && type.getLayout().isIdentity() &&
                    type.getShape() != whole.getShape() &&
                    type.getNumElements() == whole.getNumElements();
  return isReshaped ? type : MemRefType();
}

namespace {

// Pattern: collapse_shape %s  ->  subview %s[0, ..] of fewer dimensions
//          if all that it puts together have one element but one
struct DropUnitDims final : OpRewritePattern<memref::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    if (!isSharedMemory(op.getSrcType()) ||
        !findUnitDims(op.getSrcType().getShape(), op.getReassociationIndices()))
      return rewriter.notifyMatchFailure(op, "it joins dimensions");
    rewriter.replaceOp(
        op, dropUnits(rewriter, op.getLoc(), op.getSrc(), op.getResultType()));
    return success();
  }
};

// Pattern: %e = expand_shape %s, f(%s)  ->  %e = alloc, f(subview %e)
//          if all dimensions that it adds have one element
struct AllocateUnitDims final : OpRewritePattern<memref::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto buffer = op.getSrc().getDefiningOp<AllocOp>();
    if (!buffer || buffer.getLayout())
      return rewriter.notifyMatchFailure(op, "its buffer has a shape to keep");
    if (!findUnitDims(op.getResultType().getShape(),
                      op.getReassociationIndices()))
      return rewriter.notifyMatchFailure(op, "it splits dimensions");
    AllocOp shaped = allocateAs(rewriter, buffer, op.getResultType());
    Value view = dropUnits(rewriter, buffer.getLoc(), shaped, buffer.getType());
    rewriter.replaceOp(op, shaped);
    rewriter.replaceOp(buffer, view);
    return success();
  }
};

// Pattern: reshape (alloc)  ->  alloc
//          if the buffer is used in one other shape alone
struct AllocateAsUsed final : OpRewritePattern<AllocOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AllocOp buffer,
                                PatternRewriter &rewriter) const override {
    if (buffer.getLayout() || buffer->use_empty())
      return rewriter.notifyMatchFailure(buffer, "it has a shape to keep");
    MemRefType used;
    for (Operation *user : buffer->getUsers()) {
      MemRefType type = getReshapedType(buffer, user);
      if (!type || (used && type != used))
        return rewriter.notifyMatchFailure(buffer, "it has several shapes");
      used = type;
    }
    AllocOp shaped = allocateAs(rewriter, buffer, used);
    for (Operation *user : llvm::make_early_inc_range(buffer->getUsers()))
      rewriter.replaceOp(user, shaped);
    rewriter.eraseOp(buffer);
    return success();
  }
};

} // namespace

void tile::populateFoldReshapePatterns(RewritePatternSet &patterns) {
  patterns.add<DropUnitDims, AllocateUnitDims, AllocateAsUsed>(
      patterns.getContext());
}
