//===- Stages.h - What holds at each stage of compilation -------*- C++ -*-===//
//
// A launch, and later the kernel it is outlined to, records the stage it has
// reached. Each stage is a predicate: what the passes before it have
// established and everything after it may rely on.
//
//   source -> logical -> laid_out -> materialized -> scheduled -> placed
//          -> synchronized -> outlined -> threaded
//
// The predicates are checked by the verifier, so after every pass in any tool.
// lib/Dialect/Tile/Stages has one file for each, which says what it promises.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_STAGES_H
#define TILE_DIALECT_TILE_STAGES_H

#include "tile/Dialect/Tile/TileOps.h"

namespace mlir::tile {

/// The stage that a launch, kernel or function records; `Source` without one.
Stage getReachedStage(Operation *launchOrKernel);

/// Records a stage: a launch's inherent attribute, or the discardable one of a
/// function.
void setReachedStage(Operation *launchOrKernel, Stage stage);

/// Whether what `stage` and all stages before it promise holds. If not, an
/// error at the operation that breaks it, naming the stage.
LogicalResult verifyStage(Operation *launchOrKernel, Stage stage);

/// An error at `op` whose note shows the operation, but not its regions: what is
/// wrong with a launch is said in a line, its body is none of it.
InFlightDiagnostic emitErrorWithoutRegions(Operation *op);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_STAGES_H
