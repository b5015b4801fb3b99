//===- LowerToTile.cpp - From another dialect to tile programs ------------===//
//
// What an embedding compiler writes: a pattern that replaces its own operation
// by a launch. Blocks of 128 threads take 1024 elements each; the language
// takes care of a last block that reaches past the end.
//
//===----------------------------------------------------------------------===//

#include "Blas.h"

#include "tile/Dialect/Tile/ProgramBuilder.h"

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
    tile::ProgramBuilder b(op.getLoc(), rewriter);
    Value step = b.index(elementsPerBlock);
    Value blocks = b.ceilDiv(b.size(op.getX(), 0), step);
    b.launch(blocks, threadsPerBlock, [&](ValueRange block) {
      Value start = arith::MulIOp::create(b, block[0], step);
      Value x = b.load({op.getX(), {start}}, {elementsPerBlock});
      Value y = b.load({op.getY(), {start}}, {elementsPerBlock});
      Value alpha = b.splat({elementsPerBlock}, b.getF32Type(),
                            op.getAlpha().convertToFloat());
      Value product = arith::MulFOp::create(b, alpha, x);
      b.store(arith::AddFOp::create(b, product, y), {op.getY(), {start}});
    });
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
