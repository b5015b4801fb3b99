//===- AwaitProducts.cpp - Products whose waits are written ---------------===//
//
// Requires and keeps source.
//
// A program may start products and wait for them itself. What is waited for
// when, how many products are in flight and which registers they keep follows
// from the chip, the layouts and the rings of a loop, none of which is known
// here: so each product becomes one that is waited for where it starts, which
// gives the same values, and `tile-overlap-products` decides later.
//
//     %p = tile.gemm_async %a, %b      ->   %p = tile.gemm %a, %b
//     %d = tile.wait %p                     (%p where %d is used)
//
// Pending values that loops and conditions carry become the fragments. A
// register copy of a fragment is that fragment, and there is nothing to wait
// for otherwise.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tile {
#define GEN_PASS_DEF_AWAITPRODUCTS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// Lets a value be the fragment that was pending.
static void settle(Value value) {
  if (auto pending = dyn_cast<PendingType>(value.getType()))
    value.setType(pending.getFragment());
}

/// The same product, waited for.
static void await(GemmAsyncOp product) {
  OpBuilder builder(product);
  NamedAttrList attributes(product->getAttrs());
  attributes.erase(GemmAsyncOp::getOperandSegmentSizeAttr());
  SmallVector<Value> operands = {product.getA(), product.getB()};
  if (Value meta = product.getMeta())
    operands.insert(std::next(operands.begin()), meta);
  if (Value c = product.getC())
    operands.push_back(c);
  OperationState state(product.getLoc(),
                       product.getMeta() ? GemmSparseOp::getOperationName()
                                         : GemmOp::getOperationName(),
                       operands, product->getResultTypes(),
                       attributes.getAttrs());
  product->replaceAllUsesWith(builder.create(state));
  product->erase();
}

static void awaitProducts(LaunchOp launch) {
  launch.getBody().walk([](Operation *op) {
    llvm::for_each(op->getResults(), settle);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), settle);
  });
  launch.getBody().walk([](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([](GemmAsyncOp product) { await(product); })
        .Case<WaitOp, CloneOp>([](auto value) {
          value->replaceAllUsesWith(value->getOperands());
          value->erase();
        })
        .Case([](ProductWaitOp wait) { wait->erase(); });
  });
}

namespace {
struct AwaitProducts : tile::impl::AwaitProductsBase<AwaitProducts> {
  void runOnOperation() override {
    auto launches = getLaunches(getOperation(), getArgument());
    if (failed(launches))
      return signalPassFailure();
    llvm::for_each(*launches, awaitProducts);
  }
};
} // namespace
