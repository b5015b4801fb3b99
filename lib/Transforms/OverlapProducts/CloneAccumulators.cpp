//===- CloneAccumulators.cpp - Sums that are used again -------------------===//

#include "CloneAccumulators.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#define DEBUG_TYPE "tile-overlap-products"

using namespace mlir;
using namespace mlir::tile;

/// Whether `product` writes to registers that hold `sum`: nothing is read where it
/// starts at zero, and what is pending has registers of its own.
static bool addsInPlace(MatrixProductOpInterface product, Value sum) {
  InstructionAttr instruction = product.getInstructionAttr();
  return instruction &&
         instruction.getMatrix()->completion == tilec::Completion::Group &&
         sum && sum.getType() == product.getProductType() &&
         !matchPattern(sum, m_PosZeroFloat()) && !matchPattern(sum, m_Zero());
}

static bool isLoop(Operation *op) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  return branch && branch.hasLoop();
}

/// Whether `user` may run behind the start of `product`, in a part of the program
/// without loops.
static bool mayFollow(Operation *user, MatrixProductOpInterface product) {
  Operation *own = product;
  Operation *other = own->getBlock()->findAncestorOpInBlock(*user);
  while (!other) {
    own = own->getParentOp();
    other = own->getBlock()->findAncestorOpInBlock(*user);
  }
  // In two branches of one condition, one of them runs.
  return own != other && own->isBeforeInBlock(other);
}

/// Whether something may use `sum` behind the start of `product`: in a loop that it
/// comes from outside of, the product itself in the next iteration.
static bool isUsedBehind(MatrixProductOpInterface product, Value sum) {
  Operation *op = product;
  while (op->getBlock() != sum.getParentBlock()) {
    op = op->getParentOp();
    if (isLoop(op))
      return true;
  }
  return llvm::any_of(sum.getUsers(), [&](Operation *user) {
    return mayFollow(user, product);
  });
}

static void cloneSum(MatrixProductOpInterface product) {
  OpBuilder builder(product);
  OpOperand &sum = product.getCMutable()[0];
  sum.set(CloneOp::create(builder, product.getLoc(), sum.get()));
}

static void sayCloned(LaunchOp launch, MatrixProductOpInterface product) {
  remark::missed(product.getLoc(),
                 remark::RemarkOpts::name("ClonedAccumulator")
                     .category(DEBUG_TYPE)
                     .function(launch.getKernel().value_or("")))
      << remark::reason("{0} registers a thread are copied: the accumulator is "
                        "used again behind the product",
                        countRegisters(product.getProductType()));
}

void tile::cloneAccumulators(LaunchOp launch) {
  launch.walk([&](MatrixProductOpInterface product) {
    Value sum = product.getC();
    if (!addsInPlace(product, sum))
      return;
    bool isConstant = matchPattern(sum, m_Constant());
    if (!isConstant && !isUsedBehind(product, sum))
      return;
    cloneSum(product);
    if (!isConstant)
      sayCloned(launch, product);
  });
}
