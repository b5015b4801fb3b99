//===- Emit.h - From a module to text, as the tools emit it -----*- C++ -*-===//
//
// One call behind `tile-opt --emit`: runs the pipeline from whatever stage the module
// is at and returns the text asked for. `compile` (Compile.h) returns all of them that
// a launcher needs, and leaves the module as it is.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_PIPELINE_EMIT_H
#define TILE_PIPELINE_EMIT_H

#include "tile/Pipeline/Compile.h"

#include <string>

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

struct EmitOptions : CompileOptions {
  EmitKind kind = EmitKind::Ptx;
};

/// Compiles `module` (which is consumed: it ends at the last stage reached) and
/// returns the text, for cubins the bytes. Errors are emitted as diagnostics. Of the
/// options `makesCubin` says nothing here.
FailureOr<std::string> emit(ModuleOp module, const EmitOptions &options);

} // namespace mlir::tile

#endif // TILE_PIPELINE_EMIT_H
