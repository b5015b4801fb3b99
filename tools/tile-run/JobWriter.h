//===- JobWriter.h - Launches to be played elsewhere ------------*- C++ -*-===//
//
// Keeps each launch of a program as a job for ptx-run, which needs neither MLIR
// nor the compiler: a folder launch-N with the PTX, the buffers before the
// launch, what they hold after it, and the options of ptx-run, one a line. A
// machine with a GPU plays jobs that were made on one without.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TILERUN_JOBWRITER_H
#define TILE_TOOLS_TILERUN_JOBWRITER_H

#include "tile/Reference/Interpreter.h"
#include "tile/Runtime/Comparison.h"

#include <functional>
#include <string>

namespace mlir::tile {

class JobWriter {
public:
  /// `getTolerance` says how closely a buffer's contents are compared.
  JobWriter(std::string directory, ModuleOp module, int narrowestPrecision,
            std::function<Tolerance(const reference::Buffer &)> getTolerance)
      : directory(std::move(directory)), module(module),
        narrowestPrecision(narrowestPrecision),
        getTolerance(std::move(getTolerance)) {}

  /// Before a launch: PTX, arguments, buffers.
  LogicalResult begin(const reference::LaunchRequest &request);
  /// After it: what is expected, and the options. A job without options is none
  /// and is passed over.
  LogicalResult end(const reference::LaunchRequest &request);

private:
  /// A buffer and the first parameter that points to it.
  struct Use {
    reference::MemRef memref;
    unsigned parameter;
    std::vector<uint8_t> bytes; ///< before the launch
    bool hasFile;               ///< whether they are kept
  };

  LogicalResult addArgument(gpu::LaunchFuncOp op, Type type,
                            const reference::RuntimeValue &argument);
  LogicalResult addBuffer(gpu::LaunchFuncOp op,
                          const reference::MemRef &memref);
  LogicalResult expect(gpu::LaunchFuncOp op, const Use &use);
  LogicalResult writeArray(gpu::LaunchFuncOp op, const std::string &name,
                           const reference::MemRef &memref,
                           const std::vector<uint8_t> &bytes);
  std::string getPath(const std::string &name) const {
    return job + "/" + name;
  }

  std::string directory;
  ModuleOp module;
  int narrowestPrecision;
  std::function<Tolerance(const reference::Buffer &)> getTolerance;

  // Of the current job.
  unsigned jobCount = 0, parameterCount = 0;
  std::string job;
  std::vector<std::string> lines;
  std::vector<Use> uses;
};

} // namespace mlir::tile

#endif // TILE_TOOLS_TILERUN_JOBWRITER_H
