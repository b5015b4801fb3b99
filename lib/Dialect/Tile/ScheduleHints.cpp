//===- ScheduleHints.cpp - When operations of a loop run ------------------===//

#include "tile/Dialect/Tile/ScheduleHints.h"

#include "tile/Dialect/Tile/TileDialect.h"

using namespace mlir;
using namespace mlir::tile;

std::optional<ScheduleHint> tile::getScheduleHint(Operation *op) {
  TileDialect::PipelineStageAttrHelper stage(op->getContext());
  TileDialect::PipelineOrderAttrHelper order(op->getContext());
  // Constants run at no time: any pass may put them in front of the loop.
  if (op->hasTrait<OpTrait::ConstantLike>() || !stage.isAttrPresent(op) ||
      !order.isAttrPresent(op))
    return std::nullopt;
  return ScheduleHint{stage.getAttr(op), order.getAttr(op)};
}

Operation *tile::findScheduled(Block &body) {
  for (Operation &op : body)
    if (getScheduleHint(&op))
      return &op;
  return nullptr;
}

void tile::setScheduleHint(Operation *op, ScheduleHint hint) {
  MLIRContext *context = op->getContext();
  TileDialect::PipelineStageAttrHelper(context).setAttr(op, hint.stage);
  TileDialect::PipelineOrderAttrHelper(context).setAttr(op, hint.order);
}

void tile::removeScheduleHint(Operation *op) {
  MLIRContext *context = op->getContext();
  op->removeAttr(TileDialect::PipelineStageAttrHelper(context).getName());
  op->removeAttr(TileDialect::PipelineOrderAttrHelper(context).getName());
}

void tile::copyScheduleHint(Operation *from, Operation *to) {
  std::optional<ScheduleHint> hint = getScheduleHint(from);
  if (hint && !to->hasTrait<OpTrait::ConstantLike>())
    setScheduleHint(to, *hint);
}

void ScheduleHintKeeper::notifyOperationInserted(Operation *op,
                                                 OpBuilder::InsertPoint) {
  fresh.insert(op);
}

void ScheduleHintKeeper::notifyOperationErased(Operation *op) {
  // What stands inside of an operation of the body has no hint.
  TileDialect::StagesAttrHelper stages(op->getContext());
  Operation *parent = op->getParentOp();
  if (parent && stages.isAttrPresent(parent)) {
    for (Operation *made = op->getPrevNode(); made && fresh.contains(made);
         made = made->getPrevNode())
      copyScheduleHint(op, made);
    for (Operation *made = op->getNextNode(); made && fresh.contains(made);
         made = made->getNextNode())
      copyScheduleHint(op, made);
    fresh.clear();
  }
  fresh.erase(op);
}
