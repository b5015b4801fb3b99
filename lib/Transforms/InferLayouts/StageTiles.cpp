//===- StageTiles.cpp - Loads on their way to registers -------------------===//
//
// What lies in registers is loaded by all threads, a few elements each. Through
// a buffer of its own the copy engine brings it:
//
//     scf.for {                   ->   %s = tile.alloc
//       %t = tile.load %m[%i]          scf.for {
//                                        tile.copy %m[%i] to %s
//                                        %t = tile.load %s
//
// Where a producer fills buffers ahead of a loop, a load into registers (scales
// of blocks, sums of rows) would be waited for in each iteration, and no other
// threads could have started it. Through a buffer the producer brings it as far
// ahead as all else.
//
// Before layouts are chosen: the buffer gets the one without conflicts, and the
// copy its instruction, as all others do. Results go the other way
// (StageResults.cpp) and ask the same of buffer and boxes.
//
//===----------------------------------------------------------------------===//

#include "StageTiles.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/ImageFacts.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

#define DEBUG_TYPE "tile-infer-layouts"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Buffers and boxes
//===----------------------------------------------------------------------===//

int64_t mlir::tile::getBufferBytes(MemRefType type) {
  return type.getNumElements() * getMemoryBits(type.getElementType()) / 8;
}

Obstacle mlir::tile::findRoomObstacle(LayoutContext &context, int64_t bytes,
                                      BufferSlots getSlots) {
  int64_t largest = context.target.maxSharedBytesPerBlock;
  context.launch.walk([&](AllocOp buffer) {
    bytes += getBufferBytes(buffer.getType()) * getSlots(buffer);
  });
  if (bytes <= largest)
    return std::nullopt;
  return "with the buffer that it takes the launch has " +
         std::to_string(bytes) + " bytes of shared memory, more than the " +
         std::to_string(largest) + " of the chip";
}

tilec::SharedLayout mlir::tile::getStageLayout(ArrayRef<int64_t> shape,
                                               Type element) {
  std::vector<int> order;
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim)
    order.push_back(static_cast<int>(dim));
  return tilec::SharedLayout::conflictFree(
      tilec::Coordinate(shape.begin(), shape.end()), order,
      getMemoryBits(element));
}

tilec::Expected<tilec::BulkBoxes>
mlir::tile::getStageBoxes(LayoutContext &context, Operation *op, Side side,
                          const tilec::SharedLayout &buffer,
                          ArrayRef<int64_t> shape,
                          const tilec::CopyInstruction &row) {
  int64_t bits = getMemoryBits(side.getType().getElementType());
  if (row.box->rank != side.getRank())
    return tilec::Failure{"its memref has more than " +
                          std::to_string(row.box->rank) +
                          " dimensions; drop some by a view"};
  if (side.rows)
    return tilec::Failure{
        "it has rows of its own choice, and a bulk copy moves boxes"};
  if (!llvm::is_contained({8, 16, 32, 64}, bits))
    return tilec::Failure{"its elements have " + std::to_string(bits) +
                          " bits, and a bulk copy moves 1, 2, 4 or 8 bytes"};
  if (Obstacle obstacle = findViewObstacle(context, side, shape))
    return tilec::Failure{*obstacle};
  if (Obstacle obstacle = findTensorObstacle(context, side.memref, *row.box))
    return tilec::Failure{*obstacle};
  std::vector<tilec::TensorAxis> axes;
  for (int64_t extent : side.getExtents(shape))
    axes.push_back({extent, std::nullopt});
  for (auto [tileDim, dim] : llvm::enumerate(side.getTileDims(shape)))
    axes[dim].bufferDim = static_cast<int>(tileDim);
  auto boxes = tilec::getBulkBoxes(row, buffer, axes,
                                   std::vector<int64_t>(shape.size(), 0));
  if (!boxes)
    return boxes;
  int64_t smallest = getSmallestBoxBytes(context, op);
  if (boxes->boxBytes < smallest)
    return tilec::Failure{"its boxes have " + std::to_string(boxes->boxBytes) +
                          " bytes, and from " + std::to_string(smallest) +
                          " bytes on they are worth it"};
  if (Obstacle obstacle = findOtherWriter(context, op, side.memref,
                                          [](Operation *) { return false; }))
    return tilec::Failure{*obstacle};
  return boxes;
}

AllocOp mlir::tile::makeStageBuffer(OpBuilder &builder, Location loc,
                                    ArrayRef<int64_t> shape, Type element) {
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto type =
      MemRefType::get(shape, element, MemRefLayoutAttrInterface(), space);
  return AllocOp::create(builder, loc, type, /*layout=*/SharedAttr(),
                         /*alignment=*/IntegerAttr());
}

