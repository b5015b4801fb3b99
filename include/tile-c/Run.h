//===- Run.h - A compiled program on arrays in memory, in C -------*- C -*-===//
//
//   TileArguments *arguments = tileArgumentsCreate();
//   tileArgumentsAddNumber(arguments, 0.5);
//   tileArgumentsAddArray(arguments, x, 32, 1, sizes, NULL, true);
//   tileArgumentsAddArray(arguments, y, 32, 1, sizes, NULL, false);
//   TileExecution *execution =
//       tileProgramRun(program, entry, arguments, NULL, handler, userData);
//
// Ownership as in Compile.h. Arrays stay the caller's: they are read and written while
// the program runs, and where it fails are what they were.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_C_RUN_H
#define TILE_C_RUN_H

#include "tile-c/Compile.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The arguments of a host function, in its order.
typedef struct TileArguments TileArguments;

MLIR_CAPI_EXPORTED TileArguments *tileArgumentsCreate(void);
MLIR_CAPI_EXPORTED void tileArgumentsDestroy(TileArguments *arguments);
/// A number of an i1, an integer or an index.
MLIR_CAPI_EXPORTED void tileArgumentsAddInteger(TileArguments *arguments,
                                                int64_t value);
/// A number of a float, which its type rounds.
MLIR_CAPI_EXPORTED void tileArgumentsAddNumber(TileArguments *arguments,
                                               double value);
/// Elements as they lie in memory, of 4 (two a byte), 8, 16, 32 or 64 bits. `strides`
/// count elements; null: row-major. That the program writes a constant one is an error.
MLIR_CAPI_EXPORTED void
tileArgumentsAddArray(TileArguments *arguments, void *data, int64_t elementBits,
                      intptr_t rank, const int64_t *sizes,
                      const int64_t *strides, bool isConstant);

/// The same of an array in the GPU's memory, for TileBackendGpu alone: kernels have it in
/// place, and nothing is copied.
MLIR_CAPI_EXPORTED void
tileArgumentsAddGpuArray(TileArguments *arguments, uint64_t address,
                         int64_t elementBits, intptr_t rank,
                         const int64_t *sizes, const int64_t *strides);

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

typedef enum TileBackend {
  TileBackendEmulator,  ///< the PTX, on the CPU, with all checkers
  TileBackendReference, ///< the program as it was written
  TileBackendGpu,       ///< the PTX, on the first GPU, through CUDA's driver
} TileBackend;

typedef struct TileExecutionOptions TileExecutionOptions;

/// The emulator, in ascending order.
MLIR_CAPI_EXPORTED TileExecutionOptions *tileExecutionOptionsCreate(void);
MLIR_CAPI_EXPORTED void
tileExecutionOptionsDestroy(TileExecutionOptions *options);
MLIR_CAPI_EXPORTED void
tileExecutionOptionsSetBackend(TileExecutionOptions *options,
                               TileBackend backend);
/// Orders blocks and warps of the emulator, and blocks of the reference.
MLIR_CAPI_EXPORTED void
tileExecutionOptionsSetSeed(TileExecutionOptions *options, uint64_t seed);
/// Instructions of a warp, or steps of the reference, after which a program is called
/// endless; 0: never.
MLIR_CAPI_EXPORTED void
tileExecutionOptionsSetLimit(TileExecutionOptions *options, uint64_t limit);
/// What `tile.sm_count` is; 0: the GPU's or the chip's.
MLIR_CAPI_EXPORTED void
tileExecutionOptionsSetMultiprocessors(TileExecutionOptions *options,
                                       int64_t count);
/// Whether the emulator counts what kernels execute.
MLIR_CAPI_EXPORTED void
tileExecutionOptionsSetCollectsStatistics(TileExecutionOptions *options,
                                          bool value);
/// How often launches are run again and timed, behind so many that do not count.
MLIR_CAPI_EXPORTED void
tileExecutionOptionsSetTiming(TileExecutionOptions *options, unsigned count,
                              unsigned warmUpCount);
/// Where the program prints; by default nowhere.
MLIR_CAPI_EXPORTED void
tileExecutionOptionsSetOutput(TileExecutionOptions *options,
                              MlirStringCallback print, void *userData);

/// Ends a run that has these options soon, from another thread or a signal handler: it
/// fails, with a diagnostic. So does any later run with them. A kernel on a GPU comes to
/// its end.
MLIR_CAPI_EXPORTED void
tileExecutionOptionsInterrupt(TileExecutionOptions *options);

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

typedef struct TileExecution TileExecution;

/// Runs the host function `entry` to its end. Null after at least one diagnostic: at the
/// function for arguments that do not fit, at operations for what they do wrong.
/// `options` and `handler` may be null.
MLIR_CAPI_EXPORTED TileExecution *
tileProgramRun(const TileProgram *program, MlirStringRef entry,
               const TileArguments *arguments,
               const TileExecutionOptions *options,
               MlirDiagnosticHandler handler, void *userData);
MLIR_CAPI_EXPORTED void tileExecutionDestroy(TileExecution *execution);
/// A JSON array, an object for each launch (docs/Running.md); empty unless asked for.
MLIR_CAPI_EXPORTED MlirStringRef
tileExecutionGetStatisticsJson(const TileExecution *execution);
/// Launches that were timed.
MLIR_CAPI_EXPORTED intptr_t
tileExecutionGetNumTimes(const TileExecution *execution);
MLIR_CAPI_EXPORTED MlirStringRef
tileExecutionGetTimedKernel(const TileExecution *execution, intptr_t launch);
/// The median in seconds: on a GPU of the device's clock, else of the host's.
MLIR_CAPI_EXPORTED double
tileExecutionGetMedianSeconds(const TileExecution *execution, intptr_t launch);

#ifdef __cplusplus
}
#endif

#endif // TILE_C_RUN_H
