//===- StructuredDataflow.cpp - Facts along structured control flow -------===//

#include "tile/Analysis/StructuredDataflow.h"

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
