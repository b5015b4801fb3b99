//===- InferLayouts.cpp - Chooses the layout of everything ----------------===//
//
// Requires logical, establishes laid_out.
//
// Every fragment gets a layout, every buffer a shared layout, every copy and
// `tile.parallel` its threads, every product its instruction and grid of warps.
// What operations ask for is collected in a problem of plain data
// (LaunchLayouts.h, LayoutProblem.h), solved by what it costs, validated, and
// applied in one walk. Nothing before that touches the program, but that tiles on their
// way to and from registers may be given a buffer (StageTiles.cpp).
//
// Comes before scheduling and shared-memory planning, because instructions,
// bytes and scratch buffers follow from layouts.
//
//===----------------------------------------------------------------------===//

#include "GlobalWrites.h"
#include "LaunchLayouts.h"

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-infer-layouts"

namespace mlir::tile {
#define GEN_PASS_DEF_INFERLAYOUTS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// Solves and validates; fails with an error at the operation for which no
/// layout exists.
static FailureOr<tilec::LayoutSolution>
solveProblem(LaunchOp launch, const LaunchLayouts &layouts) {
  tilec::LayoutFailure failure;
  auto solution = tilec::solve(layouts.problem, failure);
  if (!solution) {
    Operation *op = failure.use >= 0 ? layouts.uses[failure.use]->getOwner()
                                     : launch.getOperation();
    return op->emitOpError("has no layout: ") << failure.reason;
  }
  if (auto wrong = tilec::validate(layouts.problem, *solution))
    return emitErrorWithoutRegions(launch)
           << "layout inference found a wrong solution, which is "
              "a defect of the compiler: "
           << *wrong;
  return *solution;
}

/// The problem of a launch that stays as it is meanwhile.
static FailureOr<LaunchLayouts> buildProblem(LayoutContext context) {
  std::optional<GlobalWrites> writes;
  if (context.bulkCopies)
    context.writes = &writes.emplace(context.launch);
  return buildLayoutProblem(context);
}

static LogicalResult inferLayouts(LaunchOp launch, bool bulkCopies) {
  auto target = getModuleTarget(launch);
  if (failed(target))
    return failure();
  IndexFacts facts(launch);
  LayoutContext context{launch, **target, facts,
                        bulkCopies && copiesInBulk(**target)};
  stageOperands(context);
  stageTiles(context);
  splitTransposes(context);
  FailureOr<LaunchLayouts> layouts = buildProblem(context);
  if (failed(layouts))
    return failure();
  auto solution = solveProblem(launch, *layouts);
  if (failed(solution))
    return failure();
  applyLayouts(context, *layouts, *solution);
  reportLayouts(launch, *layouts, *solution);
  hoistExchanges(context);
  reportLayoutCosts(context, *layouts);
  return success();
}

namespace {
struct InferLayouts final : tile::impl::InferLayoutsBase<InferLayouts> {
  using InferLayoutsBase::InferLayoutsBase;

  void runOnOperation() override {
    auto infer = [&](LaunchOp launch) {
      return inferLayouts(launch, bulkCopies);
    };
    if (failed(transformLaunches(getOperation(), getArgument(), infer)))
      signalPassFailure();
  }
};
} // namespace
