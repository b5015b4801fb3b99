//===- LongFunctions.cpp - What LLVM leaves out for long functions --------===//

#include "LongFunctions.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Code generation
//===----------------------------------------------------------------------===//

LongFunctionGate::LongFunctionGate(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.getInstructionCount() > maxInstructions)
      longFunctions.insert(("function (" + function.getName() + ")").str());
}

bool LongFunctionGate::shouldRunPass(llvm::StringRef passName,
                                     llvm::StringRef description) const {
  return passName != "slsr" || !longFunctions.contains(description);
}

//===----------------------------------------------------------------------===//
// Optimisation
//===----------------------------------------------------------------------===//

/// What the first two runs leave is combined for the code that optimisation starts
/// with. The seven behind them look at every instruction again, and at each number that
/// a loop counts round for a branch in front of it that says whether it is poison.
static constexpr int maxCombinations = 2;

LongFunctionFilter::LongFunctionFilter(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.getInstructionCount() > maxUnoptimized)
      combined[&function] = 0;
}

static const llvm::Function *getFunction(const llvm::Any &ir) {
  if (const auto *function = llvm::any_cast<const llvm::Function *>(&ir))
    return *function;
  if (const auto *loop = llvm::any_cast<const llvm::Loop *>(&ir))
    return (*loop)->getHeader()->getParent();
  return nullptr;
}

bool LongFunctionFilter::shouldRunPass(llvm::StringRef pass,
                                       const llvm::Any &ir) {
  auto found = combined.find(getFunction(ir));
  if (found == combined.end())
    return true;
  if (pass == "InstCombinePass")
    return found->second++ < maxCombinations;
  // The first two walk from each comparison through the branches of all loops in front;
  // the third takes wide loads apart, numbers the block anew at each, and so does what
  // puts them together again.
  return pass != "IndVarSimplifyPass" && pass != "ConstraintEliminationPass" &&
         pass != "VectorCombinePass";
}
