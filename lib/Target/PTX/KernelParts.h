//===- KernelParts.h - What of a gpu.module belongs together ----*- C++ -*-===//

#ifndef TILE_LIB_TARGET_PTX_KERNELPARTS_H
#define TILE_LIB_TARGET_PTX_KERNELPARTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::tile {

/// A part of a `gpu.module` that can be compiled on its own.
struct KernelPart {
  /// The functions and globals of the part and what it declares, as they stand in the
  /// whole module.
  SmallVector<Operation *> members;
};

/// Takes `module` apart into functions that share nothing but declarations, each with
/// the globals that it uses; functions that call one another or share a variable stay
/// together. In the order of their first functions. Empty where there are not two, and
/// for a module that holds more than functions and globals.
SmallVector<KernelPart> splitKernels(gpu::GPUModuleOp module);

/// A module of the name, place and attributes of `module`, without anything in it.
OwningOpRef<gpu::GPUModuleOp> createShell(gpu::GPUModuleOp module);

/// Copies the members of `part` into `shell`.
void fillShell(gpu::GPUModuleOp shell, const KernelPart &part);

} // namespace mlir::tile

#endif // TILE_LIB_TARGET_PTX_KERNELPARTS_H
