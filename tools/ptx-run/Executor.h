//===- Executor.h - Where a kernel runs -------------------------*- C++ -*-===//
//
// The emulator and a GPU behind one interface, so that one command line means
// the same on both: memory, tensor maps, one launch. Functions that can fail
// return an empty string or what is wrong.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_PTXRUN_EXECUTOR_H
#define TILE_TOOLS_PTXRUN_EXECUTOR_H

#include "Options.h"

#include "tile/CudaDriver/Device.h"
#include "tile/Emulator/TensorMap.h"

#include <memory>

namespace tilec {

/// A tensor map's bytes, aligned as the driver wants them.
struct alignas(128) TensorMapBytes {
  uint8_t bytes[128];
};

class Executor {
public:
  virtual ~Executor() = default;

  virtual std::string allocate(uint64_t sizeBytes, const std::string &name,
                               uint64_t &address) = 0;
  virtual std::string write(uint64_t address, const void *source,
                            uint64_t sizeBytes) = 0;
  virtual std::string read(uint64_t address, void *target,
                           uint64_t sizeBytes) = 0;
  virtual std::string fill(uint64_t address, uint8_t value,
                           uint64_t sizeBytes) = 0;
  /// `l2Promotion` is numbered as in the driver.
  virtual std::string encodeTensorMap(const emu::TensorMapArguments &arguments,
                                      int l2Promotion, TensorMapBytes &map) = 0;

  /// Runs the kernel of `options.config` to its end and prints what there is to
  /// tell. False after any error or report; `completed` says whether buffers
  /// hold results.
  virtual bool run(const emu::KernelInfo &kernel, const RunOptions &options,
                   bool &completed) = 0;
  /// What is done once the results are safe: times, statistics. False after an
  /// error.
  virtual bool finish(const emu::KernelInfo &kernel,
                      const RunOptions &options) = 0;
  /// A JSON array with what was counted, an object for each launch.
  virtual std::string getStatisticsJson() const { return "[]"; }
};

std::unique_ptr<Executor> makeEmulatorExecutor(emu::Module &module);
/// Compiles `ptx`; null, with a message in `error`, if the driver refuses it.
std::unique_ptr<Executor> makeCudaExecutor(std::unique_ptr<cuda::Device> device,
                                           std::string_view ptx,
                                           std::string &error);

} // namespace tilec

#endif // TILE_TOOLS_PTXRUN_EXECUTOR_H
