//===- Steps.h - The steps of a compilation --------------------*- C++ -*-===//
//
// What `compile` and `emit` are made of: from launches to threaded kernels, from those
// to PTX, from PTX to a cubin.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_PIPELINE_STEPS_H
#define TILE_LIB_PIPELINE_STEPS_H

#include "tile/Pipeline/Compile.h"
#include "tile/Target/PTX/SerializeToPtx.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::tile {

/// Runs the pipeline on `module` until its kernels are threaded. Reports go to
/// `collector`, which may be null; with pictures of layouts where these are asked for.
LogicalResult makeThreaded(ModuleOp module, const CompileOptions &options,
                           ReportCollector *collector,
                           bool drawsLayouts = false);

/// Where the first launch of `module` stands, if it has any.
std::optional<Location> findFirstLaunch(ModuleOp module);

/// The kernels of a threaded module; null, with a diagnostic, where there are none: at
/// `launch`, the first that the module had, if it had any.
gpu::GPUModuleOp findKernels(ModuleOp module, std::optional<Location> launch);

/// How `options` want kernels to be serialized.
SerializeOptions getSerializeOptions(const CompileOptions &options);

/// What ptxas makes of `ptx`. Fails with a diagnostic where it is not there.
FailureOr<PtxasResult> assemble(ModuleOp module, StringRef ptx,
                                const tilec::GpuTarget &target,
                                const ToolkitSearch &toolkits);

} // namespace mlir::tile

#endif // TILE_LIB_PIPELINE_STEPS_H
