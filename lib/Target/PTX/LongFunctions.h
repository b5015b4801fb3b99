//===- LongFunctions.h - What LLVM leaves out for long functions -*- C++ -*-===//

#ifndef TILE_LIB_TARGET_PTX_LONGFUNCTIONS_H
#define TILE_LIB_TARGET_PTX_LONGFUNCTIONS_H

#include "llvm/ADT/Any.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"

namespace mlir::tile {

/// A function of more instructions is long for straight-line strength reduction, which
/// compares each address with all before it that are like it: half as many again as the
/// longest kernel of examples and tests has. Of so many it takes 50 ms, half of code
/// generation; of 65,000 it takes 3 s, four fifths
/// (docs/decisions/0024-tools-hold-llvm.md).
constexpr unsigned maxReduced = 10'000;
/// So is one whose integer sums have more terms, each in every sum that goes on from it: of
/// each two sums it takes the terms of one from those of the other. A chain of 64 additions
/// and as many sums that go on from one of them have so many and take 0.2 s, of 512 a minute;
/// the longest of examples and tests have a quarter.
constexpr unsigned maxReducedTerms = 4'000;
/// The same for all else that LLVM leaves out.
constexpr unsigned maxInstructions = 30'000;

/// A function of more blocks is long for numbering values, which looks through half as many
/// in front of each load for what it depends on: so does a launch of as many reductions,
/// which has a load or two in each block.
constexpr unsigned maxNumberedBlocks = 400;
/// A function of more blocks is long for numbering them again at the end of code generation:
/// that asks at each branch of every use of what is compared whether it is behind the branch,
/// and the elected thread is compared with at each copy.
constexpr unsigned maxRenumberedBlocks = 1'000;

/// Keeps straight-line strength reduction from functions that are long or have long sums, and
/// from those of more than `maxInstructions` what is there to go on from what it leaves: n-ary
/// reassociation, and the elimination of redundant code behind either. Values of functions
/// with many blocks are numbered once. To be set in an LLVM context while code is generated.
class LongFunctionGate final : public llvm::OptPassGate {
public:
  explicit LongFunctionGate(const llvm::Module &module);

  bool isEnabled() const override { return !longFunctions.empty(); }
  bool shouldRunPass(llvm::StringRef passName,
                     llvm::StringRef description) const override;

private:
  struct LongFunction {
    unsigned instructions = 0, blocks = 0;
    bool isReduced = true;
    int numberings = 0; ///< how often values were to be numbered
  };
  /// By LLVM's description.
  mutable llvm::StringMap<LongFunction> longFunctions;
};

/// Keeps from long functions, as they are before optimisation, those passes of LLVM's
/// pipeline that ask at each loop or number of everything in front of it, and those that
/// look for what they never find in kernels of that length, where that changes no PTX of
/// long launches (benchmarks/results/2026-11-27-compile-time.md).
class LongFunctionFilter {
public:
  explicit LongFunctionFilter(const llvm::Module &module);

  /// Whether the pipeline is to run `pass`, as its callbacks name it, on `ir`.
  bool shouldRunPass(llvm::StringRef pass, const llvm::Any &ir);

private:
  /// Of each long function how often instructions were combined.
  llvm::DenseMap<const llvm::Function *, int> combined;
  llvm::DenseSet<const llvm::Function *> ofManyBlocks;
};

} // namespace mlir::tile

#endif // TILE_LIB_TARGET_PTX_LONGFUNCTIONS_H
