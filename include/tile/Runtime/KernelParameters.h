//===- KernelParameters.h - The kernel ABI ----------------------*- C++ -*-===//
//
// The parameters of a kernel, in the order of its arguments: for each memref
// its buffer's address, then its dynamic sizes, dynamic strides and dynamic
// offset, each as a 64-bit integer; scalars as they lie in memory (index as 64
// bits, i1 as a byte). What a memref's type fixes is not passed. A tensor map is
// 128 bytes by value, which the encoder of where the kernel runs makes.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_KERNELPARAMETERS_H
#define TILE_RUNTIME_KERNELPARAMETERS_H

#include "tile/DeviceLaunch/KernelLaunch.h"
#include "tile/Reference/Interpreter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::tile {

/// One parameter, and of a tensor map the buffer that the tensor lies in.
struct KernelParameter : tilec::KernelParameter {
  std::shared_ptr<reference::Buffer> buffer = {};
  uint64_t offsetBytes = 0; ///< of the tensor's first element in there
};

using GetBufferAddress =
    llvm::function_ref<uint64_t(const std::shared_ptr<reference::Buffer> &)>;

/// The parameters for `operands`, some of those of the launch `op`, whose values
/// are `arguments`; `getAddress` gives a buffer's address on the device, and is
/// asked for one that no argument has where a tensor has no element. Fails with
/// a diagnostic at `op` for a poison scalar, or at what describes a tensor that
/// no tensor map can.
FailureOr<SmallVector<KernelParameter>>
getKernelParameters(Operation *op, ValueRange operands,
                    ArrayRef<reference::RuntimeValue> arguments,
                    GetBufferAddress getAddress);

/// The launch as plain data.
tilec::KernelLaunch getKernelLaunch(const reference::LaunchRequest &request,
                                    ArrayRef<KernelParameter> parameters);

/// The tensor map of `memref` as the operation that made `operand` says
/// (TensorMapParameter.cpp).
FailureOr<KernelParameter>
getTensorMapParameter(Operation *op, Value operand,
                      const reference::MemRef &memref,
                      GetBufferAddress getAddress);

} // namespace mlir::tile

#endif // TILE_RUNTIME_KERNELPARAMETERS_H
