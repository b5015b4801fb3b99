//===- ConfirmRoles.cpp - Whether a producer can do its work --------------===//

#include "ConfirmRoles.h"
#include "LoopPlan.h"
#include "LoopStatements.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/ProducerSlice.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/Stages.h"

#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-pipeline-loops"

using namespace mlir;
using namespace mlir::tile;

static bool readsGlobal(Operation *op) {
  return llvm::any_of(getBlockAccesses(op), [](const BlockAccess &access) {
    return access.reads && !isShared(access);
  });
}

/// What a pipelined loop brings from global memory that the producer cannot, or
/// not as far ahead as the program says.
static std::optional<SplitObstacle> findForeignLoad(scf::ForOp loop) {
  std::optional<SplitObstacle> found;
  TileDialect::PipelineStageAttrHelper stage(loop.getContext());
  for (Operation &op : loop.getBody()->without_terminator())
    if (stage.isAttrPresent(&op))
      return SplitObstacle{&op, "the program says itself how far ahead the "
                                "operations of the loop run"};
  loop.walk([&](Operation *op) {
    bool isLoad = isa<LoadOp, CopyOp, Im2ColOp>(op) && readsGlobal(op);
    if (!isLoad || isProducerOp(op))
      return WalkResult::advance();
    found = SplitObstacle{op, describe(op) + " is no bulk copy, and would not "
                                             "run ahead"};
    return WalkResult::interrupt();
  });
  return found;
}

/// A buffer whose last slot is kept for what is behind the loop, and may be
/// filled by others too.
static std::optional<SplitObstacle>
findHeldBuffer(scf::ForOp loop, const SharedLiveness &liveness) {
  std::optional<SplitObstacle> found;
  loop.walk([&](CopyOp copy) {
    Value root = isProducerOp(copy) ? getSharedRoot(copy.getDest()) : Value();
    auto buffer = root ? root.getDefiningOp<AllocOp>() : AllocOp();
    if (buffer && isNeededBehind(loop, buffer, liveness))
      found = SplitObstacle{copy, "what is in the buffer of " + describe(copy) +
                                      " is read behind the loop"};
  });
  return found;
}

static std::optional<SplitObstacle> findObstacle(LaunchOp launch) {
  TileDialect::StagesAttrHelper stages(launch.getContext());
  SharedLiveness liveness = computeSharedLiveness(launch);
  std::optional<SplitObstacle> found;
  bool hasAny = false;
  launch.walk([&](scf::ForOp loop) {
    IntegerAttr asked = stages.getAttr(loop);
    if (found || !asked || asked.getInt() < 2)
      return;
    hasAny = true;
    found = findForeignLoad(loop);
    if (!found)
      found = findHeldBuffer(loop, liveness);
  });
  if (found)
    return found;
  ProducerSlice slice = computeProducerSlice(launch);
  if (!hasAny || slice.ops.empty())
    return SplitObstacle{launch, "no loop fills shared memory ahead by bulk "
                                 "copies"};
  return slice.obstacle;
}

LogicalResult tile::confirmRoles(LaunchOp launch) {
  if (!launch.getRoles())
    return success();
  bool isAsked = launch.getWarpSpecialize() == WarpSpecialize::On;
  launch.removeWarpSpecializeAttr();
  std::optional<SplitObstacle> obstacle = findObstacle(launch);
  if (!obstacle)
    return success();
  if (isAsked) {
    InFlightDiagnostic error = emitErrorWithoutRegions(launch)
                               << "asks for specialised warps and cannot have "
                                  "them: "
                               << obstacle->reason;
    error.attachNote(obstacle->op->getLoc()) << "because of this";
    return error;
  }
  launch.removeRolesAttr();
  remark::missed(obstacle->op->getLoc(),
                 remark::RemarkOpts::name("NotSpecialized")
                     .category(DEBUG_TYPE)
                     .function(launch.getKernel().value_or("")))
      << remark::reason("no warps are specialised: {0}", obstacle->reason);
  return success();
}

void tile::moveRingsToFront(LaunchOp launch) {
  if (!launch.getRoles())
    return;
  Block &body = launch.getBody().front();
  Operation *first = &body.front();
  for (RingOp ring : llvm::make_early_inc_range(body.getOps<RingOp>())) {
    for (Value buffer : ring.getBuffers())
      buffer.getDefiningOp()->moveBefore(first);
    ring->moveBefore(first);
  }
}
