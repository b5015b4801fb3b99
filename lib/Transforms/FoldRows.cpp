//===- FoldRows.cpp - Gathers of one row ----------------------------------===//
//
//     tile.load %x[%i, %j] [1, 64] rows(%r) dim 0  ->  tensor<64xf32>
//  =  tile.load %x[%i + %r[0], %j] [1, 64]         ->  tensor<64xf32>
//
//===----------------------------------------------------------------------===//

#include "FoldRows.h"

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tile;

/// The only element of `rows` as an index; of i1, as every element in memory, 0 or 1.
static Value getOnlyRow(RewriterBase &rewriter, Location loc, Value rows) {
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value row = tensor::ExtractOp::create(rewriter, loc, rows, zero);
  Type index = rewriter.getIndexType();
  if (row.getType() == index)
    return row;
  return row.getType().isInteger(1)
             ? arith::IndexCastUIOp::create(rewriter, loc, index, row)
                   .getResult()
             : arith::IndexCastOp::create(rewriter, loc, index, row)
                   .getResult();
}

static SmallVector<int64_t> getTile(CopyOp copy) { return copy.getTileShape(); }

static ArrayRef<int64_t> getTile(LoadOp load) {
  return load.getType().getShape();
}

template <typename OpT>
static ArrayRef<int64_t> getTile(OpT op) {
  return op.getValue().getType().getShape();
}

/// Whether the rows of `side` run along a dimension that `tile` does not have.
static bool hasDroppedRows(const Side &side, ArrayRef<int64_t> tile) {
  return side.rows &&
         !llvm::is_contained(side.getTileDims(tile), *side.rowsDim);
}

/// Adds the only row of `side` to the start in `indices`, in the place of `rows`.
static LogicalResult foldRows(PatternRewriter &rewriter, Operation *op,
                              const Side &side, ArrayRef<int64_t> tile,
                              MutableOperandRange indices,
                              MutableOperandRange rows, StringAttr rowsDim) {
  if (!hasDroppedRows(side, tile))
    return failure();
  Location loc = op->getLoc();
  Value row = getOnlyRow(rewriter, loc, side.rows);
  rewriter.modifyOpInPlace(op, [&] {
    OpOperand &start = indices[*side.rowsDim];
    start.set(arith::AddIOp::create(rewriter, loc, start.get(), row));
    rows.clear();
    op->removeAttr(rowsDim);
  });
  return success();
}

namespace {

template <typename OpT>
struct FoldSourceRows : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    return foldRows(rewriter, op, op.getSourceSide(), getTile(op),
                    op.getSourceIndicesMutable(), op.getSourceRowsMutable(),
                    op.getSourceRowsDimAttrName());
  }
};

template <typename OpT>
struct FoldDestRows : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    return foldRows(rewriter, op, op.getDestSide(), getTile(op),
                    op.getDestIndicesMutable(), op.getDestRowsMutable(),
                    op.getDestRowsDimAttrName());
  }
};

} // namespace

void tile::populateFoldRowsPatterns(RewritePatternSet &patterns) {
  patterns
      .add<FoldSourceRows<CopyOp>, FoldSourceRows<LoadOp>, FoldDestRows<CopyOp>,
           FoldDestRows<StoreOp>, FoldDestRows<AtomicRMWOp>>(
          patterns.getContext());
}
