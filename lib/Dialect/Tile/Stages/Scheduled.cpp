//===- Scheduled.cpp - Stage `scheduled` ----------------------------------===//
//
// Pipelining is done: no loop has a hint left. Established by
// tile-pipeline-loops and tile-specialize-warps.
//
//===----------------------------------------------------------------------===//

#include "StagePredicates.h"

using namespace mlir;
using namespace mlir::tile;

LogicalResult tile::verifyScheduled(const StagedCode &code) {
  auto *dialect = code.owner->getContext()->getLoadedDialect<TileDialect>();
  StringRef hints[] = {dialect->getStagesAttrHelper().getNameStr(),
                       dialect->getPipelineStageAttrHelper().getNameStr(),
                       dialect->getPipelineOrderAttrHelper().getNameStr()};
  return code.forEach([&](Operation *op) -> LogicalResult {
    for (StringRef hint : hints)
      if (op->getDiscardableAttr(hint))
        return emitStageError(op, Stage::Scheduled)
               << "the hint '" << hint
               << "' is left; 'tile-pipeline-loops' removes it";
    return success();
  });
}
