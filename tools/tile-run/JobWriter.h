//===- JobWriter.h - Launches to be played elsewhere ------------*- C++ -*-===//
//
// Keeps each launch of a program as a job for ptx-run, which needs neither MLIR
// nor the compiler: a folder launch-N with the PTX, the buffers before the
// launch, what they hold after it with the bounds of the elements, and the
// options of ptx-run, one a line. A machine with a GPU plays jobs that were made
// on one without.
//
// What is expected, and how closely, comes from the reference, which runs the
// kernel of each launch on the same buffers: their contents are given, so the
// bounds are those of that launch alone. Where the reference cannot run it (the
// program was compiled further than the outlined stage) the emulator's result is
// expected bit by bit.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TILERUN_JOBWRITER_H
#define TILE_TOOLS_TILERUN_JOBWRITER_H

#include "tile/Reference/Interpreter.h"
#include "tile/Runtime/Comparison.h"
#include "tile/Runtime/KernelParameters.h"
#include "tile/Runtime/Npy.h"

#include <functional>
#include <string>

namespace mlir::tile {

class JobWriter {
public:
  using RuleOf =
      std::function<tilec::ComparisonRule(const reference::Buffer &)>;

  /// `outlined` holds the kernels as the reference can run them, or is null;
  /// `getRule` says how a buffer's contents are compared.
  JobWriter(std::string directory, ModuleOp module, ModuleOp outlined,
            RuleOf getRule)
      : directory(std::move(directory)), module(module), outlined(outlined),
        getRule(std::move(getRule)) {}

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
    /// All of the buffer as the reference sees it; the emulator's own without
    /// a reference.
    reference::MemRef expected;
  };

  LogicalResult addArgument(gpu::LaunchFuncOp op, Value operand,
                            const reference::RuntimeValue &argument,
                            const reference::RuntimeValue &inReference);
  LogicalResult addTensorMap(gpu::LaunchFuncOp op,
                             const KernelParameter &parameter);
  LogicalResult addBuffer(gpu::LaunchFuncOp op, const reference::MemRef &memref,
                          const reference::MemRef &expected);
  LogicalResult runReference(const reference::LaunchRequest &request);
  LogicalResult expect(gpu::LaunchFuncOp op, const Use &use);
  LogicalResult writeMask(gpu::LaunchFuncOp op, const Use &use,
                          std::string &line);
  LogicalResult writeBounds(gpu::LaunchFuncOp op, const Use &use,
                            std::string &line);
  LogicalResult writeFile(gpu::LaunchFuncOp op, const std::string &name,
                          const tilec::NpyArray &file);
  LogicalResult writeArray(gpu::LaunchFuncOp op, const std::string &name,
                           const reference::MemRef &memref,
                           const std::vector<uint8_t> &bytes);
  std::string getPath(const std::string &name) const {
    return job + "/" + name;
  }

  std::string directory;
  ModuleOp module, outlined;
  RuleOf getRule;

  // Of the current job.
  unsigned jobCount = 0, parameterCount = 0;
  std::string job;
  std::vector<std::string> lines;
  std::vector<Use> uses;
  /// The launch's arguments in buffers of the reference.
  llvm::SmallVector<reference::RuntimeValue> referenceArguments;
};

} // namespace mlir::tile

#endif // TILE_TOOLS_TILERUN_JOBWRITER_H
