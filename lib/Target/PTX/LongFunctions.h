//===- LongFunctions.h - What LLVM leaves out for long functions -*- C++ -*-===//

#ifndef TILE_LIB_TARGET_PTX_LONGFUNCTIONS_H
#define TILE_LIB_TARGET_PTX_LONGFUNCTIONS_H

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"

namespace mlir::tile {

/// Keeps straight-line strength reduction, which compares each address with all before
/// it that are like it, from functions of more than `maxInstructions`. To be set in an
/// LLVM context while code is generated.
class LongFunctionGate final : public llvm::OptPassGate {
public:
  /// Half as many again as the longest kernel of examples and tests has. Of so many
  /// the pass takes 50 ms, half of code generation; of 65,000 it takes 3 s, four fifths
  /// (docs/decisions/0024-tools-hold-llvm.md).
  static constexpr unsigned maxInstructions = 10'000;

  explicit LongFunctionGate(const llvm::Module &module);

  bool isEnabled() const override { return !longFunctions.empty(); }
  bool shouldRunPass(llvm::StringRef passName,
                     llvm::StringRef description) const override;

private:
  llvm::StringSet<> longFunctions; ///< as LLVM describes them
};

} // namespace mlir::tile

#endif // TILE_LIB_TARGET_PTX_LONGFUNCTIONS_H
