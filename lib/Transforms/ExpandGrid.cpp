//===- ExpandGrid.cpp - Makes the order of blocks explicit ----------------===//
//
// Requires source, establishes logical: calls are inlined, the target is set
// and, after this pass, block indices are plain values.
//
// The hardware starts blocks in the order of n = x + gridX * y. Rasterising by
// rows cuts the grid into panels of P rows; block n then stands in
//
//     panel p = n / (P * gridX)       of h = min(P, gridY - p * P) rows
//     r = n - p * P * gridX           its number within the panel
//     y = p * P + r % h,  x = r / h
//
// so that the blocks which run at the same time form a compact rectangle and
// share rows and columns of their operands. By columns, x and y change roles.
//
// A persistent launch starts no more blocks than are resident at once, R, which the
// host knows of its device, and each walks over tiles in that same order:
//
//     R = multiprocessors * min_blocks_per_sm           on the host
//     buffers of the body
//     for n = blockIdx.x .. gridX * gridY * gridZ step R:
//       the body of tile n
//
// A buffer is fresh, and undefined, for every tile: one for all is as good.
//
// A cluster stays together: the order is one of clusters, a resident cluster walks
// over clusters of tiles, and a block keeps its place in its cluster.
//
// While block indices are those of the program, whose limits are known, loops over a
// block's part of a range are made to count from zero (CountFromZero.h).
//
//===----------------------------------------------------------------------===//

#include "CountFromZero.h"

#include "tile/Analysis/ClusterFacts.h"
#include "tile/Analysis/ConsoleOutput.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Dialect/Tile/TileTarget.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define DEBUG_TYPE "tile-expand-grid"

