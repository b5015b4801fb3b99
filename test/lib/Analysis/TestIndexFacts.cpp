//===- TestIndexFacts.cpp - Prints divisors, ranges and facts of memrefs --===//

#include "TestAnalyses.h"

#include "tile/Analysis/IndexFacts.h"
#include "tile/Analysis/LoopFacts.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::tile;

static void printNumber(raw_ostream &os, std::optional<int64_t> value) {
  if (value)
    os << *value;
  else
    os << "?";
}

static void printDivisor(raw_ostream &os, int64_t divisor) {
  if (divisor == IndexFacts::anyDivisor)
    os << "any";
  else
    os << divisor;
}

static void printDivisors(raw_ostream &os, ArrayRef<int64_t> divisors) {
  os << "[";
  llvm::interleaveComma(divisors, os,
                        [&](int64_t divisor) { printDivisor(os, divisor); });
  os << "]";
}

/// "divisor 8, from 0 to 56.", bounds included, or what is known of a memref.
static std::string describe(IndexFacts &facts, Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (isa<MemRefType>(value.getType())) {
    MemRefFacts known = facts.getMemRefFacts(value);
    os << "align " << known.alignmentBytes << ", sizes ";
    printDivisors(os, known.sizeDivisors);
    os << ", strides ";
    printDivisors(os, known.strideDivisors);
    os << (known.isInnermostContiguous ? ", contiguous." : ".");
    return text;
  }
  os << "divisor ";
  printDivisor(os, facts.getDivisor(value));
  os << ", from ";
  printNumber(os, facts.getLowerBound(value));
  os << " to ";
  printNumber(os, facts.getUpperBound(value));
  os << ".";
  return text;
}

/// "goes round 3 modulo 4": of a loop that asks with `test.modulo`.
static void showTrips(scf::ForOp loop) {
  auto modulus = loop->getAttrOfType<IntegerAttr>("test.modulo");
  if (!modulus)
    return;
  IndexFacts facts(loop->getParentOfType<LaunchOp>());
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "goes round ";
  printNumber(os, getTripCountModulo(facts, loop, modulus.getInt()));
  loop.emitRemark() << text << " modulo " << modulus.getInt() << ".";
}

namespace {
/// Remarks on the results of tagged operations, the variables of tagged loops
/// and launches, and tagged arguments; how often loops go round. Facts are those that hold in the launch
/// around an operation, or in the function's first for its arguments.
struct TestIndexFacts : PassWrapper<TestIndexFacts, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestIndexFacts)
  StringRef getArgument() const override { return "test-tile-index-facts"; }

  void show(Operation *op) {
    auto launch = dyn_cast<LaunchOp>(op);
    IndexFacts facts(launch ? launch : op->getParentOfType<LaunchOp>());
    SmallVector<Value> values(op->getResults());
    if (values.empty() && op->getNumRegions() > 0)
      llvm::append_range(values, op->getRegion(0).getArguments());
    for (Value value : values)
      op->emitRemark(describe(facts, value));
  }

  void runOnOperation() override {
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto function = dyn_cast<FunctionOpInterface>(op)) {
        LaunchOp first;
        function->walk([&](LaunchOp launch) {
          if (!first)
            first = launch;
        });
        IndexFacts facts(first);
        for (BlockArgument argument : function.getArguments())
          if (test::getTag(argument) != "?")
            mlir::emitRemark(argument.getLoc(), describe(facts, argument));
      }
      if (test::getTag(op))
        show(op);
      if (auto loop = dyn_cast<scf::ForOp>(op))
        showTrips(loop);
    });
  }
};
} // namespace

void test::registerTestIndexFacts() { PassRegistration<TestIndexFacts>(); }
