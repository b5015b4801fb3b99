//===- KernelParameters.h - Bytes of a kernel's parameters ------*- C++ -*-===//
//
// ptxas takes 4352 bytes of parameters before PTX ISA 8.1, from there on 32764. A module
// with a kernel of more than the first gets that version where none is asked for, which
// needs a newer driver than the chip's first.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_TARGET_PTX_KERNELPARAMETERS_H
#define TILE_LIB_TARGET_PTX_KERNELPARAMETERS_H

#include "tile/Hardware/GpuTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::tile {

/// The PTX version that `kernels` are written in: `wanted`, or, where that is 0, the
/// first from the target's own on that takes their parameters. An error at a kernel whose
/// parameters it does not take.
FailureOr<int> choosePtxVersion(gpu::GPUModuleOp kernels,
                                const tilec::GpuTarget &target, int wanted);

} // namespace mlir::tile

#endif // TILE_LIB_TARGET_PTX_KERNELPARAMETERS_H
