//===- LowerToTile.cpp - From another dialect to tile programs ------------===//
//
// What an embedding compiler writes: a pattern that replaces its own operation
// by a launch. Blocks of 128 threads take 1024 elements each; the language
// takes care of a last block that reaches past the end.
//
//===----------------------------------------------------------------------===//

#include "Blas.h"

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {

constexpr int64_t elementsPerBlock = 1024;
constexpr int64_t threadsPerBlock = 128;

// Pattern: blas.axpy %alpha, %x, %y -> tile.launch { load, load, fma, store }
struct LowerAxpy final : OpRewritePattern<blas::AxpyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(blas::AxpyOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value step =
        arith::ConstantIndexOp::create(rewriter, loc, elementsPerBlock);
    Value size = memref::DimOp::create(rewriter, loc, op.getX(), zero);
    Value blocks = arith::CeilDivUIOp::create(rewriter, loc, size, step);

    tile::LaunchOp launch =
        tile::LaunchOp::create(rewriter, loc, blocks, threadsPerBlock);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&launch.getBody().front());
    Value start = arith::MulIOp::create(rewriter, loc,
                                        launch.getBody().getArgument(0), step);
    auto fragment =
        RankedTensorType::get({elementsPerBlock}, rewriter.getF32Type());
    Value x = tile::LoadOp::create(rewriter, loc, fragment, op.getX(), start);
    Value y = tile::LoadOp::create(rewriter, loc, fragment, op.getY(), start);
    Value alpha = arith::ConstantOp::create(
        rewriter, loc, DenseElementsAttr::get(fragment, op.getAlphaAttr()));
    Value product = arith::MulFOp::create(rewriter, loc, alpha, x);
    Value sum = arith::AddFOp::create(rewriter, loc, product, y);
    tile::StoreOp::create(rewriter, loc, sum, op.getY(), start);
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerBlasToTile final : PassWrapper<LowerBlasToTile, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerBlasToTile)
  StringRef getArgument() const override { return "lower-blas-to-tile"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tile::TileDialect, arith::ArithDialect,
                    memref::MemRefDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<LowerAxpy>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> blas::createLowerBlasToTile() {
  return std::make_unique<LowerBlasToTile>();
}
