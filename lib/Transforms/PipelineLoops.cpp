//===- PipelineLoops.cpp - Overlaps copies with computation ---------------===//
//
// Requires materialized, establishes scheduled: no loop carries a schedule
// hint.
//
// Hints never change results, so the simplest correct schedule is the program's
// own order. In its present form the pass declines every loop that asks for
// more than one stage, says so with a remark at the loop, and removes the
// hints.
//
//===----------------------------------------------------------------------===//

#include "tile/Transforms/Passes.h"
#include "tile/Transforms/StageContract.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-pipeline-loops"

namespace mlir::tile {
#define GEN_PASS_DEF_PIPELINELOOPS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
/// A loop that runs as written, and the number of stages it asked for.
struct DeclinedLoop {
  scf::ForOp loop;
  int64_t stageCount = 0;
};
} // namespace

static SmallVector<DeclinedLoop> findHintedLoops(LaunchOp launch) {
  TileDialect::StagesAttrHelper stages(launch.getContext());
  SmallVector<DeclinedLoop> loops;
  launch.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (IntegerAttr count = stages.getAttr(loop))
      loops.push_back({loop, count.getInt()});
  });
  return loops;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static void removeHints(LaunchOp launch) {
  TileDialect::StagesAttrHelper stages(launch.getContext());
  TileDialect::PipelineStageAttrHelper stage(launch.getContext());
  TileDialect::PipelineOrderAttrHelper order(launch.getContext());
  launch.walk([&](Operation *op) {
    op->removeAttr(stages.getName());
    op->removeAttr(stage.getName());
    op->removeAttr(order.getName());
  });
}

static void reportDeclined(LaunchOp launch, DeclinedLoop declined) {
  // 0 and 1 ask for no copies of buffers: nothing is missed.
  if (declined.stageCount <= 1)
    return;
  remark::missed(declined.loop.getLoc(),
                 remark::RemarkOpts::name("NotPipelined")
                     .category(DEBUG_TYPE)
                     .function(launch.getKernel().value_or("")))
      << remark::reason("{0} stages asked for; software pipelining is not "
                        "implemented yet, the loop runs as written",
                        declined.stageCount);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct PipelineLoops : tile::impl::PipelineLoopsBase<PipelineLoops> {
  void runOnOperation() override {
    auto launches = getLaunches(getOperation(), getArgument());
    if (failed(launches))
      return signalPassFailure();
    for (LaunchOp launch : *launches) {
      for (const DeclinedLoop &declined : findHintedLoops(launch))
        reportDeclined(launch, declined);
      removeHints(launch);
      establishStage(launch, getArgument());
    }
  }
};
} // namespace
