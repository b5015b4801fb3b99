//===- ReplicatedLoops.cpp - Loops that must run once and give results ----===//
//
// A `tile.parallel` of fewer iterations than threads is replicated: several
// threads compute the same iteration. That cannot be where the body is not
// repeatable: it has an atomic, or reads memory that it writes. One replica
// runs it then, and the others need its results:
//
//     %r = parallel { .. yield %v }  ->  %s = tile.alloc
//                                        parallel { .. store %v, %s[%i, %j] }
//                                        %r = tile.load %s
//
// Comes after the extracts, which may become reads of memory.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-materialize-scratch"

using namespace mlir;
using namespace mlir::tile;

// Pattern: %r = parallel { yield %v }
//          ->  parallel { store %v, %s }, %r = load %s
static void returnThroughScratch(ParallelOp loop, RewriterBase &rewriter) {
  Location loc = loop.getLoc();
  YieldOp yield = loop.getYield();
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> buffers;
  for (Value result : loop.getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    buffers.push_back(createScratch(rewriter, loc, type.getShape(),
                                    type.getElementType(), loop.getLayoutAttr(),
                                    getFragment(type)));
  }
  auto bare =
      ParallelOp::create(rewriter, loc, TypeRange(), loop.getShapeAttr(),
                         loop.getCoalescedWidthAttr(), loop.getLayoutAttr(),
                         loop.getVectorWidthAttr());
  bare.getBody().takeBody(loop.getBody());
  rewriter.setInsertionPoint(yield);
  for (auto [value, buffer] : llvm::zip_equal(yield.getValues(), buffers))
    memref::StoreOp::create(rewriter, loc, widenToScratch(rewriter, loc, value),
                            buffer, ValueRange(bare.getInductionVars()));
  YieldOp::create(rewriter, yield.getLoc(), ValueRange());
  rewriter.eraseOp(yield);
  rewriter.setInsertionPointAfter(bare);
  for (auto [result, buffer] : llvm::zip_equal(loop.getResults(), buffers))
    rewriter.replaceAllUsesWith(
        result, loadFromScratch(rewriter, loc, buffer,
                                cast<RankedTensorType>(result.getType())));
  rewriter.eraseOp(loop);
}

LogicalResult mlir::tile::materializeReplicatedLoops(LaunchOp launch,
                                                     RewriterBase &rewriter) {
  SmallVector<ParallelOp> loops;
  launch.getBody().walk([&](ParallelOp loop) {
    if (loop.getNumResults() != 0 && loop.getIterationEffects().mustRunOnce() &&
        loop.getLayoutAttr().getLayout().getReplication() > 1)
      loops.push_back(loop);
  });
  for (ParallelOp loop : loops) {
    remark::missed(loop.getLoc(),
                   remark::RemarkOpts::name("ReplicatedLoop")
                       .category(DEBUG_TYPE)
                       .function(launch.getKernel().value_or("")))
        << remark::reason("fewer iterations than threads, which read what they "
                          "write: their results go through shared memory");
    returnThroughScratch(loop, rewriter);
  }
  return success();
}
