//===- Passes.td - Passes that produce PTX -----------------*- tablegen -*-===//

#ifndef TILE_TARGET_PTX_PASSES
#define TILE_TARGET_PTX_PASSES

include "mlir/Pass/PassBase.td"

def SerializeKernels : Pass<"tile-serialize-kernels", "::mlir::ModuleOp"> {
  let summary = "turns every gpu.module into a gpu.binary with PTX";
  let description = [{
    Requires *threaded* kernels in the llvm and nvvm dialects. Translates each
    `gpu.module` to LLVM IR, links libdevice where it is called, optimises, and
    replaces the module by a `gpu.binary` whose object holds the PTX. Inline
    assembly is marked convergent before LLVM optimises. The chip and the PTX
    version are checked before LLVM sees them, and an unresolved function is an
    error.

    The chip comes from the module's `tile.target`.
  }];
  let options = [
    Option<"optLevel", "opt-level", "int", /*default=*/"3",
           "LLVM's optimisation level, 0 to 3">,
    Option<"libdevice", "libdevice", "std::string", /*default=*/"\"\"",
           "path of libdevice.10.bc; where it is empty, that of the toolkit "
           "whose ptxas is on PATH, then of /usr/local/cuda">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // TILE_TARGET_PTX_PASSES
