//===- PendingValues.cpp - Consumed exactly once --------------------------===//
//
// By structural induction: in the block of its definition a pending value has
// exactly one consumer. That is an operation of the block with the value as an
// operand, or an operation with regions that consumes it inside: an `scf.if` or
// `scf.index_switch` whose branches consume it exactly once each. The body of a
// loop runs any number of times, so a loop takes the value as an operand.
//
//===----------------------------------------------------------------------===//

#include "PendingValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

static LogicalResult verifyConsumedOnce(Value value, Block *block);

/// The operation of `block` that a use is in.
static Operation *getAncestor(OpOperand &use, Block *block) {
  return block->findAncestorOpInBlock(*use.getOwner());
}

static InFlightDiagnostic emitPendingError(Value value) {
  return mlir::emitError(value.getLoc(), "the pending value ")
         << value.getType();
}

/// Whether `op`, which uses the value inside its regions, consumes it once.
static LogicalResult verifyConsumedInside(Value value, Operation *op) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch || branch.hasLoop()) {
    InFlightDiagnostic error = emitPendingError(value);
    error.attachNote(op->getLoc()) << "it is consumed inside this operation";
    return error << " is consumed inside '" << op->getName()
                 << "', whose body may run any number of times; carry it as "
                    "an iteration argument";
  }
  for (Region &region : op->getRegions()) {
    if (region.empty()) {
      InFlightDiagnostic error = emitPendingError(value);
      error.attachNote(op->getLoc()) << "this branch does not consume it";
      return error << " is not consumed on the path without the branch; give "
                      "the 'scf.if' an 'else' that waits for it or yields it";
    }
    if (failed(verifyConsumedOnce(value, &region.front())))
      return failure();
  }
  return success();
}

static LogicalResult verifyConsumedOnce(Value value, Block *block) {
  llvm::SmallSetVector<Operation *, 2> consumers;
  unsigned direct = 0;
  for (OpOperand &use : value.getUses()) {
    Operation *op = getAncestor(use, block);
    if (!op)
      continue; // in another branch
    consumers.insert(op);
    direct += op == use.getOwner();
  }
  if (consumers.empty()) {
    InFlightDiagnostic error = emitPendingError(value);
    error.attachNote(block->getParentOp()->getLoc())
        << "the path through this operation";
    return error << " is not consumed on every path; wait for it, or carry it "
                    "on";
  }
  if (consumers.size() > 1 || direct > 1) {
    InFlightDiagnostic error = emitPendingError(value);
    for (Operation *op : consumers)
      error.attachNote(op->getLoc()) << "consumed here";
    return error << " is consumed more than once; it may be waited for or "
                    "accumulated into once, 'tile.clone' a fragment that is "
                    "needed twice";
  }
  return direct == 1 ? success()
                     : verifyConsumedInside(value, consumers.front());
}

/// Upstream makes a select of an `scf.if` that only chooses.
static LogicalResult verifyNoChoice(scf::IfOp op) {
  auto isOutside = [&](Value value) {
    return !op->isAncestor(value.getParentBlock()->getParentOp());
  };
  if (op.getElseRegion().empty())
    return success();
  for (auto [chosen, other] : llvm::zip_equal(op.thenYield().getOperands(),
                                              op.elseYield().getOperands()))
    if (isa<PendingType>(chosen.getType()) && chosen != other &&
        isOutside(chosen) && isOutside(other))
      return op.emitOpError("merely chooses between pending values; choose "
                            "between fragments after 'tile.wait'");
  return success();
}

/// Pending values are made by products and passed on by control flow.
static LogicalResult verifyOrigin(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](scf::IfOp branch) { return verifyNoChoice(branch); })
      .Case<GemmAsyncOp, RegionBranchOpInterface>(
          [](auto) { return success(); })
      .Default([](Operation *op) -> LogicalResult {
        if (llvm::none_of(op->getResultTypes(), llvm::IsaPred<PendingType>))
          return success();
        return op->emitOpError("cannot give a pending value; choose between "
                               "fragments after 'tile.wait', or by 'scf.if'");
      });
}

LogicalResult tile::verifyPendingValues(Region &region) {
  auto verifyAll = [](ValueRange values, Block *block) -> LogicalResult {
    for (Value value : values)
      if (isa<PendingType>(value.getType()) &&
          failed(verifyConsumedOnce(value, block)))
        return failure();
    return success();
  };
  for (Block &block : region) {
    if (failed(verifyAll(block.getArguments(), &block)))
      return failure();
    for (Operation &op : block) {
      if (failed(verifyOrigin(&op)) ||
          failed(verifyAll(op.getResults(), &block)))
        return failure();
      for (Region &inner : op.getRegions())
        if (failed(verifyPendingValues(inner)))
          return failure();
    }
  }
  return success();
}
