//===- StageCheck.cpp - tile-run --check-stages --------------------------===//
//
// Runs the reference after every pass that changed the program and compares what it
// gives with what it gave before that pass: the same bits. Only passes that may
// change how floats are rounded (mayChangeRounding) are held to the bounds of the
// source's result instead, and where tolerances are given all are held to these.
//
//===----------------------------------------------------------------------===//

#include "Execute.h"

#include "mlir/IR/OperationSupport.h"
#include "tile/Pipeline/Rounding.h"
#include "tile/Runtime/ArrayComparison.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

class StageChecker : public PassInstrumentation {
public:
  StageChecker(StringRef entry, ArrayRef<RuntimeValue> arguments,
               ArrayRef<RuntimeValue> expected, const RunOptions &options,
               RunReport &report)
      : entry(entry), arguments(arguments), expected(expected),
        previous(expected), options(options), report(report) {}

  void runAfterPass(Pass *pass, Operation *op) override;
  bool hasFailed() const { return isWrong; }

private:
  func::FuncOp findFunction(Pass *pass, Operation *op) const;
  bool hasChanged(func::FuncOp function);
  void compareAll(StringRef pass, ArrayRef<RuntimeValue> results);
  void tell(StringRef pass, const std::string &status);

  StringRef entry;
  ArrayRef<RuntimeValue> arguments, expected;
  /// What the pass before gave; of the source at first.
  SmallVector<RuntimeValue> previous;
  /// What the reference ran last.
  std::optional<OperationFingerPrint> checked;
  const RunOptions &options;
  RunReport &report;
  /// Whether a pass since then, perhaps on a function that the entry calls, may
  /// have changed how floats are rounded.
  bool mayBeRounded = false;
  bool isWrong = false;
};

} // namespace

void StageChecker::tell(StringRef pass, const std::string &status) {
  report.stages.push_back({pass.str(), status});
  options.getTextOutput() << "after " << pass << ": " << status << "\n";
}

void StageChecker::compareAll(StringRef pass, ArrayRef<RuntimeValue> results) {
  for (unsigned i = 0; i < results.size(); ++i) {
    if (!results[i].memref)
      continue;
    tilec::ComparisonRule rule = options.getRule(i);
    bool mayDiffer = mayBeRounded || rule.tolerance.isGiven();
    const MemRef &memref = *(mayDiffer ? expected : previous)[i].memref;
    Array wanted = readAll(memref);
    if (!mayDiffer)
      wanted.bounds.clear();
    tilec::Comparison comparison =
        compare(readAll(*results[i].memref), wanted, rule);
    if (comparison.isEqual())
      continue;
    isWrong = true;
    std::vector<int64_t> shape(memref.sizes.begin(), memref.sizes.end());
    tell(pass,
         "argument " + std::to_string(i) + " " + comparison.toText(shape));
  }
}

/// The entry after `pass`, where the reference can run it; null where the pass
/// is not to be judged. Adaptors of nested pipelines have no argument. A pass
/// on functions is judged once, when it has changed the entry.
func::FuncOp StageChecker::findFunction(Pass *pass, Operation *op) const {
  auto function = dyn_cast<func::FuncOp>(op);
  if (pass->getArgument().empty() || (function && function.getName() != entry))
    return nullptr;
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  while (auto outer = module->getParentOfType<ModuleOp>())
    module = outer;
  bool isThreaded = false;
  module.walk([&](Operation *inner) {
    isThreaded |= isa<LLVM::LLVMFuncOp, gpu::BinaryOp>(inner);
  });
  return isThreaded ? func::FuncOp() : module.lookupSymbol<func::FuncOp>(entry);
}

/// Whether the module around `function` is another than the one run last.
bool StageChecker::hasChanged(func::FuncOp function) {
  OperationFingerPrint current(function->getParentOp());
  bool isSame = checked && *checked == current;
  checked = current;
  return !isSame;
}

void StageChecker::runAfterPass(Pass *pass, Operation *op) {
  mayBeRounded |= mayChangeRounding(pass->getArgument());
  func::FuncOp function = isWrong ? func::FuncOp() : findFunction(pass, op);
  if (!function)
    return;
  if (!hasChanged(function)) {
    tell(pass->getArgument(), "equal");
    return;
  }
  SmallVector<RuntimeValue> results = cloneArguments(arguments);
  if (failed(runReference(function, results, getReferenceOptions(options)))) {
    isWrong = true;
    tell(pass->getArgument(), "the reference reports the error above");
    return;
  }
  compareAll(pass->getArgument(), results);
  previous = std::move(results);
  mayBeRounded = false;
  if (!isWrong)
    tell(pass->getArgument(), "equal");
}

LogicalResult mlir::tile::checkStages(ModuleOp module, StringRef entry,
                                      ArrayRef<RuntimeValue> arguments,
                                      ArrayRef<RuntimeValue> expected,
                                      const RunOptions &options,
                                      RunReport &report) {
  OwningOpRef<ModuleOp> copy = module.clone();
  MLIRContext *context = module.getContext();
  context->disableMultithreading();
  PassManager pm(context);
  buildPipeline(pm, *copy, options);
  auto checker = std::make_unique<StageChecker>(entry, arguments, expected,
                                                options, report);
  StageChecker *result = checker.get();
  pm.addInstrumentation(std::move(checker));
  LogicalResult compiled = pm.run(*copy);
  return success(succeeded(compiled) && !result->hasFailed());
}
