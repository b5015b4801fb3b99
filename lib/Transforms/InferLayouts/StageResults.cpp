//===- StageResults.cpp - Results on their way to global memory -----------===//
//
// The result of a product lies in registers as its instruction leaves it, two
// elements side by side in each thread. Stored from there, a row of 32 bytes is
// the most that one access of a warp finds together. Through shared memory one
// bulk tensor copy writes whole rows, clips them at the edge, and takes one
// thread:
//
//     tile.store %r, %m[%i, %j]   ->   %s = tile.alloc
//                                      tile.store %r, %s
//                                      tile.copy %s to %m[%i, %j]
//
// Before layouts are chosen: the buffer gets the one without conflicts, and the
// copy its instruction, as all others do.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"

#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/BulkBoxes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tile-infer-layouts"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// The values that follow `value` directly backwards: operands of elementwise
/// operations, what loops yield for their results.
static void addOrigins(Value value, llvm::SetVector<Value> &origins) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    origins.insert(loop.getYieldedValues()[number]);
    return;
  }
  if (op->hasTrait<OpTrait::Elementwise>())
    origins.insert(op->operand_begin(), op->operand_end());
}

/// Whether a fragment has the layout in which some product leaves its result.
static bool isResultOfProduct(Value fragment) {
  llvm::SetVector<Value> seen;
  seen.insert(fragment);
  for (size_t next = 0; next < seen.size(); ++next) {
    Value value = seen[next];
    if (isa_and_nonnull<MatrixProductOpInterface>(value.getDefiningOp()))
      return true;
    addOrigins(value, seen);
  }
  return false;
}

static int64_t getBufferBytes(MemRefType type) {
  return type.getNumElements() * getMemoryBits(type.getElementType()) / 8;
}

/// Whether the buffers of the launch and one more of `bytes` fit the chip, each
/// once.
static Obstacle findRoomObstacle(LayoutContext &context, int64_t bytes) {
  int64_t largest = context.target.maxSharedBytesPerBlock;
  context.launch.walk(
      [&](AllocOp buffer) { bytes += getBufferBytes(buffer.getType()); });
  if (bytes <= largest)
    return std::nullopt;
  return "with the buffer that it takes the launch has " +
         std::to_string(bytes) + " bytes of shared memory, more than the " +
         std::to_string(largest) + " of the chip";
}

/// What is in the way of staging the tile that `store` writes.
static Obstacle findStagingObstacle(LayoutContext &context, StoreOp store,
                                    const tilec::CopyInstruction &row) {
  Side dest = store.getDestSide();
  RankedTensorType type = store.getValue().getType();
  int64_t bits = getMemoryBits(type.getElementType());
  if (row.box->rank != dest.getRank())
    return "its memref has more than " + std::to_string(row.box->rank) +
           " dimensions; drop some by a view";
  if (dest.rows)
    return "it has rows of its own choice, and a bulk copy moves boxes";
  if (Obstacle obstacle = findTensorObstacle(context, dest.memref, *row.box))
    return obstacle;
  ArrayRef<int64_t> shape = type.getShape();
  std::vector<int> order;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim)
    order.push_back(static_cast<int>(dim));
  std::vector<tilec::TensorAxis> axes;
  for (int64_t extent : dest.getExtents(shape))
    axes.push_back({extent, std::nullopt});
  for (auto [tileDim, dim] : llvm::enumerate(dest.getTileDims(shape)))
    axes[dim].bufferDim = static_cast<int>(tileDim);
  auto layout = tilec::SharedLayout::conflictFree(
      tilec::Coordinate(shape.begin(), shape.end()), order, bits);
  auto boxes = tilec::getBulkBoxes(row, layout, axes,
                                   std::vector<int64_t>(shape.size(), 0));
  if (!boxes)
    return boxes.reason();
  if (boxes->boxBytes < smallestBoxBytes)
    return "its boxes have " + std::to_string(boxes->boxBytes) +
           " bytes, and from " + std::to_string(smallestBoxBytes) +
           " bytes on they are worth it";
  if (Obstacle obstacle = findOtherWriter(context, store, dest.memref,
                                          [](Operation *) { return false; }))
    return obstacle;
  return findRoomObstacle(context, layout.getSizeBytes());
}

/// The bulk copy that may take over from `store`; null where it does not store
/// a product's result of 16-bit elements as it is to global memory.
static const tilec::CopyInstruction *getRow(LayoutContext &context,
                                            StoreOp store) {
  Side dest = store.getDestSide();
  Type element = store.getValue().getType().getElementType();
  constexpr int64_t elementBits = 16;
  if (dest.isShared() || dest.getType().getElementType() != element ||
      getMemoryBits(element) != elementBits ||
      store->getParentOfType<ParallelOp>() ||
      !isResultOfProduct(store.getValue()))
    return nullptr;
  return findBulkRow(context.target, tilec::MemorySpace::Shared,
                     tilec::MemorySpace::Global, dest.getRank());
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

// Pattern: tile.store %r, %m[..]  ->  tile.store %r, %s; tile.copy %s to %m[..]
static void stageResult(StoreOp store, IRRewriter &rewriter) {
  Location loc = store.getLoc();
  RankedTensorType type = store.getValue().getType();
  rewriter.setInsertionPoint(store);
  auto space = gpu::AddressSpaceAttr::get(store.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto buffer =
      AllocOp::create(rewriter, loc,
                      MemRefType::get(type.getShape(), type.getElementType(),
                                      MemRefLayoutAttrInterface(), space),
                      /*layout=*/SharedAttr(), /*alignment=*/IntegerAttr());
  StoreOp::create(rewriter, loc, store.getValue(), buffer);
  auto copy = CopyOp::create(rewriter, loc, buffer, ValueRange(),
                             store.getDest(), store.getDestIndices());
  copy.setDestBoxAttr(store.getDestBoxAttr());
  copy.setDestInBoundsAttr(store.getDestInBoundsAttr());
  rewriter.eraseOp(store);
}

void mlir::tile::stageResults(LayoutContext &context) {
  if (!context.bulkCopies)
    return;
  IRRewriter rewriter(context.launch.getContext());
  SmallVector<StoreOp> stores;
  context.launch.walk([&](StoreOp store) { stores.push_back(store); });
  for (StoreOp store : stores) {
    const tilec::CopyInstruction *row = getRow(context, store);
    if (!row)
      continue;
    if (Obstacle obstacle = findStagingObstacle(context, store, *row))
      remark::missed(store.getLoc(),
                     remark::RemarkOpts::name("StoreByThreads")
                         .category(DEBUG_TYPE)
                         .function(context.launch.getKernel().value_or("")))
          << remark::reason("{0}", *obstacle);
    else
      stageResult(store, rewriter);
  }
}
