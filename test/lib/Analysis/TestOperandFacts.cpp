//===- TestOperandFacts.cpp - Prints what is known of operands ------------===//
//
// For every operand of an operation in a launch or a kernel that is an integer,
// an index or a memref, a line
//
//     @kernel tile.load 1: divisor 8, 0 to 127
//     @kernel tile.load 0: base 16, start 16, sizes [64, 8], strides [8, 1],
//                          contiguous
//
// Operands of `arith` are left out: arithmetic of constants is repeated when a
// launch becomes a kernel. So the same lines come from a launch and from its
// kernel if, and only if, outlining loses nothing.
//
//===----------------------------------------------------------------------===//

#include "TestAnalyses.h"

#include "tile/Analysis/IndexFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::tile;

static void print(const MemRefFacts &facts, raw_ostream &os) {
  os << "base " << facts.baseAlignmentBytes << ", start "
     << facts.alignmentBytes << ", sizes [";
  llvm::interleaveComma(facts.sizeDivisors, os);
  os << "], strides [";
  llvm::interleaveComma(facts.strideDivisors, os);
  os << (facts.isInnermostContiguous ? "], contiguous" : "]");
}

static void print(Value scalar, IndexFacts &facts, raw_ostream &os) {
  ConstantIntRanges range = facts.getRange(scalar);
  os << "divisor " << facts.getDivisor(scalar) << ", ";
  range.smin().print(os, /*isSigned=*/true);
  os << " to ";
  range.smax().print(os, /*isSigned=*/true);
}

static void printOperands(Operation *op, StringRef kernel, IndexFacts &facts,
                          raw_ostream &os) {
  if (isa<arith::ArithDialect>(op->getDialect()))
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = operand.get().getType();
    if (!type.isIntOrIndex() && !isa<MemRefType>(type))
      continue;
    os << "@" << kernel << " " << op->getName() << " "
       << operand.getOperandNumber() << ": ";
    if (type.isIntOrIndex())
      print(operand.get(), facts, os);
    else
      print(facts.getMemRefFacts(operand.get()), os);
    os << "\n";
  }
}

namespace {
struct TestOperandFacts
    : PassWrapper<TestOperandFacts, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestOperandFacts)

  StringRef getArgument() const override { return "test-tile-operand-facts"; }
  StringRef getDescription() const override {
    return "Print what is known of the operands in launches and kernels";
  }

  void runOnOperation() override {
    auto printBody = [](Region &body, StringRef name, LaunchOp launch) {
      IndexFacts facts(launch);
      body.walk<WalkOrder::PreOrder>(
          [&](Operation *op) { printOperands(op, name, facts, llvm::outs()); });
    };
    getOperation().walk([&](Operation *op) {
      if (auto launch = dyn_cast<LaunchOp>(op))
        printBody(launch.getBody(), launch.getKernel().value_or(""), launch);
      else if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op))
        printBody(kernel.getBody(), kernel.getName(), {});
    });
  }
};
} // namespace

void mlir::tile::test::registerTestOperandFacts() {
  PassRegistration<TestOperandFacts>();
}
