//===- IdlePasses.cpp - What LLVM leaves out for kernels of tiles ---------===//

#include "IdlePasses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace mlir;
using namespace mlir::tile;

const llvm::Function *tile::getFunction(const llvm::Any &ir) {
  if (const auto *function = llvm::any_cast<const llvm::Function *>(&ir))
    return *function;
  if (const auto *loop = llvm::any_cast<const llvm::Loop *>(&ir))
    return (*loop)->getHeader()->getParent();
  return nullptr;
}

/// Whether `pass` looks for what kernels of tiles do not have or code generation removes
/// as well.
static bool isIdle(llvm::StringRef pass) {
  return llvm::is_contained(
      {// Calls, which are inlined, and variables.
       "CalledValuePropagationPass", "GlobalOptPass", "TailCallElimPass",
       // Constants and unused bits, which earlier stages fold.
       "BDCEPass", "InstSimplifyPass", "LoopInstSimplifyPass",
       // Local memory.
       "DSEPass", "MemCpyOptPass"},
      pass);
}

/// Of the eight runs that combine instructions those behind the simplification of the
/// function and around the vectorisers: the last one, behind the unrolling of loops,
/// finds what they do.
static bool isIdleCombination(int run) { return run >= 4 && run <= 6; }

/// Whether two numbers of `type` fit in a register of `width` bits.
static bool comesInPairs(const llvm::Type *type, uint64_t width) {
  uint64_t bits = type->getScalarSizeInBits();
  return !type->isVectorTy() && bits > 1 && 2 * bits <= width;
}

/// Whether `function` computes, loads or stores single numbers of which a register holds
/// several. Of nothing else does the vectoriser of straight-line code make vectors, for
/// which it looks at every store, sum and choice together with all around it.
static bool hasPairs(const llvm::Function &function,
                     llvm::TargetMachine &machine) {
  uint64_t width =
      machine.getTargetTransformInfo(function)
          .getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue();
  return llvm::any_of(
      llvm::instructions(function), [&](const llvm::Instruction &instruction) {
        if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
          return comesInPairs(store->getValueOperand()->getType(), width);
        // What is only taken out of a vector is one already.
        return !llvm::isa<llvm::ExtractElementInst>(instruction) &&
               comesInPairs(instruction.getType(), width);
      });
}

bool IdlePassFilter::shouldRunPass(llvm::StringRef pass, const llvm::Any &ir) {
  if (isIdle(pass))
    return false;
  const llvm::Function *function = getFunction(ir);
  if (!function)
    return true;
  if (pass == "InstCombinePass")
    return !isIdleCombination(combinations[function]++);
  return pass != "SLPVectorizerPass" || hasPairs(*function, machine);
}
