//===- StageContract.h - Which stage a pass needs and gives -----*- C++ -*-===//
//
// A launch says in its attribute `stage` how far it is compiled, so a file can
// be resumed in the middle. Every pass needs its launches at one stage and
// leaves them at one:
//
//   source --inline-calls, await-products, set-target, expand-grid---> logical
//          --version-launches, split-scaled-products, plan-roles,
//          widen-products, infer-layouts--> laid_out
//          --materialize-scratch--> materialized
//          --pipeline-loops, lower-rings--> scheduled
//          --plan-shared-memory--> placed --insert-barriers--> synchronized
//          --outline-kernels--> outlined --convert-tile-to-nvvm--> threaded
//
// This header is that table and what every pass does with it: most transform
// one launch after another by `transformLaunches`, the others call
// `getLaunches` when they start and `establishStage` when they are done with a
// launch.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_STAGECONTRACT_H
#define TILE_DIALECT_TILE_STAGECONTRACT_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// One row: what a pass requires of a launch and what holds afterwards.
struct StageContract {
  StringLiteral pass; ///< its argument, "tile-expand-grid"
  Stage required;
  Stage established;
};

/// All rows in pipeline order.
ArrayRef<StageContract> getStageContracts();

/// Checks that a launch or kernel is at the stage which `pass` requires; if not,
/// an error at it that names both stages and the pass to run next.
LogicalResult verifyRequiredStage(Operation *launchOrKernel, StringRef pass);

/// The launches under `root`, in program order. Fails with an error at each
/// launch that is not at the stage which `pass` requires, naming both stages,
/// and, past the source stage, at each that has what no pass lowers yet.
FailureOr<SmallVector<LaunchOp>> getLaunches(Operation *root, StringRef pass);

/// Applies `transform` to the launches under `root`, in program order, each of
/// which is then at the stage that `pass` establishes. Fails, with an error
/// emitted, where `getLaunches` or `transform` does.
LogicalResult
transformLaunches(Operation *root, StringRef pass,
                  function_ref<LogicalResult(LaunchOp)> transform);

/// Records on the launch that it is at the stage which `pass` establishes.
void establishStage(LaunchOp launch, StringRef pass);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_STAGECONTRACT_H
