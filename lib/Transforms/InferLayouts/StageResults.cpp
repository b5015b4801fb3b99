//===- StageResults.cpp - Results of products to global memory ------------===//
//
// The result of a product lies in registers as its instruction leaves it: of a
// row each thread has two elements side by side, and four threads have eight.
// Stored from there, those are the most that one access of a warp finds
// together. Through a buffer of its own the copy engine writes whole rows,
// clips them at the edge, and takes one thread:
//
//     tile.store %r, %m[%i, %j]   ->   %s = tile.alloc
//                                      tile.store %r, %s
//                                      tile.copy %s to %m[%i, %j]
//
// The buffer has the elements of the memref: what a store converts is converted
// on the way into it. `tile.atomic_rmw` becomes a bulk copy that combines:
//
//     tile.atomic_rmw addf %r, %m[%i, %j]   ->   .., a copy by cp.reduce.async
//
// Behind the loop of a product its buffers are free, and the result lies where
// they were. Where the loop comes back (persistent launches, nests), a producer
// fills them already for the next tile, so that all their slots count.
//
//===----------------------------------------------------------------------===//

#include "StageTiles.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tile-infer-layouts"

using namespace mlir;
using namespace mlir::tile;

/// The elements of a row that the threads of a warp hold together.
static constexpr int64_t togetherInRow = 8;

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

/// Whether `loop` is there again, or still, when `op` runs: a loop has both.
static bool comesBack(LayoutContext &context, scf::ForOp loop, Operation *op) {
  for (Operation *parent = op->getParentOp(); parent != context.launch;
       parent = parent->getParentOp())
    if (isa<LoopLikeOpInterface>(parent) && parent->isAncestor(loop))
      return true;
  return false;
}

/// How many slots the buffers have that a producer fills while `op` runs.
static llvm::MapVector<Value, int64_t> findSlots(LayoutContext &context,
                                                 Operation *op) {
  llvm::MapVector<Value, int64_t> slots;
  context.launch.walk([&](Operation *writer) {
    scf::ForOp loop = getProducerLoop(context, writer);
    if (writer->getNumRegions() != 0 || !loop || !comesBack(context, loop, op))
      return;
    auto stages = TileDialect::StagesAttrHelper(op->getContext()).getAttr(loop);
    for (const BlockAccess &access : getBlockAccesses(writer))
      if (access.writes && access.memref)
        if (Value root = getSharedRoot(access.memref))
          slots[root] = std::max(slots[root], stages.getInt());
  });
  return slots;
}

/// What is in the way of a buffer of `bytes` while `op` runs.
static Obstacle findResultRoom(LayoutContext &context, int64_t bytes,
                               Operation *op) {
  // An mbarrier that a slot is full, and one that it is empty.
  constexpr int64_t slotWordBytes = 16;
  auto slots = findSlots(context, op);
  // What no ring holds each team keeps for itself.
  LaunchOp launch = context.launch;
  int64_t copies = launch.getRoles() ? launch.getTeamCount() : 1;
  bytes *= copies;
  for (auto [buffer, count] : slots)
    bytes += count * slotWordBytes;
  return findRoomObstacle(context, bytes, [&](AllocOp buffer) {
    return std::max(copies, slots.lookup(buffer));
  });
}

/// What is in the way of staging the tile of `shape` that `op` writes to `dest`.
static Obstacle findResultObstacle(LayoutContext &context, Operation *op,
                                   Side dest, ArrayRef<int64_t> shape,
                                   const tilec::CopyInstruction &row) {
  auto buffer = getStageLayout(shape, dest.getType().getElementType());
  auto boxes = getStageBoxes(context, op, dest, buffer, shape, row);
  if (!boxes)
    return boxes.reason();
  if (boxes->box.back() <= togetherInRow)
    return "its boxes have rows of " + std::to_string(boxes->box.back()) +
           " elements, and threads store " + std::to_string(togetherInRow) +
           " together";
  return findResultRoom(context, buffer.getSizeBytes(), op);
}

/// Whether `value` is a product's result on its way to global memory, of
/// elements so small that threads do not write 64 bytes of a row together.
static bool isOnItsWay(Operation *op, Value value, const Side &dest) {
  constexpr int64_t largestBits = 32;
  return !dest.isShared() &&
         getMemoryBits(dest.getType().getElementType()) <= largestBits &&
         !op->getParentOfType<ParallelOp>() && isResultOfProduct(value);
}

