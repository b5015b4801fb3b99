//===- EmulatorLauncher.h - Kernels on the PTX emulator ---------*- C++ -*-===//
//
// Runs a `gpu.launch_func` whose kernel lies as PTX in a `gpu.binary` of the
// module. Buffers of the host interpreter are mirrored in the emulator's memory
// around each launch; its reports become diagnostics at the lines of the
// source.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_EMULATORLAUNCHER_H
#define TILE_RUNTIME_EMULATORLAUNCHER_H

#include "tile/Dialect/Tile/Assertions.h"
#include "tile/Reference/Interpreter.h"
#include "tile/Runtime/LaunchTime.h"

#include "llvm/ADT/StringMap.h"

#include <atomic>
#include <optional>

namespace mlir::tile {

struct EmulatorOptions {
  /// Orders blocks and warps; 0: ascending.
  uint64_t seed = 0;
  /// Of one warp, after which a launch is called endless; 0: no limit; not
  /// given: the emulator's default.
  std::optional<uint64_t> maxInstructions;
  bool collectStatistics = false;
  TimingOptions timing;
  /// Counts blocks; null: nobody watches.
  reference::RunProgress *progress = nullptr;
  /// Set by whoever wants a launch to end soon: it fails then. Null: nobody.
  const std::atomic<bool> *interrupt = nullptr;
  /// Where kernels print; null: nowhere.
  llvm::raw_ostream *output = nullptr;
  /// What `findAssertions` gave for the source of the module.
  llvm::StringMap<std::string> assertions;
};

class EmulatorLauncher {
public:
  EmulatorLauncher(ModuleOp module, EmulatorOptions options);
  ~EmulatorLauncher();

  /// Runs one launch to its end. Fails after any report, reads of memory that
  /// nobody wrote apart, which are warnings: what matters is whether their
  /// values are used, which only the reference knows.
  LogicalResult launch(const reference::LaunchRequest &request);

  /// Of all launches so far, a JSON array as docs/Running.md has it.
  std::string getStatisticsJson() const;
  std::string getStatisticsText() const;
  /// Of all launches so far, where they are timed.
  const std::vector<LaunchTime> &getTimes() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// The PTX text of the `gpu.binary` that a launch names; empty, with a
/// diagnostic at the launch, where there is none.
StringRef findPtx(ModuleOp module, gpu::LaunchFuncOp op);

} // namespace mlir::tile

#endif // TILE_RUNTIME_EMULATORLAUNCHER_H
