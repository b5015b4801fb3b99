//===- StructuredDataflow.cpp - Facts along structured control flow -------===//

#include "tile/Analysis/StructuredDataflow.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::tile;

RegionEdge::RegionEdge(RegionBranchOpInterface op, Region *from,
                       const RegionSuccessor &successor)
    : op(op), from(from), to(successor.getSuccessor()) {
  llvm::append_range(inputs, successor.getSuccessorInputs());
  if (!from)
    llvm::append_range(operands, op.getEntrySuccessorOperands(successor));
  else
    llvm::append_range(operands, cast<RegionBranchTerminatorOpInterface>(
                                     from->front().getTerminator())
                                     .getSuccessorOperands(successor));
  assert(operands.size() == inputs.size() && "the verifier pairs them");
}

/// The constant that `value` is, or is folded to from constants.
static Attribute getConstant(Value value) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() > 0 || op->getNumResults() != 1)
    return {};
  SmallVector<Attribute> operands(op->getNumOperands());
  for (auto [operand, known] : llvm::zip(op->getOperands(), operands))
    if (!matchPattern(operand, m_Constant(&known)))
      return {};
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return {};
  return dyn_cast<Attribute>(results.front());
}

SmallVector<RegionSuccessor>
mlir::tile::getEntrySuccessors(RegionBranchOpInterface op) {
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getConstant(operand));
  SmallVector<RegionSuccessor> successors;
  op.getEntrySuccessorRegions(operands, successors);
  // Upstream lets every loop be skipped, also where its bounds are constants.
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op.getOperation()))
    if (std::optional<APInt> trips = loop.getStaticTripCount();
        trips && !trips->isZero())
      llvm::erase_if(successors, [](const RegionSuccessor &successor) {
        return successor.isParent();
      });
  return successors;
}

SmallVector<Value> mlir::tile::getHandedOver(Value value) {
  Operation *owner = value.getDefiningOp();
  if (!owner)
    owner = value.getParentBlock()->getParentOp();
  auto branch = dyn_cast_or_null<RegionBranchOpInterface>(owner);
  if (!branch)
    return {};
  RegionBranchInverseSuccessorMapping inputs;
  branch.getSuccessorInputOperandMapping(inputs);
  SmallVector<Value> operands;
  for (OpOperand *operand : inputs.lookup(value))
    operands.push_back(operand->get());
  return operands;
}
