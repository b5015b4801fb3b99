//===- RowStores.cpp - Stores in whole vectors ----------------------------===//
//
// Where the copy engine does not take the result of a product (StageResults.cpp),
// threads store it: pieces of 4 bytes, of 16 bits four in a row. Through a buffer the
// threads of a warp first exchange pieces for those further along the row, or where an
// instruction takes single elements, as atomics do, for those of neighbours:
//
//     tile.store %r, %m[%i, %j]   ->   %s = tile.alloc layout(bricks)
//                                      tile.store %r, %s
//                                      %t = tile.load %s        other lanes, same warp
//                                      tile.store %t, %m[%i, %j]
//
// and the same for `tile.atomic_rmw`. The buffer has the elements of the memref and lies where the buffers of the product
// were: what a launch takes of shared memory is no more. It is done where it takes
// fewer cycles of the unit that is busy longest, sectors of global memory against
// accesses and bytes of shared memory (Throughput.h), one barrier and the latency of a
// load included. Whatever else decided the layout of the fragment is not touched.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/LoopFacts.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Analysis/SharedLiveness.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/ExchangeBuffer.h"
#include "tile/Hardware/Occupancy.h"
#include "tile/Hardware/StoredRows.h"
#include "tile/LayoutSearch/LayoutProblem.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

#define DEBUG_TYPE "tile-materialize-scratch"

using namespace mlir;
using namespace mlir::tile;
using tilec::FragmentLayout;
using tilec::HardwareDim;

namespace {
/// What a store takes of a block.
struct StoreCost {
  int64_t accesses = 0, sectors = 0, sharedBytes = 0;
  int64_t cycles = 0; ///< of the unit that is busy longest
};

/// A store by way of a buffer.
struct RowStore {
  FragmentLayout rows; ///< in which it is stored
  tilec::SharedLayout buffer;
  StoreCost cost;
};
} // namespace

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// Elements between neighbours of which nothing is known but that they are apart.
static constexpr int64_t farElements = int64_t(1) << 20;

/// How many elements an instruction of `target` stores at most: 16 bytes, of any type.
static int64_t getLargestWidth(StoreOp, const tilec::GpuTarget &) {
  return tilec::maxAccessBytes * 8;
}

/// Where the elements of a fragment of `shape` lie in global memory, of which an
/// instruction takes `largest` at most.
static std::optional<tilec::MemoryAccess>
getGlobalAccess(IndexFacts &facts, const Side &side, ArrayRef<int64_t> shape,
                int dim, int64_t largest) {
  MemRefType type = side.getType();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  tilec::MemoryAccess access;
  access.isStore = true;
  access.bits = getMemoryBits(type.getElementType());
  access.width = std::min(
      largest, getAccessWidth(facts, side, shape, dim, AccessBounds::Ignore));
  for (int64_t memrefDim : side.getTileDims(shape)) {
    int64_t stride = strides[memrefDim];
    access.strides.push_back(ShapedType::isDynamic(stride) ? farElements
                                                           : stride);
  }
  return access;
}

/// What stores of a fragment of `layout` take, counted as for choosing layouts.
static StoreCost countStores(const FragmentLayout &layout,
                             const tilec::MemoryAccess &access) {
  tilec::LayoutProblem problem;
  problem.lanes = layout.getExtent(HardwareDim::Lane);
  problem.warps = layout.getExtent(HardwareDim::Warp);
  problem.nodes.emplace_back(layout.getShape());
  problem.nodes.front().memory.push_back(access);
  tilec::LayoutSolution solution;
  solution.nodes.push_back(layout);
  solution.produced.emplace_back();
  tilec::LayoutCost cost = countCosts(problem, solution);
  return {cost.accesses, cost.sectors};
}

/// Adds what all warps write to `buffer`, or read from it.
static void addExchange(StoreCost &cost, const FragmentLayout &layout,
                        const tilec::SharedLayout &buffer) {
  int64_t most = tilec::maxAccessBytes * 8 / buffer.getElementBits();
  FragmentLayout ordered = tilec::orderRegisters(layout, buffer);
  int64_t width = tilec::holdsMatrices(buffer, ordered)
                      ? most
                      : std::gcd(buffer.getVectorWidth(
                                     ordered.getDigits(HardwareDim::Register)),
                                 most);
  cost.accesses +=
      layout.getRegisterCount() / width * layout.getExtent(HardwareDim::Warp);
  cost.sharedBytes += buffer.getSizeBytes();
}

/// Sets the cycles; warps do not wait for each other.
static void setCycles(StoreCost &cost, const tilec::GpuTarget &target,
                      int64_t warps) {
  tilec::BlockWork work;
  work.accesses = cost.accesses * target.warpSize;
  work.sharedBytes = cost.sharedBytes;
  int64_t globalBytes = tilec::getThroughput(target).globalBytes;
  cost.cycles = std::max<int64_t>(
      tilec::countCycles(target, work, warps),
      llvm::divideCeil(cost.sectors * tilec::sectorBytes, globalBytes));
}

//===----------------------------------------------------------------------===//
// Room
//===----------------------------------------------------------------------===//