namespace mlir::tile {
#define GEN_PASS_DEF_EXPANDGRID
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// What the earlier passes of the phase left.
static LogicalResult verifyExpandable(LaunchOp launch) {
  WalkResult result = launch.walk([](func::CallOp call) {
    call.emitError("a call is left in a launch; run tile-inline-calls first");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// The clusters of a panel, as far as it has blocks.
static int64_t getPanelSize(RasterizeAttr rasterize,
                            ArrayRef<int64_t> cluster) {
  bool byRows = rasterize.getOrder() == RasterOrder::Row;
  return llvm::divideCeilSigned(rasterize.getPanel(), cluster[byRows]);
}

/// The number of tiles; nothing where the host computes it.
static std::optional<int64_t> getTileCount(LaunchOp launch) {
  int64_t count = 1;
  for (Value extent : launch.getGrid()) {
    std::optional<int64_t> known = getConstantIntValue(extent);
    if (!known || *known < 0 || llvm::MulOverflow(count, *known, count))
      return std::nullopt;
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
/// Index arithmetic where a builder stands.
struct IndexBuilder {
  OpBuilder &builder;
  Location loc;

  Value add(Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) {
    return arith::SubIOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) {
    return arith::MulIOp::create(builder, loc, a, b);
  }
  Value div(Value a, Value b) {
    return arith::DivUIOp::create(builder, loc, a, b);
  }
  Value rem(Value a, Value b) {
    return arith::RemUIOp::create(builder, loc, a, b);
  }
  Value min(Value a, Value b) {
    return arith::MinUIOp::create(builder, loc, a, b);
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value div(Value a, int64_t b) { return b == 1 ? a : div(a, constant(b)); }
  Value product(ValueRange factors) {
    Value result = factors.front();
    for (Value factor : factors.drop_front())
      result = mul(result, factor);
    return result;
  }
};
} // namespace

/// The extents of a grid, in clusters.
static SmallVector<Value> getClusterGrid(IndexBuilder b, ValueRange grid,
                                         ArrayRef<int64_t> cluster) {
  SmallVector<Value> extents;
  for (auto [extent, blocks] : llvm::zip_equal(grid, cluster))
    extents.push_back(b.div(extent, blocks));
  return extents;
}

/// The coordinate of the block that has `id`, or `id` modulo `blocks`, in a
/// cluster with the coordinate `own`, in blocks.
static Value getBlockCoordinate(IndexBuilder b, Value own, int64_t blocks,
                                Value id) {
  if (blocks == 1)
    return own;
  Value size = b.constant(blocks);
  return b.add(b.mul(own, size), b.rem(id, size));
}

/// Where cluster `number` of a plane of the grid stands, x and y.
static std::pair<Value, Value> getRasterized(IndexBuilder b, ValueRange grid,
                                             RasterizeAttr rasterize,
                                             Value panelSize, Value number) {
  bool byRows = rasterize.getOrder() == RasterOrder::Row;
  Value gridAlong = grid[byRows], gridAcross = grid[!byRows];
  Value blocksPerPanel = b.mul(panelSize, gridAcross);
  Value start = b.mul(b.div(number, blocksPerPanel), panelSize);
  Value extent = b.min(panelSize, b.sub(gridAlong, start));
  Value inPanel = b.rem(number, blocksPerPanel);
  Value along = b.add(start, b.rem(inPanel, extent));
  Value across = b.div(inPanel, extent);
  return byRows ? std::pair(across, along) : std::pair(along, across);
}

// Pattern: launch rasterize<order, P>  ->  launch, block ids by arithmetic
//          [if the grid has two dimensions or more and nothing is printed]
static void insertRasterization(LaunchOp launch, RasterizeAttr rasterize) {
  Block &body = launch.getBody().front();
  Operation *first = &body.front();
  OpBuilder builder(first);
  IndexBuilder b{builder, launch.getLoc()};
  SmallVector<int64_t> cluster = getClusterShape(launch);
  SmallVector<Value> grid = getClusterGrid(b, launch.getGrid(), cluster);
  BlockArgument idX = launch.getBlockIds()[0], idY = launch.getBlockIds()[1];
  Value panelSize = b.constant(getPanelSize(rasterize, cluster));
  Value before = b.mul(grid[0], b.div(idY, cluster[1]));
  Value number = b.add(b.div(idX, cluster[0]), before);
  auto [x, y] = getRasterized(b, grid, rasterize, panelSize, number);
  x = getBlockCoordinate(b, x, cluster[0], idX);
  y = getBlockCoordinate(b, y, cluster[1], idY);
  auto isOfBody = [&](OpOperand &use) {
    Operation *user = body.findAncestorOpInBlock(*use.getOwner());
    return !user->isBeforeInBlock(first);
  };
  idX.replaceUsesWithIf(x, isOfBody);
  idY.replaceUsesWithIf(y, isOfBody);
}

/// The coordinates of a tile, fastest first: that of the block with `id` in
/// cluster `number`. The clusters of a launch that walks have one dimension, and
/// their blocks the places in those of the program.
static SmallVector<Value> getTile(IndexBuilder b, ValueRange grid,
                                  ArrayRef<int64_t> cluster,
                                  RasterizeAttr rasterize, Value number,
                                  Value id) {
  SmallVector<Value> coordinates = {number};
  if (grid.size() == 3) {
    Value plane = b.mul(grid[0], grid[1]);
    coordinates[0] = b.rem(number, plane);
    coordinates.push_back(b.div(number, plane));
  }
  if (grid.size() > 1) {
    Value inPlane = coordinates[0];
    auto [x, y] =
        rasterize ? getRasterized(b, grid, rasterize,
                                  b.constant(getPanelSize(rasterize, cluster)),
                                  inPlane)
                  : std::pair(b.rem(inPlane, grid[0]), b.div(inPlane, grid[0]));
    coordinates[0] = x;
    coordinates.insert(coordinates.begin() + 1, y);
  }
  for (auto [coordinate, size] : llvm::zip_equal(coordinates, cluster)) {
    coordinate = getBlockCoordinate(b, coordinate, size, id);
    id = b.div(id, size);
  }
  return coordinates;
}

/// How many blocks a launch asks to have at once on each multiprocessor.
static int64_t getBlocksPerMultiprocessor(LaunchOp launch) {
  return launch.getMinBlocksPerSm().value_or(1);
}

/// The clusters that are resident at once where the host program runs, but at least
/// one.
static Value getResidentClusters(IndexBuilder b, LaunchOp launch) {
  Value count = SmCountOp::create(b.builder, b.loc);
  int64_t perMultiprocessor = getBlocksPerMultiprocessor(launch);
  int64_t clusterSize = llvm::product_of(getClusterShape(launch));
  if (perMultiprocessor != 1)
    count = b.mul(count, b.constant(perMultiprocessor));
  if (clusterSize == 1)
    return count;
  return arith::MaxUIOp::create(b.builder, b.loc, b.div(count, clusterSize),
                                b.constant(1));
}

/// The blocks that the host starts: no more than there are tiles. An extent that
/// is refused, as it is negative or no multiple of the cluster's, stays one.
static Value getBlockCount(IndexBuilder b, ValueRange grid,
                           ArrayRef<int64_t> cluster, Value resident) {
  Value smallest = grid.front(), tiles = grid.front();
  for (Value extent : grid.drop_front()) {
    tiles = b.mul(tiles, extent);
    smallest = arith::MinSIOp::create(b.builder, b.loc, smallest, extent);
  }
  Value blocks = b.min(tiles, resident);
  auto select = [&](arith::CmpIPredicate predicate, Value value,
                    Value refused) {
    Value isRefused = arith::CmpIOp::create(b.builder, b.loc, predicate, value,
                                            b.constant(0));
    blocks =
        arith::SelectOp::create(b.builder, b.loc, isRefused, refused, blocks);
  };
  for (auto [extent, size] : llvm::zip_equal(grid, cluster))
    if (size != 1)
      select(arith::CmpIPredicate::ne, b.rem(extent, b.constant(size)), extent);
  select(arith::CmpIPredicate::slt, smallest, smallest);
  return blocks;
}

// Pattern: launch persistent [X, Y, Z] { body }
//       -> launch [min(X * Y * Z, R)] { for n = id .. X * Y * Z step R { body } }
static void makePersistent(LaunchOp launch, RasterizeAttr rasterize) {
  Location loc = launch.getLoc();
  SmallVector<Value> grid(launch.getGrid());
  SmallVector<int64_t> cluster = getClusterShape(launch);
  int64_t clusterSize = llvm::product_of(cluster);
  OpBuilder hostBuilder(launch);
  IndexBuilder onHost{hostBuilder, loc};
  Value resident = getResidentClusters(onHost, launch);
  Value blocks = getBlockCount(
      onHost, grid, cluster,
      clusterSize == 1 ? resident
                       : onHost.mul(resident, onHost.constant(clusterSize)));

  Block &body = launch.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  IndexBuilder b{builder, loc};
  BlockArgument id = launch.getBlockIds().front();
  SmallVector<Value> clusters = getClusterGrid(b, grid, cluster);
  auto walk = scf::ForOp::create(builder, loc, b.div(id, clusterSize),
                                 b.product(clusters), resident);
  walk.getBody()->getOperations().splice(
      walk.getBody()->begin(), body.getOperations(),
      std::next(walk->getIterator()), body.getTerminator()->getIterator());
  for (AllocOp buffer :
       llvm::make_early_inc_range(walk.getBody()->getOps<AllocOp>()))
    buffer->moveBefore(walk);
  OpBuilder inside = OpBuilder::atBlockBegin(walk.getBody());
  SmallVector<Value> tile = getTile({inside, loc}, clusters, cluster, rasterize,
                                    walk.getInductionVar(), id);
  for (auto [argument, coordinate] : llvm::zip_equal(body.getArguments(), tile))
    argument.replaceUsesWithIf(coordinate, [&](OpOperand &use) {
      Operation *user = walk.getBody()->findAncestorOpInBlock(*use.getOwner());
      return user && !user->isBeforeInBlock(&*inside.getInsertionPoint());
    });
  body.eraseArguments(1, body.getNumArguments() - 1);
  launch.getGridMutable().assign(blocks);
  if (launch.getCluster())
    launch.setCluster(ArrayRef(clusterSize));
}

/// Where one block per tile runs all the same.
static std::optional<StringRef> getPersistenceObstacle(LaunchOp launch) {
  if (writesToConsole(launch))
    return "it prints, and lines name the block of the program";
  std::optional<int64_t> tiles = getTileCount(launch);
  if (tiles && *tiles <= getBlocksPerMultiprocessor(launch))
    return "all of its tiles are resident at once on one multiprocessor";
  return std::nullopt;
}

static void sayDeclined(LaunchOp launch, remark::RemarkOpts remark,
                        const Twine &reason) {
  remark::missed(
      launch.getLoc(),
      remark.category(DEBUG_TYPE).function(launch.getKernel().value_or("")))
      << remark::reason("{0}", reason.str());
}

/// A launch whose blocks walk over no tiles has none for two teams: it is wrong to
/// ask for them, on a chip that has roles and but for one that prints for a while.
static LogicalResult declineTeams(LaunchOp launch, StringRef obstacle,
                                  StringRef remedy,
                                  const tilec::GpuTarget &target) {
  if (launch.getTeamCount() == 1)
    return success();
  if (copiesInBulk(target) && !writesToConsole(launch))
    return emitErrorWithoutRegions(launch)
           << "asks for consumers that take turns over tiles, and its blocks "
              "have one tile each: "
           << obstacle << "; leave 'consumers' out, or " << remedy;
  launch.removeConsumersAttr();
  sayDeclined(launch, remark::RemarkOpts::name("NotAlternating"),
              "nobody takes turns: " + obstacle);
  return success();
}

static LogicalResult expandGrid(LaunchOp launch,
                                const tilec::GpuTarget &target) {
  RasterizeAttr rasterize = launch.getRasterizeAttr();
  bool isPersistent = launch.getPersistent();
  launch.removeRasterizeAttr();
  launch.setPersistent(false);
  if (launch.getGrid().size() < 2 || writesToConsole(launch))
    rasterize = {};
  std::optional<StringRef> obstacle = "the launch is not 'persistent'";
  if (isPersistent) {
    obstacle = getPersistenceObstacle(launch);
    if (!obstacle) {
      makePersistent(launch, rasterize);
      return success();
    }
    sayDeclined(launch, remark::RemarkOpts::name("NotPersistent"),
                "a block for each tile: " + *obstacle);
  }
  if (rasterize)
    insertRasterization(launch, rasterize);
  StringRef remedy =
      isPersistent ? "choose smaller tiles" : "make it 'persistent'";
  return declineTeams(launch, *obstacle, remedy, target);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct ExpandGrid : tile::impl::ExpandGridBase<ExpandGrid> {
  using ExpandGridBase::ExpandGridBase;

  void runOnOperation() override {
    auto launches = getLaunches(getOperation(), getArgument());
    if (failed(launches))
      return signalPassFailure();
    for (LaunchOp launch : *launches)
      if (failed(getModuleTarget(launch)) || failed(verifyExpandable(launch)))
        return signalPassFailure();
    IRRewriter rewriter(&getContext());
    for (LaunchOp launch : *launches) {
      countFromZero(launch, rewriter);
      if (failed(expandGrid(launch, **getModuleTarget(launch))))
        return signalPassFailure();
      establishStage(launch, getArgument());
    }
  }
};
} // namespace
