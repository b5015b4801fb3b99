//===- Execute.h - Running an entry function somewhere ----------*- C++ -*-===//

#ifndef TILE_TOOLS_TILERUN_EXECUTE_H
#define TILE_TOOLS_TILERUN_EXECUTE_H

#include "Report.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::tile {

/// What the command line says about every run of the reference.
reference::InterpreterOptions getReferenceOptions(const RunOptions &options);

/// Runs the reference semantics; memrefs change in place. Decisions that their
/// bounds leave open become notes, and go to `openDecisions` where it is given.
LogicalResult runReference(func::FuncOp entry,
                           ArrayRef<reference::RuntimeValue> arguments,
                           const reference::InterpreterOptions &options,
                           std::vector<std::string> *openDecisions = nullptr);

/// What the compiler makes of a module.
struct CompiledModule {
  OwningOpRef<ModuleOp> module; ///< holds PTX
  /// As it was at the outlined stage, which the reference can run kernel by
  /// kernel; null where it is not kept or the source was compiled further.
  OwningOpRef<ModuleOp> outlined;
  std::string chip;
};

/// Compiles a copy of the module for the chip of `options`, which is known and the
/// module's own if it names one. A module that holds PTX already is taken as it is.
FailureOr<CompiledModule> compile(ModuleOp module, const RunOptions &options);

/// The passes of `compile`.
void buildPipeline(PassManager &pm, ModuleOp module, const RunOptions &options);

/// Runs a module that was compiled from `source` on the emulator or a GPU,
/// prints statistics and keeps launches as asked. `report` receives statistics
/// and times.
LogicalResult runCompiled(ModuleOp source, const CompiledModule &compiled,
                          StringRef entry,
                          ArrayRef<reference::RuntimeValue> arguments,
                          Executor executor, const RunOptions &options,
                          RunReport &report);

/// Compiles pass by pass, running the reference after each, and names the first
/// pass after which a result differs from `expected`.
LogicalResult checkStages(ModuleOp module, StringRef entry,
                          ArrayRef<reference::RuntimeValue> arguments,
                          ArrayRef<reference::RuntimeValue> expected,
                          const RunOptions &options, RunReport &report);

} // namespace mlir::tile

#endif // TILE_TOOLS_TILERUN_EXECUTE_H
