//===- Logical.cpp - Stage `logical` --------------------------------------===//
//
// The source language for a known chip: calls in launches are inlined, the
// module has a target, the launch a name, and the order of blocks is index
// arithmetic. Established by tile-inline-calls, tile-set-target and
// tile-expand-grid. That the chip is known and names are unique is checked with
// the module's attribute.
//
//===----------------------------------------------------------------------===//

#include "StagePredicates.h"

#include "tile/Dialect/Tile/TileTarget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::tile;

LogicalResult tile::verifyLogical(const StagedCode &code) {
  if (!getTarget(code.owner))
    return emitStageError(code.owner, Stage::Logical)
           << "the module has no 'tile.target'; run 'tile-set-target'";
  if (auto launch = dyn_cast<LaunchOp>(code.owner)) {
    if (!launch.getKernel())
      return emitStageError(launch, Stage::Logical) << "it has no name";
    if (launch.getRasterize() || launch.getPersistent())
      return emitStageError(launch, Stage::Logical)
             << "'rasterize' and 'persistent' are expanded by "
                "'tile-expand-grid'";
  }
  return code.forEach([](func::CallOp call) -> LogicalResult {
    return emitStageError(call, Stage::Logical)
           << "calls are inlined by 'tile-inline-calls'";
  });
}
