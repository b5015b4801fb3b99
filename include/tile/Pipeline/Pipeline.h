//===- Pipeline.h - From a tile program to PTX, phase by phase --*- C++ -*-===//
//
// The compiler is five phases, each a function that adds its passes and each a
// registered pipeline of its own:
//
//     tile-logical-phase    source       -> logical
//     tile-layout-phase     logical      -> materialized
//     tile-schedule-phase   materialized -> synchronized
//     tile-kernel-phase     synchronized -> threaded, in llvm and nvvm
//     tile-code-phase       threaded     -> PTX
//
// `tile-compile` is their sum. A file that holds launches at a later stage is
// finished by the remaining phases.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_PIPELINE_PIPELINE_H
#define TILE_PIPELINE_PIPELINE_H

#include "tile/Dialect/Tile/TileDialect.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::tile {

/// What a user of the compiler chooses. Everything else is decided by passes.
struct TileCompileOptions : PassPipelineOptions<TileCompileOptions> {
  Option<std::string> chip{
      *this, "chip", llvm::cl::init(""),
      llvm::cl::desc(
          "The chip to compile for, such as sm_80 or sm_90a; without "
          "it the module's tile.target")};
  Option<int> optLevel{*this, "opt-level", llvm::cl::init(3),
                       llvm::cl::desc("How hard LLVM optimises, 0 to 3")};
  Option<std::string> libdevice{
      *this, "libdevice", llvm::cl::init(""),
      llvm::cl::desc("The path of libdevice.10.bc; without it the CUDA "
                     "toolkit's in the standard places")};
  Option<bool> searchToolkits{
      *this, "search-toolkits", llvm::cl::init(true),
      llvm::cl::desc("Look for libdevice.10.bc where its path is empty")};
  Option<bool> lineInfo{
      *this, "line-info", llvm::cl::init(true),
      llvm::cl::desc("Whether the PTX points to lines of the source")};
  Option<bool> bulkCopies{
      *this, "bulk-copies", llvm::cl::init(true),
      llvm::cl::desc("Whether copies are made by bulk tensor copies where the "
                     "chip has them")};
  Option<bool> versions{
      *this, "versions", llvm::cl::init(true),
      llvm::cl::desc("Whether a launch whose accesses are narrow for want of "
                     "divisors becomes two, one for sizes that have them")};
  Option<bool> checkAssumptions{
      *this, "check-assumptions", llvm::cl::init(false),
      llvm::cl::desc("Whether the code checks what tile.assume and "
                     "tile.assume_divisible state in launches")};
  Option<int64_t> prefetchBytes{
      *this, "prefetch-bytes", llvm::cl::init(0),
      llvm::cl::desc(
          "How many bytes an asynchronous copy brings to L2: 64, 128, "
          "256, or its own alone")};
  Option<bool> rotateLoops{
      *this, "rotate-loops", llvm::cl::init(true),
      llvm::cl::desc("Whether loops load the first operands of an iteration at "
                     "the end of the last")};
  Option<ReusePolicy> reuse{
      *this, "reuse", llvm::cl::init(ReusePolicy::Cold),
      llvm::cl::desc("Where buffers share bytes of shared memory"),
      llvm::cl::values(clEnumValN(ReusePolicy::Always, "always",
                                  "wherever that saves bytes"),
                       clEnumValN(ReusePolicy::Cold, "cold",
                                  "where it saves blocks on a multiprocessor"),
                       clEnumValN(ReusePolicy::Never, "never", "nowhere"))};
};

// Every phase leaves out the passes whose stage is `reached` already, so that a
// file can be resumed in the middle.

/// Calls inlined, target set, grid expanded.
void buildLogicalPhase(OpPassManager &pm, const TileCompileOptions &options,
                       Stage reached = Stage::Source);
/// Launches in versions, layouts chosen, exchanges between threads through named buffers.
void buildLayoutPhase(OpPassManager &pm, const TileCompileOptions &options,
                      Stage reached = Stage::Source);
/// Loops scheduled, buffers placed, accesses ordered.
void buildSchedulePhase(OpPassManager &pm, const TileCompileOptions &options,
                        Stage reached = Stage::Source);
/// Launches outlined and lowered to threads.
void buildKernelPhase(OpPassManager &pm, const TileCompileOptions &options,
                      Stage reached = Stage::Source);
/// Threads in the llvm and nvvm dialects alone.
void buildThreadPhase(OpPassManager &pm, const TileCompileOptions &options);
/// Kernels to PTX.
void buildCodePhase(OpPassManager &pm, const TileCompileOptions &options);

/// All phases in order. `pm` works on `builtin.module`.
void buildTileCompilePipeline(OpPassManager &pm,
                              const TileCompileOptions &options,
                              Stage reached = Stage::Source);

/// The earliest stage among a module's launches and kernels: what a pipeline
/// that resumes it has reached.
Stage getReachedStage(ModuleOp module);

/// Registers the phases and `tile-compile`, and the passes they are made of.
void registerTilePipelines();

} // namespace mlir::tile

#endif // TILE_PIPELINE_PIPELINE_H
