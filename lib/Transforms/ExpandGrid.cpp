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
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/BlockAccess.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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
  if (launch.getPersistent())
    return emitErrorWithoutRegions(launch)
           << "not implemented yet: persistent launch; without "
              "`persistent` one block runs per tile";
  if (launch.getCluster() && launch.getRasterize())
    return emitErrorWithoutRegions(launch)
           << "not implemented yet: rasterize with clusters";
  WalkResult result = launch.walk([](func::CallOp call) {
    call.emitError("a call is left in a launch; run tile-inline-calls first");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// `along` is the grid dimension that panels cut, `across` the other one.
static void insertRasterization(OpBuilder &builder, LaunchOp launch,
                                int64_t along, int64_t across, int64_t panel) {
  Location loc = launch.getLoc();
  auto div = [&](Value a, Value b) -> Value {
    return arith::DivUIOp::create(builder, loc, a, b);
  };
  auto mul = [&](Value a, Value b) -> Value {
    return arith::MulIOp::create(builder, loc, a, b);
  };
  auto add = [&](Value a, Value b) -> Value {
    return arith::AddIOp::create(builder, loc, a, b);
  };
  auto sub = [&](Value a, Value b) -> Value {
    return arith::SubIOp::create(builder, loc, a, b);
  };
  BlockArgument idX = launch.getBlockIds()[0], idY = launch.getBlockIds()[1];
  Value gridX = launch.getGrid()[0];
  Value gridAlong = launch.getGrid()[along];
  Value gridAcross = launch.getGrid()[across];
  Value panelSize = arith::ConstantIndexOp::create(builder, loc, panel);

  Value number = add(idX, mul(gridX, idY));
  Operation *numberOp = number.getDefiningOp();
  Operation *productOp = numberOp->getOperand(1).getDefiningOp();
  Value blocksPerPanel = mul(panelSize, gridAcross);
  Value start = mul(div(number, blocksPerPanel), panelSize);
  Value extent =
      arith::MinUIOp::create(builder, loc, panelSize, sub(gridAlong, start));
  Value inPanel = arith::RemUIOp::create(builder, loc, number, blocksPerPanel);
  Value idAlong =
      add(start, arith::RemUIOp::create(builder, loc, inPanel, extent));
  Value idAcross = div(inPanel, extent);

  Value ids[2];
  ids[along] = idAlong;
  ids[across] = idAcross;
  idX.replaceAllUsesExcept(ids[0], numberOp);
  idY.replaceAllUsesExcept(ids[1], productOp);
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

// Pattern: launch rasterize<order, P>  ->  launch, block ids by arithmetic
//          [if the grid has two dimensions or more and nothing is printed]
static void expandGrid(LaunchOp launch) {
  RasterizeAttr rasterize = launch.getRasterizeAttr();
  if (!rasterize)
    return;
  launch.removeRasterizeAttr();
  if (launch.getGrid().size() < 2 || writesToConsole(launch))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&launch.getBody().front());
  bool rows = rasterize.getOrder() == RasterOrder::Row;
  insertRasterization(builder, launch, rows ? 1 : 0, rows ? 0 : 1,
                      rasterize.getPanel());
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct ExpandGrid : tile::impl::ExpandGridBase<ExpandGrid> {
  void runOnOperation() override {
    auto launches = getLaunches(getOperation(), getArgument());
    if (failed(launches))
      return signalPassFailure();
    for (LaunchOp launch : *launches)
      if (failed(getModuleTarget(launch)) || failed(verifyExpandable(launch)))
        return signalPassFailure();
    for (LaunchOp launch : *launches) {
      expandGrid(launch);
      establishStage(launch, getArgument());
    }
  }
};
} // namespace
