//===- StageTiles.cpp - Tiles on their way to and from registers ----------===//
//
// What lies in registers is stored and loaded by all threads, a few elements
// each. Through a buffer of its own the copy engine does it:
//
//     tile.store %r, %m[%i, %j]   ->   %s = tile.alloc
//                                      tile.store %r, %s
//                                      tile.copy %s to %m[%i, %j]
//
//     scf.for {                   ->   %s = tile.alloc
//       %t = tile.load %m[%i]          scf.for {
//                                        tile.copy %m[%i] to %s
//                                        %t = tile.load %s
//
// The result of a product lies in registers as its instruction leaves it, two
// elements side by side in each thread. Stored from there, a row of 32 bytes is
// the most that one access of a warp finds together. One bulk tensor copy writes
// whole rows, clips them at the edge, and takes one thread.
//
// Where a producer fills buffers ahead of a loop, a load into registers (scales
// of blocks, sums of rows) would be waited for in each iteration, and no other
// threads could have started it. Through a buffer the producer brings it as far
// ahead as all else.
//
// Before layouts are chosen: the buffer gets the one without conflicts, and the
// copy its instruction, as all others do.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
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

/// Whether the buffers of the launch and one more of `bytes` fit the chip, with
/// so many slots each.
static Obstacle findRoomObstacle(LayoutContext &context, int64_t bytes,
                                 int64_t slots = 1) {
  int64_t largest = context.target.maxSharedBytesPerBlock;
  context.launch.walk(
      [&](AllocOp buffer) { bytes += getBufferBytes(buffer.getType()); });
  bytes *= slots;
  if (bytes <= largest)
    return std::nullopt;
  return "with the buffer that it takes the launch has " +
         std::to_string(bytes) + " bytes of shared memory, more than the " +
         std::to_string(largest) + " of the chip";
}

/// The layout that a buffer for a tile gets.
static tilec::SharedLayout getBufferLayout(ArrayRef<int64_t> shape,
                                           Type element) {
  std::vector<int> order;
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim)
    order.push_back(static_cast<int>(dim));
  return tilec::SharedLayout::conflictFree(
      tilec::Coordinate(shape.begin(), shape.end()), order,
      getMemoryBits(element));
}

