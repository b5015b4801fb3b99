//===- ReduceProgram.cpp - A program with less of what it has -------------===//
//
// Tries one step after the other, and keeps each that leaves the program interesting,
// until none does:
//
//   erase       an operation with all that uses what it computes
//   operand     its result becomes an operand of the same type
//   zero        its results become zeros
//   unwrap      a loop becomes one iteration, a condition one of its branches
//
// Each makes operations fewer, or computations constants, so it comes to an end. Whether
// a program is interesting is up to upstream's Tester, which runs a program on it.
//
// Upstream's own reduction tree erases ranges of operations of a region and knows
// nothing of uses: in a kernel, where everything is used, it takes little away. It is
// here, too (--reduction-tree).
//
//===----------------------------------------------------------------------===//

#include "tile/Reduction/ReduceProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Reducer/Tester.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Erases `root` and whatever uses it; false where a terminator does.
static bool eraseWithUsers(Operation *root) {
  SetVector<Operation *> erased;
  erased.insert(root);
  for (size_t i = 0; i < erased.size(); ++i) {
    Operation *op = erased[i];
    if (op->hasTrait<OpTrait::IsTerminator>())
      return false;
    op->walk([&](Operation *inner) {
      for (Operation *user : inner->getUsers())
        if (!op->isAncestor(user))
          erased.insert(user);
    });
  }
  // Those inside of others go with them.
  SmallVector<Operation *> outer;
  for (Operation *op : erased)
    if (llvm::none_of(erased, [&](Operation *other) {
          return other->isProperAncestor(op);
        }))
      outer.push_back(op);
  for (Operation *op : outer)
    op->dropAllReferences();
  for (Operation *op : outer) {
    op->dropAllUses();
    op->erase();
  }
  return true;
}

/// The operands of the type of the only result, each once.
static SmallVector<Value> getReplacements(Operation *op) {
  SmallVector<Value> values;
  if (op->getNumResults() == 1)
    for (Value operand : op->getOperands())
      if (operand.getType() == op->getResult(0).getType() &&
          !llvm::is_contained(values, operand))
        values.push_back(operand);
  return values;
}

static bool replaceByOperand(Operation *op, unsigned number) {
  SmallVector<Value> values = getReplacements(op);
  if (number >= values.size())
    return false;
  op->replaceAllUsesWith(ValueRange(values[number]));
  op->erase();
  return true;
}

static bool replaceByZeros(Operation *op) {
  if (op->getNumResults() == 0 || matchPattern(op, m_Constant()))
    return false;
  OpBuilder builder(op);
  SmallVector<TypedAttr> zeros;
  for (Type type : op->getResultTypes()) {
    TypedAttr zero =
        isa<FloatType, IntegerType, IndexType, RankedTensorType>(type)
            ? builder.getZeroAttr(type)
            : TypedAttr();
    if (!zero)
      return false;
    zeros.push_back(zero);
  }
  SmallVector<Value> values;
  for (TypedAttr zero : zeros)
    values.push_back(arith::ConstantOp::create(builder, op->getLoc(), zero));
  op->replaceAllUsesWith(values);
  op->erase();
  return true;
}

/// Puts a block's operations before `op`, whose results become what it yields.
static bool inlineBlock(Operation *op, Block &block, ValueRange arguments) {
  Operation *yield = block.getTerminator();
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    argument.replaceAllUsesWith(value);
  op->replaceAllUsesWith(yield->getOperands());
  yield->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         block.getOperations());
  op->erase();
  return true;
}

static bool unwrap(Operation *op, unsigned number) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    SmallVector<Value> arguments{loop.getLowerBound()};
    llvm::append_range(arguments, loop.getInitArgs());
    return number == 0 && inlineBlock(op, *loop.getBody(), arguments);
  }
  auto condition = dyn_cast<scf::IfOp>(op);
  if (!condition || number > 1 || condition->getRegion(number).empty())
    return false;
  return inlineBlock(op, condition->getRegion(number).front(), {});
}