/// The slots that a buffer has while a pipelined loop fills it; one may be saved for
/// more blocks (EarlyRelease.h).
static int64_t getSlots(LaunchOp launch, Operation *writer) {
  TileDialect::StagesAttrHelper stages(launch.getContext());
  int64_t most = 1;
  for (Operation *op = writer; op != launch; op = op->getParentOp())
    if (IntegerAttr count = stages.getAttr(op))
      most = std::max(most, count.getInt());
  return most;
}

/// Whether the loops around `writer` come back to it behind `op`, so that its buffer may
/// be filled for that meanwhile.
static bool mayRunAhead(Operation *writer, Operation *op) {
  auto launch = op->getParentOfType<LaunchOp>();
  auto loop = op->getParentOfType<LoopLikeOpInterface>();
  for (; loop && launch->isProperAncestor(loop);
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (loop->isAncestor(writer))
      return true;
  return false;
}

namespace {
/// Bytes of shared memory: the most at a point of the launch, also with one slot fewer
/// of each ring, and those that hold something while an operation runs.
struct SharedBytes {
  int64_t most = 0, leastMost = 0;
  int64_t besides = 0;
};
} // namespace

static std::optional<SharedBytes> countSharedBytes(LaunchOp launch,
                                                   Operation *op) {
  SharedLiveness liveness = computeSharedLiveness(launch);
  SmallVector<int64_t> sums(liveness.points.size(), 0), leastSums = sums;
  SharedBytes bytes;
  int64_t point = liveness.positions.at(op);
  for (auto [number, buffer] : llvm::enumerate(liveness.buffers)) {
    auto layout = getSharedLayout(buffer);
    if (!layout)
      return std::nullopt;
    int64_t slots = 1;
    bool isAhead = false;
    for (int64_t touched : liveness.touched[number]) {
      Operation *user = liveness.points[touched];
      int64_t own = getSlots(launch, user);
      slots = std::max(slots, own);
      isAhead |= own > 1 && mayRunAhead(user, op);
    }
    int64_t size = layout->getSizeBytes();
    for (int64_t occupied : liveness.occupied[number]) {
      sums[occupied] += size * slots;
      leastSums[occupied] += size * std::max<int64_t>(1, slots - 1);
    }
    if (isAhead || liveness.occupied[number].test(point))
      bytes.besides += size * slots;
  }
  bytes.most = *llvm::max_element(sums);
  bytes.leastMost = *llvm::max_element(leastSums);
  return bytes;
}

/// Why `bytes` more while `op` runs would take shared memory that the launch does not
/// have elsewhere, also where a slot is saved for twice as many blocks; empty where
/// they lie in buffers that are dead there.
static std::string findRoomObstacle(LaunchOp launch, Operation *op,
                                    int64_t bytes,
                                    const tilec::GpuTarget &target) {
  auto shared = countSharedBytes(launch, op);
  if (!shared)
    return "the layout of a buffer is not known";
  if (shared->besides + bytes > shared->most)
    return llvm::formatv("rows take {0} bytes of shared memory, and the launch "
                         "has {1} in buffers that are free there, of {2} in "
                         "all",
                         bytes,
                         std::max<int64_t>(0, shared->most - shared->besides),
                         shared->most);
  auto threads = static_cast<int64_t>(launch.getThreads());
  auto countBlocks = [&](int64_t most) {
    return tilec::computeOccupancy(target, {threads, 1, most})
        .blocksPerMultiprocessor;
  };
  if (shared->besides + bytes <= shared->leastMost ||
      countBlocks(shared->leastMost) < 2 * countBlocks(shared->most))
    return "";
  return llvm::formatv("rows take {0} bytes of shared memory, with which no "
                       "slot is saved for twice as many blocks",
                       bytes);
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// `obstacle`: why it is not done, if it is not.
static void report(Operation *store, const RowStore &plan, const StoreCost &now,
                   StringRef obstacle) {
  auto launch = store->getParentOfType<LaunchOp>();
  StringRef kernel = launch.getKernel().value_or("");
  int64_t bytes = plan.buffer.getSizeBytes();
  if (obstacle.empty())
    remark::passed(store->getLoc(), remark::RemarkOpts::name("StoreInRows")
                                        .category(DEBUG_TYPE)
                                        .function(kernel))
        << remark::reason(
               "stored in rows, by way of {0} bytes of shared memory: {1} "
               "sectors instead of {2}, {3} accesses instead of {4}",
               bytes, plan.cost.sectors, now.sectors, plan.cost.accesses,
               now.accesses);
  else
    remark::missed(store->getLoc(), remark::RemarkOpts::name("StoreInPieces")
                                        .category(DEBUG_TYPE)
                                        .function(kernel))
        << remark::reason(
               "threads store pieces of rows: {0} sectors instead of {1}; {2}",
               now.sectors, plan.cost.sectors, obstacle);
}

/// The cheapest way of `pieces` to memory by way of a buffer, in accesses of the width of
/// `access`: runs of a warp may be longer than those of four threads, and than what the
/// warp has computed of a row, which counts where rows do not begin at sectors.
static std::optional<RowStore> findRows(const FragmentLayout &pieces, int dim,
                                        const tilec::MemoryAccess &access,
                                        const tilec::GpuTarget &target) {
  std::optional<RowStore> best;
  for (int64_t run = access.width; run <= access.width * target.warpSize;
       run *= 2) {
    auto rows = tilec::gatherNeighbours(pieces, dim, access.width, run);
    auto buffer =
        rows ? tilec::getBricks(pieces, *rows, access.bits) : std::nullopt;
    if (!buffer)
      break;
    StoreCost cost = countStores(*rows, access);
    addExchange(cost, pieces, *buffer);
    addExchange(cost, *rows, *buffer);
    setCycles(cost, target, pieces.getExtent(HardwareDim::Warp));
    if (!best || cost.cycles < best->cost.cycles)
      best = RowStore{*rows, *buffer, cost};
  }
  return best;
}

/// The same in the widest accesses that there are: of rows of 48 elements in a warp, four
/// threads hold an even number of pieces, of which they exchange two, not four.
static std::optional<RowStore> findWidestRows(const FragmentLayout &pieces,
                                              int dim,
                                              tilec::MemoryAccess access,
                                              const tilec::GpuTarget &target) {
  std::optional<RowStore> rows;
  for (; !rows && access.width > 0; access.width /= 2)
    rows = findRows(pieces, dim, access, target);
  return rows;
}

/// How to store in whole vectors and sectors, where that is cheaper.
template <typename Op>
static std::optional<RowStore> planRowStore(Op store, IndexFacts &facts,
                                            const tilec::GpuTarget &target) {
  Side dest = store.getDestSide();
  auto type = store.getValue().getType();
  Operation *op = store;
  auto launch = op->getParentOfType<LaunchOp>();
  auto dim = getContiguousTileDim(dest, type.getShape());
  if (dest.isShared() || dest.rows || !dim || launch.getRoles() ||
      op->getParentOfType<ParallelOp>())
    return std::nullopt;
  auto access = getGlobalAccess(facts, dest, type.getShape(), *dim,
                                getLargestWidth(store, target));
  if (!access)
    return std::nullopt;
  FragmentLayout pieces = getFragment(type).getLayout();
  auto plan = findWidestRows(pieces, *dim, *access, target);
  if (!plan)
    return std::nullopt;
  StoreCost now = countStores(pieces, *access);
  setCycles(now, target, pieces.getExtent(HardwareDim::Warp));
  const tilec::Throughput &row = tilec::getThroughput(target);
  int64_t waits =
      tilec::countBarrierCycles(row, launch.getThreads()) + row.sharedLatency;
  if (plan->cost.cycles + waits >= now.cycles)
    return std::nullopt;
  std::string obstacle =
      findRoomObstacle(launch, store, plan->buffer.getSizeBytes(), target);
  report(store, *plan, now, obstacle);
  return obstacle.empty() ? std::move(plan) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static void recordWidths(StoreOp store, IndexFacts &facts,
                         const tilec::GpuTarget &) {
  store.removeVectorWidthAttr();
  store.removeInnerWidthAttr();
  recordAccessWidths(facts, store);
}

static void recordWidths(AtomicRMWOp atomic, IndexFacts &facts,
                         const tilec::GpuTarget &target) {
  atomic.removeVectorWidthAttr();
  recordAccessWidths(facts, atomic, target);
}

// Pattern: tile.store %r, %m[..]  ->  tile.store (load (store %r, %s)), %m[..]
template <typename Op>
static void storeInRows(Op store, const RowStore &plan, IndexFacts &facts,
                        const tilec::GpuTarget &target,
                        RewriterBase &rewriter) {
  Location loc = store.getLoc();
  rewriter.setInsertionPoint(store);
  auto type = store.getValue().getType();
  Type element = store.getDestSide().getType().getElementType();
  Value buffer =
      createScratch(rewriter, loc, type.getShape(), element, plan.buffer);
  storeConverted(rewriter, loc, store.getValue(), buffer);
  auto stored =
      withLayout(RankedTensorType::get(type.getShape(), element), plan.rows);
  store.getValueMutable().assign(
      loadFromScratch(rewriter, loc, buffer, stored));
  recordWidths(store, facts, target);
}

template <typename Op>
static void storeAllInRows(LaunchOp launch, const tilec::GpuTarget &target,
                           RewriterBase &rewriter) {
  IndexFacts facts(launch);
  SmallVector<Op> stores;
  launch.getBody().walk([&](Op store) { stores.push_back(store); });
  for (Op store : stores)
    if (auto plan = planRowStore(store, facts, target))
      storeInRows(store, *plan, facts, target, rewriter);
}

LogicalResult mlir::tile::materializeRowStores(LaunchOp launch,
                                               RewriterBase &rewriter) {
  auto target = getModuleTarget(launch);
  if (failed(target))
    return failure();
  storeAllInRows<StoreOp>(launch, **target, rewriter);
  storeAllInRows<AtomicRMWOp>(launch, **target, rewriter);
  return success();
}