/// What is in the way of bulk copies by `row` between `side` and `buffer`.
static Obstacle findBoxObstacle(LayoutContext &context, Operation *op,
                                Side side, const tilec::SharedLayout &buffer,
                                ArrayRef<int64_t> shape,
                                const tilec::CopyInstruction &row) {
  int64_t bits = getMemoryBits(side.getType().getElementType());
  if (row.box->rank != side.getRank())
    return "its memref has more than " + std::to_string(row.box->rank) +
           " dimensions; drop some by a view";
  if (side.rows)
    return "it has rows of its own choice, and a bulk copy moves boxes";
  if (!llvm::is_contained({8, 16, 32, 64}, bits))
    return "its elements have " + std::to_string(bits) +
           " bits, and a bulk copy moves 1, 2, 4 or 8 bytes";
  if (Obstacle obstacle = findTensorObstacle(context, side.memref, *row.box))
    return obstacle;
  std::vector<tilec::TensorAxis> axes;
  for (int64_t extent : side.getExtents(shape))
    axes.push_back({extent, std::nullopt});
  for (auto [tileDim, dim] : llvm::enumerate(side.getTileDims(shape)))
    axes[dim].bufferDim = static_cast<int>(tileDim);
  auto boxes = tilec::getBulkBoxes(row, buffer, axes,
                                   std::vector<int64_t>(shape.size(), 0));
  if (!boxes)
    return boxes.reason();
  int64_t smallest = getSmallestBoxBytes(context, op);
  if (boxes->boxBytes < smallest)
    return "its boxes have " + std::to_string(boxes->boxBytes) +
           " bytes, and from " + std::to_string(smallest) +
           " bytes on they are worth it";
  return findOtherWriter(context, op, side.memref,
                         [](Operation *) { return false; });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// What is in the way of staging the tile that `store` writes.
static Obstacle findResultObstacle(LayoutContext &context, StoreOp store,
                                   const tilec::CopyInstruction &row) {
  RankedTensorType type = store.getValue().getType();
  auto buffer = getBufferLayout(type.getShape(), type.getElementType());
  if (Obstacle obstacle = findBoxObstacle(context, store, store.getDestSide(),
                                          buffer, type.getShape(), row))
    return obstacle;
  return findRoomObstacle(context, buffer.getSizeBytes());
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

/// A buffer for a tile, where the builder stands.
static AllocOp makeBuffer(OpBuilder &builder, Location loc,
                          ArrayRef<int64_t> shape, Type element) {
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto type =
      MemRefType::get(shape, element, MemRefLayoutAttrInterface(), space);
  return AllocOp::create(builder, loc, type, /*layout=*/SharedAttr(),
                         /*alignment=*/IntegerAttr());
}

// Pattern: tile.store %r, %m[..]  ->  tile.store %r, %s; tile.copy %s to %m[..]
static void stageResult(StoreOp store, IRRewriter &rewriter) {
  Location loc = store.getLoc();
  RankedTensorType type = store.getValue().getType();
  rewriter.setInsertionPoint(store);
  AllocOp buffer =
      makeBuffer(rewriter, loc, type.getShape(), type.getElementType());
  StoreOp::create(rewriter, loc, store.getValue(), buffer);
  auto copy = CopyOp::create(rewriter, loc, buffer, ValueRange(),
                             store.getDest(), store.getDestIndices());
  copy.setDestBoxAttr(store.getDestBoxAttr());
  copy.setDestInBoundsAttr(store.getDestInBoundsAttr());
  rewriter.eraseOp(store);
}

/// Says why threads move a tile.
static void reportThreads(LayoutContext &context, Operation *op,
                          remark::RemarkOpts name, const std::string &reason) {
  remark::missed(op->getLoc(),
                 name.category(DEBUG_TYPE)
                     .function(context.launch.getKernel().value_or("")))
      << remark::reason("{0}", reason);
}

static void stageResults(LayoutContext &context, IRRewriter &rewriter) {
  SmallVector<StoreOp> stores;
  context.launch.walk([&](StoreOp store) { stores.push_back(store); });
  for (StoreOp store : stores) {
    const tilec::CopyInstruction *row = getRow(context, store);
    if (!row)
      continue;
    if (Obstacle obstacle = findResultObstacle(context, store, *row))
      reportThreads(context, store, remark::RemarkOpts::name("StoreByThreads"),
                    *obstacle);
    else
      stageResult(store, rewriter);
  }
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

static const tilec::CopyInstruction *findLoadRow(LayoutContext &context,
                                                 Side source) {
  return findBulkRow(context.target, tilec::MemorySpace::Global,
                     tilec::MemorySpace::Shared, source.getRank());
}

/// Whether `loop` brings something else that no producer can.
static bool needsThreads(LayoutContext &context, scf::ForOp loop) {
  auto gathered = loop.walk([](Im2ColOp) { return WalkResult::interrupt(); });
  auto copied = loop.walk([&](CopyOp copy) {
    Side source = copy.getSourceSide();
    if (source.isShared() || !copy.getDestSide().isShared())
      return WalkResult::advance();
    const tilec::CopyInstruction *row = findLoadRow(context, source);
    bool isBulk = row && !findBulkObstacle(copy, *row) &&
                  !findTensorObstacle(context, source.memref, *row->box);
    return isBulk ? WalkResult::advance() : WalkResult::interrupt();
  });
  return gathered.wasInterrupted() || copied.wasInterrupted();
}

/// What is in the way of staging the tile that `load` brings to `loop`.
static Obstacle findLoadObstacle(LayoutContext &context, LoadOp load,
                                 scf::ForOp loop,
                                 const tilec::CopyInstruction &row) {
  if (!isZeroPad(load.getPad()))
    return "it pads with something else than zeros";
  Side source = load.getSourceSide();
  ArrayRef<int64_t> shape = load.getType().getShape();
  auto buffer = getBufferLayout(shape, source.getType().getElementType());
  if (Obstacle obstacle =
          findBoxObstacle(context, load, source, buffer, shape, row))
    return obstacle;
  int64_t bytes = buffer.getSizeBytes();
  if (bytes % row.alignBytes != 0)
    return "it has " + std::to_string(bytes) +
           " bytes, and the next slot of its buffer would begin at no "
           "multiple of " +
           std::to_string(row.alignBytes);
  auto stages = TileDialect::StagesAttrHelper(load.getContext()).getAttr(loop);
  return findRoomObstacle(context, bytes, stages.getInt());
}

/// Where the copy for `load` stands: behind what fills shared memory in front of
/// it, if its place is known there, so that one ring has all of that.
static Operation *findCopyPlace(LoadOp load) {
  for (Operation *op = load->getPrevNode(); op; op = op->getPrevNode()) {
    bool fills =
        llvm::any_of(getBlockAccesses(op), [](const BlockAccess &access) {
          return access.writes && access.memref && getSharedRoot(access.memref);
        });
    if (fills)
      return op->getNextNode();
    if (llvm::is_contained(op->getUsers(), load))
      break;
  }
  return load;
}

// Pattern: %t = tile.load %m[..]  ->  tile.copy %m[..] to %s; %t = tile.load %s
static void stageLoad(LoadOp load, scf::ForOp loop, IRRewriter &rewriter) {
  Location loc = load.getLoc();
  rewriter.setInsertionPoint(loop);
  AllocOp buffer = makeBuffer(rewriter, loc, load.getType().getShape(),
                              load.getSourceSide().getType().getElementType());
  rewriter.setInsertionPoint(findCopyPlace(load));
  auto copy = CopyOp::create(rewriter, loc, load.getSource(),
                             load.getSourceIndices(), buffer, ValueRange());
  copy.setSourceBoxAttr(load.getSourceBoxAttr());
  copy.setSourceInBoundsAttr(load.getSourceInBoundsAttr());
  rewriter.setInsertionPoint(load);
  rewriter.replaceOpWithNewOp<LoadOp>(load, load.getType(), buffer);
}

static void stageLoads(LayoutContext &context, IRRewriter &rewriter) {
  SmallVector<LoadOp> loads;
  context.launch.walk([&](LoadOp load) { loads.push_back(load); });
  for (LoadOp load : loads) {
    Side source = load.getSourceSide();
    scf::ForOp loop = getProducerLoop(context, load);
    if (!loop || source.isShared() || load.getType().getRank() == 0 ||
        needsThreads(context, loop))
      continue;
    const tilec::CopyInstruction *row = findLoadRow(context, source);
    if (!row)
      continue;
    if (Obstacle obstacle = findLoadObstacle(context, load, loop, *row))
      reportThreads(context, load, remark::RemarkOpts::name("LoadByThreads"),
                    *obstacle);
    else
      stageLoad(load, loop, rewriter);
  }
}

void mlir::tile::stageTiles(LayoutContext &context) {
  if (!context.bulkCopies)
    return;
  IRRewriter rewriter(context.launch.getContext());
  stageResults(context, rewriter);
  stageLoads(context, rewriter);
}
