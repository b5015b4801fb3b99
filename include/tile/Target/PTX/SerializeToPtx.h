//===- SerializeToPtx.h - From a gpu.module to LLVM IR and PTX --*- C++ -*-===//
//
// What the pass `tile-serialize-kernels` and the tools share: one call from a
// `gpu.module` in the llvm and nvvm dialects to text.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TARGET_PTX_SERIALIZETOPTX_H
#define TILE_TARGET_PTX_SERIALIZETOPTX_H

#include "tile/Hardware/GpuTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::tile {

struct SerializeOptions {
  int optLevel = 3;
  /// Version as LLVM's features write it (78 is 7.8); 0 is the chip's default.
  int ptxVersion = 0;
  /// Path of libdevice.10.bc. Where it is empty, the file is looked for in the
  /// standard places of a CUDA toolkit (Ptxas.h), unless that is not wanted.
  std::string libdevicePath;
  bool searchToolkits = true;
  /// Printing takes a tenth of the time of all else.
  bool printsLlvmIr = false;
};

/// The texts of one `gpu.module`.
struct SerializedModule {
  std::string llvmIr; ///< after optimisation; empty unless asked for
  std::string ptx;
  /// How many parts of the module were compiled beside one another.
  size_t partCount = 1;
};

/// Translates, links, optimises and generates code. Kernels that share no function and
/// no variable are compiled on the threads of the module's context; the PTX is the same
/// for any number of them. LLVM IR is that of the whole module, compiled at once. Fails
/// with an error at the module (or at the function that is missing) and never aborts the
/// process.
FailureOr<SerializedModule> serializeToPtx(gpu::GPUModuleOp module,
                                           const tilec::GpuTarget &target,
                                           const SerializeOptions &options);

/// Replaces each module of kernels, which are threaded, by a `gpu.binary` of the same
/// name that holds its PTX: the pass `tile-serialize-kernels`.
LogicalResult serializeKernels(ModuleOp module, const tilec::GpuTarget &target,
                               const SerializeOptions &options);

} // namespace mlir::tile

#endif // TILE_TARGET_PTX_SERIALIZETOPTX_H
