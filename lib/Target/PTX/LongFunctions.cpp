//===- LongFunctions.cpp - What LLVM leaves out for long functions --------===//

#include "LongFunctions.h"

#include "llvm/ADT/Twine.h"

using namespace mlir::tile;

LongFunctionGate::LongFunctionGate(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.getInstructionCount() > maxInstructions)
      longFunctions.insert(("function (" + function.getName() + ")").str());
}

bool LongFunctionGate::shouldRunPass(llvm::StringRef passName,
                                     llvm::StringRef description) const {
  return passName != "slsr" || !longFunctions.contains(description);
}
