//===- KernelABI.h - Parameters of a kernel ---------------------*- C++ -*-===//
//
// For each memref argument a pointer to global memory, then its dynamic sizes,
// dynamic strides and dynamic offset as i64; scalars as they are, `index` as
// i64, i1 as a byte; for a tensor map its 128 bytes by value; in the order of the
// arguments (docs/KernelABI.md).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_KERNELABI_H
#define TILE_LIB_CONVERSION_TILETONVVM_KERNELABI_H

#include "ThreadEmitter.h"

namespace mlir::tile {

/// The parameters of a kernel and how its arguments are made of them.
class KernelSignature {
public:
  explicit KernelSignature(ThreadEmitter &emitter)
      : emitter(emitter), kernel(emitter.kernel) {}

  /// Appends the parameters of every argument; `isUnaliased` says by argument
  /// whether its pointer is `noalias`. Fails with an error at the kernel on a
  /// type no parameter has.
  LogicalResult build(ArrayRef<bool> isUnaliased);
  LLVM::LLVMFunctionType getType();
  ArrayRef<DictionaryAttr> getAttributes() const { return attributes; }
  /// Binds the kernel's arguments to the parameters of `function`.
  void bind(LLVM::LLVMFuncOp function);

private:
  void add(Type type, DictionaryAttr attrs = {}) {
    types.push_back(type);
    attributes.push_back(attrs ? attrs
                               : DictionaryAttr::get(kernel.getContext()));
  }

  ThreadEmitter &emitter;
  gpu::GPUFuncOp kernel;
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_KERNELABI_H