void mlir::tile::reportThreads(LayoutContext &context, Operation *op,
                               remark::RemarkOpts name,
                               const std::string &reason) {
  remark::missed(op->getLoc(),
                 name.category(DEBUG_TYPE)
                     .function(context.launch.getKernel().value_or("")))
      << remark::reason("{0}", reason);
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

static const tilec::CopyInstruction *findLoadRow(LayoutContext &context,
                                                 Side source) {
  return findBulkRow(context.target, tilec::MemorySpace::Global,
                     tilec::MemorySpace::Shared, source.getRank());
}

/// The channels of a box of `copy`, whose buffer has no layout yet: a row of the
/// widest swizzle mode, or all.
static int64_t getPanel(Im2ColOp copy) {
  constexpr int64_t rowBits = 128 * 8;
  MemRefType type = copy.getDest().getType();
  return std::gcd(type.getDimSize(1),
                  rowBits / getMemoryBits(type.getElementType()));
}

/// Whether `loop` brings something else that no producer can.
static bool needsThreads(LayoutContext &context, scf::ForOp loop) {
  auto needs = [&](TensorCopyOpInterface copy,
                   const tilec::CopyInstruction *row) {
    return !row || copy.findRowObstacle(*row) ||
           findTensorObstacle(context, copy.getSource(), *row->box);
  };
  auto walk = loop.walk([&](Operation *op) {
    bool isForThreads =
        llvm::TypeSwitch<Operation *, bool>(op)
            .Case([&](CopyOp copy) {
              Side source = copy.getSourceSide();
              return !source.isShared() && copy.getDestSide().isShared() &&
                     needs(copy, findLoadRow(context, source));
            })
            .Case([&](Im2ColOp copy) {
              return needs(copy, findIm2ColRow(context.target)) ||
                     findImageObstacle(context.facts, copy, getPanel(copy));
            })
            .Default(false);
    return isForThreads ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

/// What is in the way of staging the tile that `load` brings to `loop`.
static Obstacle findLoadObstacle(LayoutContext &context, LoadOp load,
                                 scf::ForOp loop,
                                 const tilec::CopyInstruction &row) {
  if (!isZeroPad(load.getPad()))
    return "it pads with something else than zeros";
  Side source = load.getSourceSide();
  ArrayRef<int64_t> shape = load.getType().getShape();
  auto buffer = getStageLayout(shape, source.getType().getElementType());
  auto boxes = getStageBoxes(context, load, source, buffer, shape, row);
  if (!boxes)
    return boxes.reason();
  int64_t bytes = buffer.getSizeBytes();
  if (bytes % row.alignBytes != 0)
    return "it has " + std::to_string(bytes) +
           " bytes, and the next slot of its buffer would begin at no "
           "multiple of " +
           std::to_string(row.alignBytes);
  auto stages = TileDialect::StagesAttrHelper(load.getContext()).getAttr(loop);
  int64_t slots = stages.getInt();
  return findRoomObstacle(context, bytes * slots,
                          [&](AllocOp) { return slots; });
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
  AllocOp buffer =
      makeStageBuffer(rewriter, loc, load.getType().getShape(),
                      load.getSourceSide().getType().getElementType());
  rewriter.setInsertionPoint(findCopyPlace(load));
  auto copy = CopyOp::create(rewriter, loc, load.getSource(),
                             load.getSourceIndices(), buffer, ValueRange());
  copy.setSourceBoxAttr(load.getSourceBoxAttr());
  copy.setSourceInBoundsAttr(load.getSourceInBoundsAttr());
  rewriter.setInsertionPoint(load);
  rewriter.replaceOpWithNewOp<LoadOp>(load, load.getType(), buffer);
}

void mlir::tile::stageLoads(LayoutContext &context, IRRewriter &rewriter) {
  SmallVector<LoadOp> loads;
  context.launch.walk([&](LoadOp load) { loads.push_back(load); });
  for (LoadOp load : loads) {
    scf::ForOp loop = getProducerLoop(context, load);
    if (!loop || load.getSourceSide().isShared() ||
        load.getType().getRank() == 0 || needsThreads(context, loop))
      continue;
    lookThroughViews(context, load, rewriter);
    Side source = load.getSourceSide();
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
  lookThroughViews(context, rewriter);
  splitRows(context, rewriter);
  // Loads first: what stands in a loop has more from it.
  stageLoads(context, rewriter);
  stageResults(context, rewriter);
  // Last: staged tiles are copies too.
  stateBounds(context);
}
