//===- KernelFunction.h - The function of a kernel --------------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_KERNELFUNCTION_H
#define TILE_LIB_CONVERSION_TILETONVVM_KERNELFUNCTION_H

#include "LoweringTable.h"

#include "tile/Hardware/GpuTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::tile {

/// Emits the function that each thread of the block runs in front of the
/// kernel, under its name, and leaves the kernel as it is. Fails with an error
/// at the operation that has no lowering.
FailureOr<LLVM::LLVMFuncOp> emitKernelFunction(gpu::GPUFuncOp kernel,
                                               const tilec::GpuTarget &target,
                                               const LoweringTable &table);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_KERNELFUNCTION_H
