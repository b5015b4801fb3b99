//===- OptimizeModule.h - LLVM's optimisation, for threads ------*- C++ -*-===//
//
// LLVM's pipeline thinks of one thread. Where the lanes of a warp part and go on in one
// loop, its SimplifyCFG can give that loop a second entry, to share an instruction
// that stands in front of the loop and at its end:
//
//     for { barrier; if lane 0 { store } }
//
//     store of the iteration before  ->  entry 1: store
//     loop, with a store at its end      entry 2: barrier; lane 0 to 1, others to 2
//
// What unrolls the inner of these cycles then gives lanes that took different ways
// different copies of the barrier, and they wait for each other for ever. Kernels have
// no such cycles before, so that a run that makes one is left out.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_TARGET_PTX_OPTIMIZEMODULE_H
#define TILE_LIB_TARGET_PTX_OPTIMIZEMODULE_H

#include <optional>
#include <set>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::tile {

/// Numbers of runs of SimplifyCFG, from 0, in the order in which the pipeline makes
/// them on a module.
using SimplifyRuns = std::set<int>;

/// Optimises `module` by LLVM's pipeline at `level`, 0 to 3, without the runs of
/// `leftOut`, and chains addresses (ChainAddresses.h) where that is not 0. Returns the number of the run that gave a cycle with a convergent operation
/// a second entry: the module is then to be made anew and optimised without that run.
std::optional<int> optimizeModule(llvm::Module &module,
                                  llvm::TargetMachine &machine, int level,
                                  const SimplifyRuns &leftOut);

} // namespace mlir::tile

#endif // TILE_LIB_TARGET_PTX_OPTIMIZEMODULE_H
