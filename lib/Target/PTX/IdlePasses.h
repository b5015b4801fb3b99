//===- IdlePasses.h - What LLVM leaves out for kernels of tiles -*- C++ -*-===//

#ifndef TILE_LIB_TARGET_PTX_IDLEPASSES_H
#define TILE_LIB_TARGET_PTX_IDLEPASSES_H

#include "llvm/ADT/Any.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::tile {

/// The function that a pass is given, also by way of one of its loops; null where it is
/// given more than that.
const llvm::Function *getFunction(const llvm::Any &ir);

/// Keeps from all kernels those passes of LLVM's pipeline that read every instruction and
/// find nothing that others do not find as well: a tenth of the time from text to PTX
/// (docs/decisions/0024-tools-hold-llvm.md).
class IdlePassFilter {
public:
  explicit IdlePassFilter(llvm::TargetMachine &machine) : machine(machine) {}

  /// Whether the pipeline is to run `pass`, as its callbacks name it, on `ir`.
  bool shouldRunPass(llvm::StringRef pass, const llvm::Any &ir);

private:
  llvm::TargetMachine &machine;
  /// How often instructions of a function were to be combined.
  llvm::DenseMap<const llvm::Function *, int> combinations;
};

} // namespace mlir::tile

#endif // TILE_LIB_TARGET_PTX_IDLEPASSES_H
