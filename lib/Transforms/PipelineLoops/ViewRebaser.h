//===- ViewRebaser.h - Operations that see a slot for a buffer --*- C++ -*-===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_VIEWREBASER_H
#define TILE_TRANSFORMS_PIPELINELOOPS_VIEWREBASER_H

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tile {

/// Lets operations see `slot` where they saw `buffer`.
class ViewRebaser {
public:
  ViewRebaser(Value buffer, Value slot, IRRewriter &rewriter)
      : rewriter(rewriter) {
    mapping.map(buffer, slot);
  }
  /// Rebases `user` and what is in it.
  void rebase(Operation *user);

private:
  Value getView(Value memref);

  IRRewriter &rewriter;
  IRMapping mapping;
};

/// A buffer of `slots` times what `buffer` holds, where the rewriter stands.
AllocOp createSlots(AllocOp buffer, int64_t slots, IRRewriter &rewriter);

/// The view of one slot of `slots`, which `createSlots` made of `buffer`.
Value createSlotView(AllocOp buffer, AllocOp slots, Value slot,
                     IRRewriter &rewriter);

/// Erases a buffer that only views use which nothing uses.
void eraseUnused(AllocOp buffer, IRRewriter &rewriter);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_VIEWREBASER_H
