//===- Execute.h - Running an entry function somewhere ----------*- C++ -*-===//

#ifndef TILE_TOOLS_TILERUN_EXECUTE_H
#define TILE_TOOLS_TILERUN_EXECUTE_H

#include "Options.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::tile {

/// Runs the reference semantics; memrefs change in place. `output` receives
/// what the program prints.
LogicalResult runReference(func::FuncOp entry,
                           ArrayRef<reference::RuntimeValue> arguments,
                           const RunOptions &options,
                           llvm::raw_ostream *output);

/// Compiles a copy of the module for `chip`, which is known and the module's own
/// if it names one. A module that holds PTX already is taken as it is.
FailureOr<OwningOpRef<ModuleOp>> compile(ModuleOp module, StringRef chip);

/// Runs a module that was compiled from `source` on the emulator or a GPU,
/// prints statistics and keeps launches as asked. `narrowestPrecision` is that
/// of the source.
LogicalResult runCompiled(ModuleOp source, ModuleOp module, StringRef entry,
                          ArrayRef<reference::RuntimeValue> arguments,
                          Executor executor, int narrowestPrecision,
                          const RunOptions &options);

/// Compiles pass by pass, running the reference after each, and names the first
/// pass after which a result differs from `expected`.
LogicalResult checkStages(ModuleOp module, StringRef entry,
                          ArrayRef<reference::RuntimeValue> arguments,
                          ArrayRef<reference::RuntimeValue> expected,
                          const RunOptions &options);

} // namespace mlir::tile

#endif // TILE_TOOLS_TILERUN_EXECUTE_H
