//===- NoAlias.cpp - Which arguments of a kernel overlap no other ---------===//
//
// A pointer is `noalias` where all launches show that its memref comes from
// arguments and allocations that no other parameter of the kernel comes from,
// and the kernel does not write it. LLVM reads through the read-only cache
// then.
//
//===----------------------------------------------------------------------===//

#include "NoAlias.h"

#include "tile/Dialect/Tile/MemRefRoots.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tile;

/// Takes out the arguments that the kernel writes: a barrier makes the writes
/// of other threads visible, but LLVM takes memory behind a `noalias` pointer
/// to be out of a barrier's reach and would move accesses across it.
static void removeWritten(gpu::GPUFuncOp kernel,
                          MutableArrayRef<bool> unaliased) {
  kernel.getBody().walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      Value memref = effect.getValue();
      if (!isa<MemoryEffects::Write>(effect.getEffect()) || !memref ||
          !isa<MemRefType>(memref.getType()))
        continue;
      for (Value root : getMemRefRoots(memref)) {
        auto argument = dyn_cast<BlockArgument>(root);
        if (argument && argument.getOwner() == &kernel.getBody().front())
          unaliased[argument.getArgNumber()] = false;
      }
    }
  });
}

/// Looks at the host's code only, which is a small part of a module of many kernels.
static SmallVector<gpu::LaunchFuncOp> getLaunchesOf(gpu::GPUFuncOp kernel) {
  SmallVector<gpu::LaunchFuncOp> launches;
  auto module = kernel->getParentOfType<ModuleOp>();
  for (auto host : module.getOps<FunctionOpInterface>())
    host.walk([&](gpu::LaunchFuncOp launch) {
      if (launch.getKernelName() == kernel.getName())
        launches.push_back(launch);
    });
  return launches;
}

/// Takes out the arguments of which a launch passes memrefs that others may
/// overlap.
static void removeOverlapping(gpu::LaunchFuncOp launch,
                              MutableArrayRef<bool> unaliased) {
  SmallVector<SmallVector<Value>> roots;
  llvm::DenseMap<Value, unsigned> uses;
  bool isKnown = true;
  for (Value operand : launch.getKernelOperands()) {
    roots.emplace_back();
    if (!isa<MemRefType>(operand.getType()))
      continue;
    roots.back() = getMemRefRoots(operand);
    isKnown &= llvm::none_of(roots.back(), mayAliasOthers);
    for (Value root : roots.back())
      ++uses[root];
  }
  for (auto [isUnaliased, operandRoots] : llvm::zip(unaliased, roots))
    isUnaliased &= isKnown && llvm::all_of(operandRoots, [&](Value root) {
                     return uses[root] == 1;
                   });
}

SmallVector<bool> tile::getUnaliasedArguments(gpu::GPUFuncOp kernel) {
  SmallVector<gpu::LaunchFuncOp> launches = getLaunchesOf(kernel);
  unsigned count = kernel.getNumArguments();
  SmallVector<bool> unaliased(count, !launches.empty());
  for (gpu::LaunchFuncOp launch : launches) {
    if (launch.getNumKernelOperands() != count)
      return SmallVector<bool>(count, false);
    removeOverlapping(launch, unaliased);
  }
  removeWritten(kernel, unaliased);
  return unaliased;
}
