//===- KernelParameters.h - The kernel ABI ----------------------*- C++ -*-===//
//
// The parameters of a kernel, in the order of its arguments: for each memref
// its buffer's address, then its dynamic sizes, dynamic strides and dynamic
// offset, each as a 64-bit integer; scalars as they lie in memory (index as 64
// bits, i1 as a byte). What a memref's type fixes is not passed.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_KERNELPARAMETERS_H
#define TILE_RUNTIME_KERNELPARAMETERS_H

#include "tile/Reference/Interpreter.h"

namespace mlir::tile {

/// One parameter: its bytes, `sizeBytes` of them.
struct KernelParameter {
  uint64_t bits = 0;
  unsigned sizeBytes = 8;
};

/// `types` are those of the kernel's operands; `getAddress` gives a buffer's
/// address on the device. Fails with a diagnostic at `op` for a poison scalar.
FailureOr<SmallVector<KernelParameter>> getKernelParameters(
    Operation *op, TypeRange types, ArrayRef<reference::RuntimeValue> arguments,
    llvm::function_ref<uint64_t(const std::shared_ptr<reference::Buffer> &)>
        getAddress);

} // namespace mlir::tile

#endif // TILE_RUNTIME_KERNELPARAMETERS_H
