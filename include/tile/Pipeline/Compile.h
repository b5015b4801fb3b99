//===- Compile.h - From a module to a compiled program ----------*- C++ -*-===//
//
// The compiler in one call, for embedders:
//
//   tile::CompileOptions options;
//   options.chip = "sm_90a";
//   FailureOr<tile::CompiledProgram> program = tile::compile(module, options);
//
// The module stays as it is. What is wrong with it is emitted as diagnostics.
// `run` (tile/Program/Run.h) executes what comes out.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_PIPELINE_COMPILE_H
#define TILE_PIPELINE_COMPILE_H

#include "tile/Pipeline/LaunchData.h"
#include "tile/Report/Report.h"
#include "tile/Target/PTX/Ptxas.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <string>
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace mlir::tile {

/// What a user of the compiler chooses; `tile-opt --emit` has an option for each.
struct CompileOptions {
  std::string chip; ///< empty: the module's `tile.target`
  int optLevel = 3; ///< LLVM's, 0 to 3
  bool lineInfo = true;
  /// Whether the code checks what launches assume.
  bool checkAssumptions = false;
  /// Whether a launch that is slow for sizes without known divisors is two.
  bool versions = true;
  /// How many bytes an asynchronous copy brings to L2: 64, 128 or 256; 0: its own.
  int64_t prefetchBytes = 0;
  /// Where buffers share bytes of shared memory.
  ReusePolicy reuse = ReusePolicy::Cold;
  /// Whether ptxas makes a cubin, which it must be there for; with one, reports
  /// have registers and occupancy by them.
  bool makesCubin = false;
  /// Whether reports have pictures of layouts, for `printLayoutsText` and
  /// `printLayoutsSvg`.
  bool drawsLayouts = false;
  std::string libdevice; ///< empty: found in a CUDA toolkit
  /// Where libdevice and ptxas are looked for.
  ToolkitSearch toolkits;
  /// Called on the pass manager before it runs, for timing and IR printing.
  std::function<LogicalResult(PassManager &)> configure;
};

/// Belongs to the context of the module that it was compiled from.
struct CompiledProgram {
  std::string chip;
  /// One PTX module with all kernels.
  std::string ptx;
  std::string cubin; ///< the ELF file's bytes; empty unless it was asked for
  /// What was decided for each kernel, and what its launcher has to know of it:
  /// parameters, block, cluster, shared memory, tensor maps (docs/KernelABI.md).
  std::vector<KernelReport> kernels;
  /// What host functions start, in their order.
  std::vector<LaunchData> launches;
  /// The program as it was given.
  OwningOpRef<ModuleOp> source;
  /// Host functions, which start the kernels of a `gpu.binary`, and whatever of the
  /// module the compiler does not know.
  OwningOpRef<ModuleOp> host;

  /// The report of a kernel; null where there is none of that name.
  const KernelReport *findKernel(StringRef name) const;
  /// A PTX module with one kernel; empty where there is none of that name.
  std::string getKernelPtx(StringRef name) const;
  /// `{"chip": .., "kernels": [..], "launches": [..]}`, as docs/Embedding.md has it.
  std::string toJson() const;
};

/// Compiles a copy of `module`, from whatever stage its launches are at. Fails where
/// it holds no launch and no kernel, or where ptxas is asked for and is not there. Where
/// the context has a receiver of optimisation remarks, they go there and are not in the
/// reports.
FailureOr<CompiledProgram> compile(ModuleOp module,
                                   const CompileOptions &options = {});

} // namespace mlir::tile

#endif // TILE_PIPELINE_COMPILE_H
