//===- Emit.h - From a module to text, as the tools emit it -----*- C++ -*-===//
//
// One call behind `tile-opt --emit` and for embedders: runs the pipeline from
// whatever stage the module is at and returns the text asked for.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_PIPELINE_EMIT_H
#define TILE_PIPELINE_EMIT_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace mlir::tile {

enum class EmitKind { Ptx, Llvm, Nvvm, Cubin, ReportText, ReportJson };

struct EmitOptions {
  EmitKind kind = EmitKind::Ptx;
  std::string chip; ///< empty: the module's `tile.target`
  int optLevel = 3;
  bool lineInfo = true;
  std::string libdevice; ///< empty: found in a CUDA toolkit
  /// Folders of CUDA toolkits to look for libdevice and ptxas before the
  /// standard places.
  std::vector<std::string> toolkits;
  /// Called on the pass manager before it runs, for timing and IR printing.
  std::function<LogicalResult(PassManager &)> configure;
};

/// Compiles `module` (which is consumed: it ends at the last stage reached) and
/// returns the text, for cubins the bytes. Errors are emitted as diagnostics.
FailureOr<std::string> emit(ModuleOp module, const EmitOptions &options);

} // namespace mlir::tile

#endif // TILE_PIPELINE_EMIT_H
