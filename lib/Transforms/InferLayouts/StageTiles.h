//===- StageTiles.h - Tiles through buffers of their own --------*- C++ -*-===//
//
// What loads (StageTiles.cpp) and results (StageResults.cpp) ask alike where the
// copy engine is to move them through a buffer made for that.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_INFERLAYOUTS_STAGETILES_H
#define TILE_TRANSFORMS_INFERLAYOUTS_STAGETILES_H

#include "BulkCopies.h"

#include "tile/Hardware/BulkBoxes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace mlir::tile {

int64_t getBufferBytes(MemRefType type);

/// How often a buffer is there at the same time.
using BufferSlots = llvm::function_ref<int64_t(AllocOp)>;

/// Whether the buffers of the launch, each as often as `getSlots` says, and
/// `bytes` more fit the chip.
Obstacle findRoomObstacle(LayoutContext &context, int64_t bytes,
                          BufferSlots getSlots);

/// The layout that a buffer for a tile gets.
tilec::SharedLayout getStageLayout(ArrayRef<int64_t> shape, Type element);

/// The boxes of bulk copies by `row` between `side` of `op` and a buffer for a
/// tile of `shape`; or what is in their way.
tilec::Expected<tilec::BulkBoxes>
getStageBoxes(LayoutContext &context, Operation *op, Side side,
              const tilec::SharedLayout &buffer, ArrayRef<int64_t> shape,
              const tilec::CopyInstruction &row);

/// A buffer for a tile, where the builder stands.
AllocOp makeStageBuffer(OpBuilder &builder, Location loc,
                        ArrayRef<int64_t> shape, Type element);

/// Says why threads move a tile.
void reportThreads(LayoutContext &context, Operation *op,
                   remark::RemarkOpts name, const std::string &reason);

/// Stores of products' results, and loads that a producer can bring.
void stageResults(LayoutContext &context, IRRewriter &rewriter);
void stageLoads(LayoutContext &context, IRRewriter &rewriter);

/// Names boxes of views that the launch makes in the memrefs that are viewed: of
/// all copies between global and shared memory, or of one access
/// (LookThroughViews.cpp).
void lookThroughViews(LayoutContext &context, IRRewriter &rewriter);
void lookThroughViews(LayoutContext &context, LoadOp load,
                      IRRewriter &rewriter);
void lookThroughViews(LayoutContext &context, StoreOp store,
                      IRRewriter &rewriter);
void lookThroughViews(LayoutContext &context, AtomicRMWOp atomic,
                      IRRewriter &rewriter);

/// Says of copies that may be spans of bytes where they lie inside of their memref
/// (ChooseSpans.cpp).
void stateBounds(LayoutContext &context);

/// Copies of gathered rows, each in boxes of the rows that follow each other
/// (SplitRows.cpp).
void splitRows(LayoutContext &context, IRRewriter &rewriter);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_INFERLAYOUTS_STAGETILES_H