/// The bulk copy to `dest` that combines by `reduction`, or replaces.
static const tilec::CopyInstruction *
getRow(LayoutContext &context, const Side &dest,
       std::optional<tilec::BulkReduction> reduction = std::nullopt) {
  return findBulkRow(context.target, tilec::MemorySpace::Shared,
                     tilec::MemorySpace::Global, dest.getRank(), reduction);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

// Pattern: tile.store %r, %m[..]  ->  tile.store %r, %s; tile.copy %s to %m[..]
// The same for tile.atomic_rmw, whose copy has `instruction`.
template <typename Op>
static void stageResult(Op op, InstructionAttr instruction,
                        IRRewriter &rewriter) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  AllocOp buffer =
      makeStageBuffer(rewriter, loc, op.getValue().getType().getShape(),
                      op.getDestSide().getType().getElementType());
  StoreOp::create(rewriter, loc, op.getValue(), buffer);
  auto copy = CopyOp::create(rewriter, loc, buffer, ValueRange(), op.getDest(),
                             op.getDestIndices());
  copy.setDestBoxAttr(op.getDestBoxAttr());
  copy.setDestInBoundsAttr(op.getDestInBoundsAttr());
  copy.setInstructionAttr(instruction);
  rewriter.eraseOp(op);
}

static void stageStore(LayoutContext &context, StoreOp store,
                       IRRewriter &rewriter) {
  if (!isOnItsWay(store, store.getValue(), store.getDestSide()))
    return;
  lookThroughViews(context, store, rewriter);
  Side dest = store.getDestSide();
  const tilec::CopyInstruction *row = getRow(context, dest);
  if (!row)
    return;
  if (Obstacle obstacle = findResultObstacle(
          context, store, dest, store.getValue().getType().getShape(), *row))
    reportThreads(context, store, remark::RemarkOpts::name("StoreByThreads"),
                  *obstacle);
  else
    stageResult(store, InstructionAttr(), rewriter);
}

/// Whether `op` runs in each step of a pipelined loop of the launch.
static bool isInPipelinedLoop(LayoutContext &context, Operation *op) {
  TileDialect::StagesAttrHelper stages(op->getContext());
  for (Operation *parent = op->getParentOp(); parent != context.launch;
       parent = parent->getParentOp())
    if (IntegerAttr count = stages.getAttr(parent); count && count.getInt() > 1)
      return true;
  return false;
}

/// What is in the way of combining the tile of `atomic` by `row`; null where no
/// bulk reduction does.
static Obstacle findAtomicObstacle(LayoutContext &context, AtomicRMWOp atomic,
                                   const tilec::CopyInstruction *row) {
  RankedTensorType type = atomic.getValue().getType();
  // Nobody waits for atomics of threads, as one thread does for the engine.
  if (row && isInPipelinedLoop(context, atomic))
    return "each step of the pipelined loop that it stands in would wait for "
           "the copy engine";
  if (row)
    return findResultObstacle(context, atomic, atomic.getDestSide(),
                              type.getShape(), *row);
  std::string reason;
  llvm::raw_string_ostream(reason)
      << "bulk reductions do not combine " << type.getElementType() << " by '"
      << arith::stringifyAtomicRMWKind(atomic.getKind()) << "'";
  return reason;
}

static void stageAtomic(LayoutContext &context, AtomicRMWOp atomic,
                        IRRewriter &rewriter) {
  if (!isOnItsWay(atomic, atomic.getValue(), atomic.getDestSide()))
    return;
  lookThroughViews(context, atomic, rewriter);
  Side dest = atomic.getDestSide();
  if (!getRow(context, dest))
    return;
  auto reduction =
      findReduction(atomic.getKind(), dest.getType().getElementType());
  const tilec::CopyInstruction *row =
      reduction ? getRow(context, dest, reduction) : nullptr;
  if (Obstacle obstacle = findAtomicObstacle(context, atomic, row))
    reportThreads(context, atomic, remark::RemarkOpts::name("AtomicByThreads"),
                  *obstacle);
  else
    stageResult(atomic, InstructionAttr::get(rewriter.getContext(), *row),
                rewriter);
}

void mlir::tile::stageResults(LayoutContext &context, IRRewriter &rewriter) {
  SmallVector<StoreOp> stores;
  context.launch.walk([&](StoreOp store) { stores.push_back(store); });
  for (StoreOp store : stores)
    stageStore(context, store, rewriter);
  SmallVector<AtomicRMWOp> atomics;
  context.launch.walk([&](AtomicRMWOp atomic) { atomics.push_back(atomic); });
  for (AtomicRMWOp atomic : atomics)
    stageAtomic(context, atomic, rewriter);
}
