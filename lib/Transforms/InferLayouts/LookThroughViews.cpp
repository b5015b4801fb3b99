//===- LookThroughViews.cpp - Views that the launch makes -----------------===//
//
// A tensor map describes a memref that the host knows. What a launch copies from a
// view that it makes itself is a box of the memref that is viewed, where that is
// proved to be the same (tile/Analysis/ViewedBox.h), and is named as one:
//
//     %v = memref.subview %m[%b, 0, 0] [1, 64, 512] [1, 1, 1]
//     tile.copy %v[%i, %k] to %s   ->   tile.copy %m[%b, %i, %k] [1, 64, 64] to %s
//
// In front of all that is done to copies between global and shared memory, and to
// loads and results where bulk copies may make them. Views that nothing needs any
// more are left to later passes.
//
//===----------------------------------------------------------------------===//

#include "StageTiles.h"

#include "tile/Analysis/ViewedBox.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

Obstacle mlir::tile::findViewObstacle(LayoutContext &context, const Side &side,
                                      ArrayRef<int64_t> tile) {
  if (!isMadeInLaunch(context.facts, side.memref))
    return std::nullopt;
  auto box = findViewedBox(context.facts, side, tile);
  return box ? Obstacle() : Obstacle(box.reason());
}

/// The box of `side` in the memref from outside; nothing where that is its own, or
/// is not known to be the same.
static std::optional<ViewedBox>
findOtherBox(LayoutContext &context, const Side &side, ArrayRef<int64_t> tile) {
  if (side.isShared() || !isMadeInLaunch(context.facts, side.memref))
    return std::nullopt;
  auto box = findViewedBox(context.facts, side, tile);
  return box ? std::optional<ViewedBox>(*box) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static Value computeStart(OpBuilder &builder, Location loc,
                          const BoxStart &start) {
  auto getConstant = [&](int64_t constant) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, constant);
  };
  Value sum;
  for (auto [value, factor] : start.terms) {
    Value term = value;
    if (factor != 1)
      term = arith::MulIOp::create(builder, loc, value, getConstant(factor));
    sum = sum ? arith::AddIOp::create(builder, loc, sum, term) : term;
  }
  if (!sum)
    return getConstant(start.constant);
  if (start.constant == 0)
    return sum;
  return arith::AddIOp::create(builder, loc, sum, getConstant(start.constant));
}

static SmallVector<Value> computeStarts(OpBuilder &builder, Operation *op,
                                        const ViewedBox &box) {
  builder.setInsertionPoint(op);
  return llvm::map_to_vector(box.starts, [&](const BoxStart &start) {
    return computeStart(builder, op->getLoc(), start);
  });
}

// Pattern: op of %view[%i]  ->  op of %memref[%offset + %i] [extents] [if the same]
template <typename Op>
static void renameSource(LayoutContext &context, Op op, ArrayRef<int64_t> tile,
                         OpBuilder &builder) {
  auto box = findOtherBox(context, op.getSourceSide(), tile);
  if (!box)
    return;
  op.getSourceIndicesMutable().assign(computeStarts(builder, op, *box));
  op.getSourceMutable().assign(box->memref);
  op.setSourceBox(box->extents);
  op.setSourceInBounds(box->inBounds);
  if (box->rowsDim)
    op.setSourceRowsDim(*box->rowsDim);
}

// Pattern: op to %view[%i]  ->  op to %memref[%offset + %i] [extents] [if the same]
template <typename Op>
static void renameDest(LayoutContext &context, Op op, ArrayRef<int64_t> tile,
                       OpBuilder &builder) {
  auto box = findOtherBox(context, op.getDestSide(), tile);
  if (!box)
    return;
  op.getDestIndicesMutable().assign(computeStarts(builder, op, *box));
  op.getDestMutable().assign(box->memref);
  op.setDestBox(box->extents);
  op.setDestInBounds(box->inBounds);
  if (box->rowsDim)
    op.setDestRowsDim(*box->rowsDim);
}

void mlir::tile::lookThroughViews(LayoutContext &context,
                                  IRRewriter &rewriter) {
  context.launch.walk([&](CopyOp copy) {
    if (copy.getSourceSide().isShared() == copy.getDestSide().isShared())
      return;
    renameSource(context, copy, copy.getTileShape(), rewriter);
    renameDest(context, copy, copy.getTileShape(), rewriter);
  });
}

void mlir::tile::lookThroughViews(LayoutContext &context, LoadOp load,
                                  IRRewriter &rewriter) {
  renameSource(context, load, load.getType().getShape(), rewriter);
}

void mlir::tile::lookThroughViews(LayoutContext &context, StoreOp store,
                                  IRRewriter &rewriter) {
  renameDest(context, store, store.getValue().getType().getShape(), rewriter);
}

void mlir::tile::lookThroughViews(LayoutContext &context, AtomicRMWOp atomic,
                                  IRRewriter &rewriter) {
  renameDest(context, atomic, atomic.getValue().getType().getShape(), rewriter);
}
