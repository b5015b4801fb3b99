//===- Passes.h - From kernels of tiles to threads --------------*- C++ -*-===//
//
// The pass that gives every thread of a kernel its program, and the upstream
// passes that finish the job.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_PASSES_H
#define TILE_CONVERSION_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir::tile {

#define GEN_PASS_DECL
#include "tile/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tile/Conversion/Passes.h.inc"

/// Takes kernels from *threaded* in `arith` and `scf` to `llvm` and `nvvm`
/// only. `passManager` runs on modules; host functions are left alone. Asynchronous
/// copies bring `prefetchBytes` to L2: 64, 128, 256, or with 0 their own bytes.
void buildConvertToLLVMPipeline(OpPassManager &passManager,
                                int64_t prefetchBytes = 0,
                                bool rotatesLoops = true);

/// What that pipeline needs to find in the context's registry.
void registerConvertToLLVMInterfaces(DialectRegistry &registry);

} // namespace mlir::tile

#endif // TILE_CONVERSION_PASSES_H
