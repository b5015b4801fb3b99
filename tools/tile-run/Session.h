//===- Session.h - One run of tile-run --------------------------*- C++ -*-===//
//
// After options and file have been read: builds the arguments, opens the files,
// runs the reference where something is compared with it and the entry function
// on its executor, compares, reports, writes files. Everything that can be
// found wrong is found wrong before the first run.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TILERUN_SESSION_H
#define TILE_TOOLS_TILERUN_SESSION_H

#include "Report.h"

namespace mlir::tile {

class CudaLauncher;

class Session {
public:
  Session(const RunOptions &options, ModuleOp module, func::FuncOp entry)
      : options(options), module(module), entry(entry) {}

  /// The exit status; everything is printed.
  int run();

private:
  bool prepare();
  bool chooseExecutor();
  void countMultiprocessors(const CudaLauncher *device);
  bool checkFileOptions();
  bool readExpectations();
  bool runAll();
  bool needsBounds() const;
  bool runReferenceOf(SmallVector<reference::RuntimeValue> &arguments,
                      llvm::raw_ostream *output);
  bool execute();
  void compareAll();
  bool writeFiles();

  RunOptions options;
  ModuleOp module;
  func::FuncOp entry;
  Executor executor = Executor::Auto;
  RunReport report;
  SmallVector<reference::RuntimeValue> initial, results;
  /// What the reference gives; empty where it does not run beside the executor.
  SmallVector<reference::RuntimeValue> expected;
  std::map<unsigned, reference::Array> expectations; ///< of --expect
};

/// Prints `error: message` and returns 1.
int fail(const Twine &message);

} // namespace mlir::tile

#endif // TILE_TOOLS_TILERUN_SESSION_H
