//===- Passes.td - From kernels of tiles to threads --------*- tablegen -*-===//

#ifndef TILE_CONVERSION_PASSES
#define TILE_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def ConvertTileToNVVM : Pass<"convert-tile-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "turns kernels over tiles into functions of one thread";
  let description = [{
    Requires *outlined*, establishes *threaded*. Each kernel of the module's
    `gpu.module` becomes an `llvm.func` that one thread executes: a fragment
    becomes one scalar per register of the thread, a shared buffer an address
    computed from its layout, a memref of global memory a pointer with sizes and
    strides. What a kernel takes is written down in docs/KernelABI.md: for every
    memref a pointer, its dynamic sizes, its dynamic strides and its dynamic
    offset; scalars as they are.

    The body is left in `arith`, `scf`, `llvm` and `nvvm`; upstream's conversions
    finish it (`buildConvertToLLVMPipeline`).

    What has no lowering yet is an error at its location,
    `not implemented yet: <construct>`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // TILE_CONVERSION_PASSES
