//===- LongFunctions.cpp - What LLVM leaves out for long functions --------===//

#include "LongFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"

using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Code generation
//===----------------------------------------------------------------------===//

/// Whether the integer sums of `function` have more than `maxReducedTerms`, those of sums
/// that they go on from included.
static bool hasLongSums(const llvm::Function &function) {
  llvm::DenseMap<const llvm::Value *, unsigned> terms;
  unsigned total = 0;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    if (instruction.getOpcode() != llvm::Instruction::Add)
      continue;
    unsigned count = 0;
    for (const llvm::Value *operand : instruction.operand_values())
      count += std::max(terms.lookup(operand), 1u);
    terms[&instruction] = count;
    total += count;
    if (total > maxReducedTerms)
      return true;
  }
  return false;
}

LongFunctionGate::LongFunctionGate(const llvm::Module &module) {
  for (const llvm::Function &function : module) {
    LongFunction sizes{function.getInstructionCount(),
                       static_cast<unsigned>(function.size())};
    sizes.isReduced =
        sizes.instructions <= maxReduced && !hasLongSums(function);
    if (!sizes.isReduced || sizes.blocks > maxNumberedBlocks)
      longFunctions[("function (" + function.getName() + ")").str()] = sizes;
  }
}

bool LongFunctionGate::shouldRunPass(llvm::StringRef passName,
                                     llvm::StringRef description) const {
  auto found = longFunctions.find(description);
  if (found == longFunctions.end())
    return true;
  LongFunction &function = found->second;
  if (passName == "slsr")
    return function.isReduced;
  bool isLong = function.instructions > maxInstructions;
  // Values are numbered a second time behind all that changes addresses.
  if (passName == "gvn")
    return (!isLong && function.blocks <= maxNumberedBlocks) ||
           (function.numberings++ > 0 &&
            function.blocks <= maxRenumberedBlocks);
  return !isLong || (passName != "nary-reassociate" && passName != "early-cse");
}

//===----------------------------------------------------------------------===//
// Optimisation
//===----------------------------------------------------------------------===//

/// What the first two runs leave is combined for the code that optimisation starts
/// with. The seven behind them look at every instruction again, and at each number that
/// a loop counts round for a branch in front of it that says whether it is poison.
static constexpr int maxCombinations = 2;

/// Whether `pass` takes the square of a function's length.
static bool isQuadratic(llvm::StringRef pass) {
  // The first two walk from each comparison through the branches of all loops in front;
  // the third takes wide loads apart, numbers the block anew at each, and so does what
  // puts them together again.
  return llvm::is_contained(
      {"IndVarSimplifyPass", "ConstraintEliminationPass", "VectorCombinePass"},
      pass);
}

/// Whether `pass` looks through the whole function, which is in no cache, for what kernels
/// of tiles do not have or code generation removes as well.
static bool isIdle(llvm::StringRef pass) {
  return llvm::is_contained(
      {// Calls, which are inlined, and variables.
       "CalledValuePropagationPass", "GlobalOptPass", "TailCallElimPass",
       // Constants and unused bits, which earlier stages fold.
       "AggressiveInstCombinePass", "BDCEPass",
       "CorrelatedValuePropagationPass", "InstSimplifyPass",
       "LoopInstSimplifyPass", "SCCPPass",
       // Local memory, and alignments, which earlier stages state.
       "DSEPass", "InferAlignmentPass", "MemCpyOptPass",
       // Redundant and dead code: values are numbered in code generation too.
       "ADCEPass", "GVNPass"},
      pass);
}

LongFunctionFilter::LongFunctionFilter(const llvm::Module &module) {
  for (const llvm::Function &function : module) {
    if (function.getInstructionCount() > maxInstructions)
      combined[&function] = 0;
    if (function.size() > maxNumberedBlocks)
      ofManyBlocks.insert(&function);
  }
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
  // What a module or a cycle of calls is given to has a name of its own.
  const llvm::Function *function = getFunction(ir);
  if (!function)
    return combined.empty() || !isIdle(pass);
  if (pass == "GVNPass" && ofManyBlocks.contains(function))
    return false;
  auto found = combined.find(function);
  if (found == combined.end())
    return true;
  if (pass == "InstCombinePass")
    return found->second++ < maxCombinations;
  return !isQuadratic(pass) && !isIdle(pass);
}
