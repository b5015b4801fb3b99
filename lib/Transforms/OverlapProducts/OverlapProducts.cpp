//===- OverlapProducts.cpp - One product in flight over a loop -----------===//
//
// Requires and keeps scheduled. In a loop with one product that accumulates, the
// sum stays pending                                            PendingSum.h
// in one with two, the last runs under the next iteration      LateProduct.h
// where neither can be, and outside of loops, those of a block run together
//                                                              BlockProducts.h
// an accumulator that is used again is cloned              CloneAccumulators.h
//
// Which products are waited for where is counted when rings are lowered
// (LowerRings/ProductsInFlight.h).
//
// After tile-pipeline-loops, which decides what is in a ring, and before rings
// become groups of copies or stay for mbarriers: it speaks of uses only.
//
//===----------------------------------------------------------------------===//

#include "BlockProducts.h"
#include "CloneAccumulators.h"
#include "LateProduct.h"
#include "PendingSum.h"

#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-overlap-products"

namespace mlir::tile {
#define GEN_PASS_DEF_OVERLAPPRODUCTS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

static void overlapProducts(scf::ForOp loop, StringRef kernel) {
  MatrixProductOpInterface product = findLastOfTwo(loop);
  bool isLate = static_cast<bool>(product);
  if (!isLate)
    product = findAccumulation(loop);
  if (!product)
    return;
  Location loc = product.getLoc();
  auto obstacle =
      isLate ? delayProduct(loop, product) : keepSumPending(loop, product);
  if (!obstacle)
    return;
  StringRef instead = startTogether(*loop.getBody())
                          ? "products are waited for in their iteration"
                          : "each product is waited for before the next";
  remark::missed(loc, remark::RemarkOpts::name("NotOverlapped")
                          .category(DEBUG_TYPE)
                          .function(kernel))
      << remark::reason("{0}: {1}", instead, *obstacle);
}

namespace {
struct OverlapProducts final
    : tile::impl::OverlapProductsBase<OverlapProducts> {
  void runOnOperation() override {
    auto overlap = [](LaunchOp launch) {
      SmallVector<scf::ForOp> loops;
      launch.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      for (scf::ForOp loop : loops)
        overlapProducts(loop, launch.getKernel().value_or(""));
      launch.walk([](Block *block) { startTogether(*block); });
      cloneAccumulators(launch);
      return success();
    };
    if (failed(transformLaunches(getOperation(), getArgument(), overlap)))
      signalPassFailure();
  }
};
} // namespace
