//===- BlockEffects.cpp - What one thread does for the block --------------===//
//
// A block-level `memref.store` or `memref.atomic_rmw` acts once for the block,
// so one thread does it, in a `tile.once`. The old value of an atomic is a
// scalar of the whole block: the thread leaves it in a buffer, from which all
// read it.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Dialect/Tile/ScheduleHints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::tile;

/// Moves `op` into a new `tile.once` in its place.
static OnceOp wrapInOnce(Operation *op, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  auto once = OnceOp::create(rewriter, op->getLoc());
  if (once.getBody().empty())
    rewriter.createBlock(&once.getBody());
  Block &body = once.getBody().front();
  if (body.empty()) {
    rewriter.setInsertionPointToEnd(&body);
    YieldOp::create(rewriter, op->getLoc());
  }
  copyScheduleHint(op, once);
  removeScheduleHint(op);
  rewriter.moveOpBefore(op, body.getTerminator());
  return once;
}

// Pattern: %old = memref.atomic_rmw ..  ->
//          once { %v = memref.atomic_rmw .. ; store %v, %s[0] }, load %s[0]
static void materializeAtomic(memref::AtomicRMWOp atomic,
                              RewriterBase &rewriter) {
  bool isUsed = !atomic.getResult().use_empty();
  Location loc = atomic.getLoc();
  Value buffer, zero;
  if (isUsed) {
    rewriter.setInsertionPoint(atomic);
    buffer = createScratch(rewriter, loc, {1}, atomic.getResult().getType(),
                           /*written=*/{}, /*read=*/{});
    zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  }
  OnceOp once = wrapInOnce(atomic, rewriter);
  if (!isUsed)
    return;
  rewriter.setInsertionPointAfter(once);
  Value old = memref::LoadOp::create(rewriter, loc, buffer, zero);
  rewriter.replaceAllUsesWith(atomic.getResult(), old);
  rewriter.setInsertionPointAfter(atomic);
  memref::StoreOp::create(rewriter, loc, atomic.getResult(), buffer, zero);
}

LogicalResult mlir::tile::materializeBlockEffects(LaunchOp launch,
                                                  RewriterBase &rewriter) {
  SmallVector<Operation *> effects;
  launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (getPlaceInside(op, Place::Block) != Place::Block)
      return WalkResult::skip();
    if (isa<memref::StoreOp, memref::AtomicRMWOp>(op))
      effects.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *op : effects)
    if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
      materializeAtomic(atomic, rewriter);
    else
      wrapInOnce(op, rewriter);
  return success();
}