/// Every step that there is for an operation, by number; false where it is none.
static bool applyStep(Operation *op, unsigned step) {
  constexpr unsigned branches = 2;
  if (step == 0)
    return eraseWithUsers(op);
  if (step <= branches)
    return unwrap(op, step - 1);
  if (step == branches + 1)
    return replaceByZeros(op);
  return replaceByOperand(op, step - branches - 2);
}

static unsigned countSteps(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return 0;
  return 4 + static_cast<unsigned>(getReplacements(op).size());
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

static SmallVector<Operation *> listOperations(ModuleOp module) {
  SmallVector<Operation *> operations;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module)
      operations.push_back(op);
  });
  return operations;
}

namespace {

class ReduceProgram final
    : public PassWrapper<ReduceProgram, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReduceProgram)

  explicit ReduceProgram(std::function<bool()> isStopped)
      : isStopped(std::move(isStopped)) {}
  ReduceProgram(const ReduceProgram &other)
      : PassWrapper(other), isStopped(other.isStopped) {}

  StringRef getArgument() const override { return "tile-reduce-program"; }
  StringRef getDescription() const override {
    return "Reduces a program as long as a test finds it interesting";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect>();
  }
  void runOnOperation() override;

private:
  /// Tries the steps of one operation of `module`; whether one was taken.
  bool reduceAt(OwningOpRef<ModuleOp> &module, size_t position);
  bool isInteresting(ModuleOp module);
  bool isOver() const { return trials >= trialLimit || isStopped(); }

  Option<std::string> test{*this, "test",
                           llvm::cl::desc("Program that says by a status "
                                          "other than 0 that a file is "
                                          "interesting")};
  ListOption<std::string> testArguments{
      *this, "test-arg", llvm::cl::desc("Its arguments before the file")};
  Option<unsigned> trialLimit{*this, "trials",
                              llvm::cl::desc("Programs that are tried at most"),
                              llvm::cl::init(5000)};
  std::function<bool()> isStopped;
  unsigned trials = 0;
};

} // namespace

bool ReduceProgram::isInteresting(ModuleOp module) {
  ++trials;
  std::vector<std::string> arguments(testArguments.begin(),
                                     testArguments.end());
  bool isTrue = Tester(test, arguments).isInteresting(module).first ==
                Tester::Interestingness::True;
  // What stops this program may have ended the test, too.
  return isTrue && !isStopped();
}

bool ReduceProgram::reduceAt(OwningOpRef<ModuleOp> &module, size_t position) {
  unsigned steps = countSteps(listOperations(*module)[position]);
  for (unsigned step = 0; step < steps && !isOver(); ++step) {
    OwningOpRef<ModuleOp> candidate = module->clone();
    if (!applyStep(listOperations(*candidate)[position], step) ||
        !isInteresting(*candidate))
      continue;
    module = std::move(candidate);
    return true;
  }
  return false;
}

void ReduceProgram::runOnOperation() {
  trials = 0;
  // What is tried is often wrong on purpose.
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = getOperation().clone();
  if (!isInteresting(*module) && !isStopped()) {
    llvm::errs() << "error: the program as it is given is not interesting\n";
    return signalPassFailure();
  }
  size_t before = listOperations(*module).size();
  for (bool changed = true; changed && !isOver();) {
    changed = false;
    // From the end, where what is not used stands.
    for (size_t i = listOperations(*module).size(); i-- > 0;) {
      size_t count = listOperations(*module).size();
      if (i < count)
        changed |= reduceAt(module, i);
    }
    llvm::errs() << "tile-reduce: " << listOperations(*module).size() << " of "
                 << before << " operations after " << trials << " trials\n";
  }
  getOperation().getBodyRegion().takeBody(module->getBodyRegion());
}

void tile::registerReduceProgram(std::function<bool()> isStopped) {
  registerPass([isStopped = std::move(isStopped)] {
    return std::make_unique<ReduceProgram>(isStopped);
  });
}
