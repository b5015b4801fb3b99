//===- CudaLauncher.h - Kernels on a GPU ------------------------*- C++ -*-===//
//
// Runs a `gpu.launch_func` through the CUDA driver, which is loaded at run
// time: nothing of CUDA is needed to build. The driver compiles the PTX of the
// module's `gpu.binary`; buffers of the host interpreter are copied around each
// launch.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_CUDALAUNCHER_H
#define TILE_RUNTIME_CUDALAUNCHER_H

#include "tile/Reference/Interpreter.h"
#include "tile/Runtime/LaunchTime.h"

namespace mlir::tile {

class CudaLauncher {
public:
  ~CudaLauncher();

  /// Loads the driver and takes the first device; null, and the reason in
  /// `error`, where there is none.
  static std::unique_ptr<CudaLauncher>
  create(ModuleOp module, std::string &error, TimingOptions timing = {});

  /// Lets kernels have `buffer`, whose `deviceBytes` are set, where it lies on the
  /// device. Waits for everything that was started there before.
  LogicalResult addResident(std::shared_ptr<reference::Buffer> buffer,
                            uint64_t address);

  /// Of the device.
  int64_t getMultiprocessors() const;

  /// Runs one launch to its end. Fails with a diagnostic that has the driver's
  /// words.
  LogicalResult launch(const reference::LaunchRequest &request);

  /// Of all launches so far, where they are timed.
  const std::vector<LaunchTime> &getTimes() const;

private:
  struct Impl;
  explicit CudaLauncher(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::tile

#endif // TILE_RUNTIME_CUDALAUNCHER_H
