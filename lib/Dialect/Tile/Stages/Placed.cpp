//===- Placed.cpp - Stage `placed` ----------------------------------------===//
//
// Shared memory is one arena, at the start of the body, that fits the chip;
// every buffer is a view of it. That a view lies inside and is aligned is its
// own verifier's business; that buffers that live at the same time are disjoint
// is validated where the plan is made (the Arena library), as it needs
// liveness. Established by tile-plan-shared-memory.
//
//===----------------------------------------------------------------------===//

#include "StagePredicates.h"

#include "tile/Dialect/Tile/TileTarget.h"

using namespace mlir;
using namespace mlir::tile;

static LogicalResult verifyArena(const StagedCode &code, ArenaOp arena) {
  if (arena->getBlock() != &code.body->front())
    return emitStageError(arena, Stage::Placed)
           << "the arena stands at the start of the body, not in a region";
  const tilec::GpuTarget *target = getTarget(code.owner);
  int64_t size = static_cast<int64_t>(arena.getSize());
  if (target && size > target->maxSharedBytesPerBlock)
    return emitStageError(arena, Stage::Placed)
           << "an arena of " << size << " bytes is more than the "
           << target->maxSharedBytesPerBlock
           << " bytes of shared memory that a "
           << "block has on "
           << llvm::StringRef(target->name.data(), target->name.size());
  return success();
}

static LogicalResult verifyView(ViewOp view) {
  if (view.getArena().getDefiningOp<ArenaOp>())
    return success();
  return emitStageError(view, Stage::Placed)
         << "it is not a view of a 'tile.arena'";
}

static LogicalResult verifyNoAlloc(AllocOp alloc) {
  return emitStageError(alloc, Stage::Placed)
         << "buffers are views of the arena; 'tile-plan-shared-memory' places "
            "them";
}

LogicalResult tile::verifyPlaced(const StagedCode &code) {
  if (failed(code.forEach(verifyNoAlloc)) || failed(code.forEach(verifyView)))
    return failure();
  ArenaOp first;
  return code.forEach([&](ArenaOp arena) -> LogicalResult {
    if (!first) {
      first = arena;
      return verifyArena(code, arena);
    }
    InFlightDiagnostic error = emitStageError(arena, Stage::Placed)
                               << "a launch has one arena at most";
    error.attachNote(first.getLoc()) << "the first one";
    return error;
  });
}
