//===- StagePredicates.h - One predicate per stage --------------*- C++ -*-===//
//
// What the files of this folder implement, one each. A predicate checks what
// its own stage adds; `verifyStage` (Stages.cpp) runs those of all stages
// before it first.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_DIALECT_TILE_STAGES_STAGEPREDICATES_H
#define TILE_LIB_DIALECT_TILE_STAGES_STAGEPREDICATES_H

#include "tile/Dialect/Tile/Stages.h"

namespace mlir::tile {

/// A launch or kernel whose stage is checked.
struct StagedCode {
  Operation *owner;
  Region *body;
  int64_t threads = 0;

  /// Calls `check` on every operation of the body, or on those of the class that
  /// it takes; stops at the first failure.
  template <typename CheckT>
  LogicalResult forEach(CheckT check) const {
    using OpT = typename llvm::function_traits<CheckT>::template arg_t<0>;
    return failure(body->walk<WalkOrder::PreOrder>(
                           [&](OpT op) { return WalkResult(check(op)); })
                       .wasInterrupted());
  }
};

/// An error at `op` that starts with the stage it breaks.
InFlightDiagnostic emitStageError(Operation *op, Stage stage);

LogicalResult verifyLogical(const StagedCode &code);
LogicalResult verifyLaidOut(const StagedCode &code);
LogicalResult verifyMaterialized(const StagedCode &code);
LogicalResult verifyScheduled(const StagedCode &code);
LogicalResult verifyPlaced(const StagedCode &code);
LogicalResult verifySynchronized(const StagedCode &code);
LogicalResult verifyOutlined(const StagedCode &code);
LogicalResult verifyThreaded(const StagedCode &code);

} // namespace mlir::tile

#endif // TILE_LIB_DIALECT_TILE_STAGES_STAGEPREDICATES_H
