//===- Synchronized.cpp - Stage `synchronized` ----------------------------===//
//
// Every conflicting pair of accesses is ordered. Whether it is needs the access
// sets that tile-insert-barriers computes, so that is where it is validated;
// here is checked what can be seen without: barriers and waits are met by all
// threads of the block.
//
//===----------------------------------------------------------------------===//

#include "StagePredicates.h"

using namespace mlir;
using namespace mlir::tile;

LogicalResult tile::verifySynchronized(const StagedCode &code) {
  return code.forEach([](Operation *op) -> LogicalResult {
    if (!isa<BarrierOp, CopyCommitOp, CopyWaitOp>(op))
      return success();
    if (op->getParentOfType<OnceOp>() || op->getParentOfType<ParallelOp>())
      return emitStageError(op, Stage::Synchronized)
             << "not all threads of the block arrive here; put it outside";
    return success();
  });
}
