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
// A persistent launch starts no more blocks than are resident at once, R, and
// each walks over tiles in that same order:
//
//     buffers of the body
//     for n = blockIdx.x .. gridX * gridY * gridZ step R:
//       the body of tile n
//
// A buffer is fresh, and undefined, for every tile: one for all is as good.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/BlockAccess.h"
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

/// What the earlier passes of the phase left, and what is not built yet.
static LogicalResult verifyExpandable(LaunchOp launch) {
  if (launch.getCluster() && (launch.getRasterize() || launch.getPersistent()))
    return emitErrorWithoutRegions(launch)
           << "not implemented yet: "
           << (launch.getPersistent() ? "persistent" : "rasterize")
           << " with clusters";
  WalkResult result = launch.walk([](func::CallOp call) {
    call.emitError("a call is left in a launch; run tile-inline-calls first");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Whether lines of output name blocks, by the numbers of the hardware.
static bool writesToConsole(LaunchOp launch) {
  auto writes = [](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    return llvm::any_of(effects, [](const auto &effect) {
      return effect.getResource() == ConsoleResource::get();
    });
  };
  return launch
      .walk([&](MemoryEffectOpInterface op) {
        return writes(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
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
};
} // namespace

/// Where block `number` of a plane of the grid stands, x and y.
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
  OpBuilder builder = OpBuilder::atBlockBegin(&launch.getBody().front());
  IndexBuilder b{builder, launch.getLoc()};
  BlockArgument idX = launch.getBlockIds()[0], idY = launch.getBlockIds()[1];
  Value panelSize = b.constant(rasterize.getPanel());
  Value before = b.mul(launch.getGrid()[0], idY);
  Value number = b.add(idX, before);
  auto [x, y] =
      getRasterized(b, launch.getGrid(), rasterize, panelSize, number);
  idX.replaceAllUsesExcept(x, number.getDefiningOp());
  idY.replaceAllUsesExcept(y, before.getDefiningOp());
}

/// The coordinates of tile `number`, fastest first.
static SmallVector<Value> getCoordinates(IndexBuilder b, ValueRange grid,
                                         RasterizeAttr rasterize,
                                         Value number) {
  if (grid.size() == 1)
    return {number};
  SmallVector<Value> coordinates(2);
  Value inPlane = number;
  if (grid.size() == 3) {
    Value plane = b.mul(grid[0], grid[1]);
    inPlane = b.rem(number, plane);
    coordinates.push_back(b.div(number, plane));
  }
  auto [x, y] =
      rasterize ? getRasterized(b, grid, rasterize,
                                b.constant(rasterize.getPanel()), inPlane)
                : std::pair(b.rem(inPlane, grid[0]), b.div(inPlane, grid[0]));
  coordinates[0] = x;
  coordinates[1] = y;
  return coordinates;
}

/// The blocks that the host starts: no more than there are tiles. A negative
/// extent stays one, for the launch to refuse.
static Value getBlockCount(IndexBuilder b, ValueRange grid, int64_t resident) {
  Value count = b.constant(resident), smallest = grid.front();
  Value tiles = grid.front();
  for (Value extent : grid.drop_front()) {
    tiles = b.mul(tiles, extent);
    smallest = arith::MinSIOp::create(b.builder, b.loc, smallest, extent);
  }
  Value isNegative = arith::CmpIOp::create(
      b.builder, b.loc, arith::CmpIPredicate::slt, smallest, b.constant(0));
  return arith::SelectOp::create(b.builder, b.loc, isNegative, smallest,
                                 b.min(tiles, count));
}

// Pattern: launch persistent [X, Y, Z] { body }
//       -> launch [min(X * Y * Z, R)] { for n = id .. X * Y * Z step R { body } }
static void makePersistent(LaunchOp launch, RasterizeAttr rasterize,
                           int64_t resident) {
  Location loc = launch.getLoc();
  SmallVector<Value> grid(launch.getGrid());
  OpBuilder onHost(launch);
  Value blocks = getBlockCount({onHost, loc}, grid, resident);

  Block &body = launch.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  IndexBuilder b{builder, loc};
  Value tiles = grid.front();
  for (Value extent : ArrayRef(grid).drop_front())
    tiles = b.mul(tiles, extent);
  auto walk = scf::ForOp::create(builder, loc, launch.getBlockIds().front(),
                                 tiles, b.constant(resident));
  walk.getBody()->getOperations().splice(
      walk.getBody()->begin(), body.getOperations(),
      std::next(walk->getIterator()), body.getTerminator()->getIterator());
  for (AllocOp buffer :
       llvm::make_early_inc_range(walk.getBody()->getOps<AllocOp>()))
    buffer->moveBefore(walk);
  OpBuilder inside = OpBuilder::atBlockBegin(walk.getBody());
  SmallVector<Value> coordinates =
      getCoordinates({inside, loc}, grid, rasterize, walk.getInductionVar());
  for (auto [id, coordinate] : llvm::zip(body.getArguments(), coordinates))
    id.replaceAllUsesExcept(coordinate, walk.getOperation());
  body.eraseArguments(1, body.getNumArguments() - 1);
  launch.getGridMutable().assign(blocks);
}

/// Where one block per tile runs all the same.
static std::optional<StringRef> getPersistenceObstacle(LaunchOp launch,
                                                       int64_t resident) {
  if (writesToConsole(launch))
    return "it prints, and lines name the block of the program";
  std::optional<int64_t> tiles = getTileCount(launch);
  if (tiles && *tiles <= resident)
    return "all of its tiles are resident at once";
  return std::nullopt;
}

static void expandGrid(LaunchOp launch, int64_t multiprocessors) {
  RasterizeAttr rasterize = launch.getRasterizeAttr();
  bool isPersistent = launch.getPersistent();
  launch.removeRasterizeAttr();
  launch.setPersistent(false);
  if (launch.getGrid().size() < 2 || writesToConsole(launch))
    rasterize = {};
  int64_t resident =
      multiprocessors *
      static_cast<int64_t>(launch.getMinBlocksPerSm().value_or(1));
  if (isPersistent) {
    auto obstacle = getPersistenceObstacle(launch, resident);
    if (!obstacle)
      return makePersistent(launch, rasterize, resident);
    remark::missed(launch.getLoc(),
                   remark::RemarkOpts::name("NotPersistent")
                       .category(DEBUG_TYPE)
                       .function(launch.getKernel().value_or("")))
        << remark::reason("a block for each tile: {0}", *obstacle);
  }
  if (rasterize)
    insertRasterization(launch, rasterize);
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
    for (LaunchOp launch : *launches) {
      int64_t count = (*getModuleTarget(launch))->multiprocessorCount;
      expandGrid(launch, multiprocessors > 0 ? multiprocessors : count);
      establishStage(launch, getArgument());
    }
  }
};
} // namespace
