//===- Emit.h - From a module to text, as the tools emit it -----*- C++ -*-===//
//
// One call behind `tile-opt --emit` and for embedders: runs the pipeline from
// whatever stage the module is at and returns the text asked for.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_PIPELINE_EMIT_H
#define TILE_PIPELINE_EMIT_H

#include "tile/Target/PTX/Ptxas.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace mlir::tile {

enum class EmitKind {
  Ptx,
  Llvm,
  Nvvm,
  Cubin,
  ReportText,
  ReportJson,
  ArenaSvg,
  LayoutsText,
  LayoutsSvg
};

struct EmitOptions {
  EmitKind kind = EmitKind::Ptx;
  std::string chip; ///< empty: the module's `tile.target`
  int optLevel = 3;
  bool lineInfo = true;
  /// Whether the code checks what launches assume.
  bool checkAssumptions = false;
  /// Whether a launch that is slow for sizes without known divisors is two.
  bool versions = true;
  /// How many bytes an asynchronous copy brings to L2: 64, 128 or 256; 0: its own.
  int64_t prefetchBytes = 0;
  /// Where buffers share bytes of shared memory.
  ReusePolicy reuse = ReusePolicy::Cold;
  std::string libdevice; ///< empty: found in a CUDA toolkit
  /// Where libdevice and ptxas are looked for.
  ToolkitSearch toolkits;
  /// Called on the pass manager before it runs, for timing and IR printing.
  std::function<LogicalResult(PassManager &)> configure;
};

/// Compiles `module` (which is consumed: it ends at the last stage reached) and
/// returns the text, for cubins the bytes. Errors are emitted as diagnostics.
FailureOr<std::string> emit(ModuleOp module, const EmitOptions &options);

} // namespace mlir::tile

#endif // TILE_PIPELINE_EMIT_H
