//===- Compile.h - From a module to a compiled program, in C ------*- C -*-===//
//
//   MlirModule module = tileParse(context, text, name, handler, userData);
//   TileCompileOptions *options = tileCompileOptionsCreate();
//   tileCompileOptionsSetChip(options, mlirStringRefCreateFromCString("sm_80"));
//   TileProgram *program = tileCompile(module, options, handler, userData);
//   tileProgramGetPtx(program);
//
// Ownership: what a `..Create`, `..Attach` or tileCompile returns is the caller's until
// its `..Destroy` or `..Detach`. An MlirStringRef that is returned belongs to the object
// it was asked of and lives as long; arguments are copied. A program belongs to the
// context of its module, which outlives it. Indices count from 0 and are below the number
// that the object states. No function throws.
//
// Diagnostics go to the handler that a call is given, else to those of the context
// (mlirContextAttachDiagnosticHandler), else to standard error.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_C_COMPILE_H
#define TILE_C_COMPILE_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Passes and pipelines
//===----------------------------------------------------------------------===//

/// Registers the passes and pipelines (`tile-compile`, `tile-logical-phase`, ..,
/// docs/Pipeline.md), once for a process. Then
///
///   mlirOpPassManagerAddPipeline(pm, "tile-compile{chip=sm_80}", ..)
///
/// adds them to a pass manager of MLIR's C API (mlir-c/Pass.h).
MLIR_CAPI_EXPORTED void tileRegisterPasses(void);

//===----------------------------------------------------------------------===//
// Diagnostics as text
//===----------------------------------------------------------------------===//

typedef struct TileDiagnosticPrinter TileDiagnosticPrinter;

/// Prints the diagnostics of `context` as the command line does: file, line and column,
/// the line of the source and a caret. `source` is the text of what is called
/// `sourceName`; other files are read. It sees what handlers attached later do not take
/// (return failure of). `print` may be called several times for one diagnostic. While it
/// is attached MLIR adds no operations as notes. Ends with `..Detach`, on which the
/// context must still be there.
MLIR_CAPI_EXPORTED TileDiagnosticPrinter *
tileDiagnosticPrinterAttach(MlirContext context, MlirStringRef source,
                            MlirStringRef sourceName, MlirStringCallback print,
                            void *userData);
MLIR_CAPI_EXPORTED void
tileDiagnosticPrinterDetach(TileDiagnosticPrinter *printer);

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

typedef struct TileCompileOptions TileCompileOptions;

typedef enum TileReuse {
  TileReuseAlways, ///< wherever it saves bytes
  TileReuseCold,   ///< where it saves blocks on a multiprocessor
  TileReuseNever,
} TileReuse;

/// The defaults of `tile-opt --emit`, but for the chip, which is the module's.
MLIR_CAPI_EXPORTED TileCompileOptions *tileCompileOptionsCreate(void);
MLIR_CAPI_EXPORTED void tileCompileOptionsDestroy(TileCompileOptions *options);
/// "sm_90a"; empty: the module's `tile.target`.
MLIR_CAPI_EXPORTED void tileCompileOptionsSetChip(TileCompileOptions *options,
                                                  MlirStringRef chip);
/// LLVM's level, 0 to 3 (3).
MLIR_CAPI_EXPORTED void
tileCompileOptionsSetOptLevel(TileCompileOptions *options, int level);
/// Whether the PTX points to lines of the source (true).
MLIR_CAPI_EXPORTED void
tileCompileOptionsSetLineInfo(TileCompileOptions *options, bool value);
/// Whether the code checks what launches assume (false).
MLIR_CAPI_EXPORTED void
tileCompileOptionsSetCheckAssumptions(TileCompileOptions *options, bool value);
/// Whether a launch that is slow for sizes without known divisors is two (true).
MLIR_CAPI_EXPORTED void
tileCompileOptionsSetVersions(TileCompileOptions *options, bool value);
/// How many bytes an asynchronous copy brings to L2: 64, 128 or 256; 0: its own.
MLIR_CAPI_EXPORTED void
tileCompileOptionsSetPrefetchBytes(TileCompileOptions *options, int64_t bytes);
/// Where buffers share bytes of shared memory (cold).
MLIR_CAPI_EXPORTED void tileCompileOptionsSetReuse(TileCompileOptions *options,
                                                   TileReuse reuse);
/// Whether ptxas makes a cubin (false); then reports have registers.
MLIR_CAPI_EXPORTED void
tileCompileOptionsSetMakesCubin(TileCompileOptions *options, bool value);
/// Whether layouts are drawn (false), for tileProgramPrintLayouts.
MLIR_CAPI_EXPORTED void
tileCompileOptionsSetDrawsLayouts(TileCompileOptions *options, bool value);
/// The path of libdevice.10.bc; empty: found in a CUDA toolkit.
MLIR_CAPI_EXPORTED void
tileCompileOptionsSetLibdevice(TileCompileOptions *options, MlirStringRef path);
/// A folder in which a CUDA toolkit is looked for, behind those added before and in front
/// of the standard places.
MLIR_CAPI_EXPORTED void
tileCompileOptionsAddToolkit(TileCompileOptions *options, MlirStringRef folder);
/// There is no CUDA toolkit, whatever is installed.
MLIR_CAPI_EXPORTED void
tileCompileOptionsDenyToolkits(TileCompileOptions *options);

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// Parses text that locations call `sourceName`, with or without a module around it. The
/// module is the caller's; null after at least one diagnostic. `handler` may be null.
MLIR_CAPI_EXPORTED MlirModule tileParse(MlirContext context,
                                        MlirStringRef source,
                                        MlirStringRef sourceName,
                                        MlirDiagnosticHandler handler,
                                        void *userData);

typedef struct TileProgram TileProgram;

/// Compiles a copy of `module`, from whatever stage its launches are at. Null after at
/// least one diagnostic. `handler` may be null.
MLIR_CAPI_EXPORTED TileProgram *tileCompile(MlirModule module,
                                            const TileCompileOptions *options,
                                            MlirDiagnosticHandler handler,
                                            void *userData);
MLIR_CAPI_EXPORTED void tileProgramDestroy(TileProgram *program);

typedef enum TileText {
  TileTextLlvm, ///< optimised LLVM IR of the kernels
  TileTextNvvm, ///< the module with threaded kernels
} TileText;

/// Compiles a copy of `module` as far as the text asks for, and gives it to `print`.
MLIR_CAPI_EXPORTED MlirLogicalResult
tileEmit(MlirModule module, const TileCompileOptions *options, TileText text,
         MlirStringCallback print, void *printData,
         MlirDiagnosticHandler handler, void *userData);

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

MLIR_CAPI_EXPORTED MlirStringRef tileProgramGetChip(const TileProgram *program);
/// One PTX module with all kernels.
MLIR_CAPI_EXPORTED MlirStringRef tileProgramGetPtx(const TileProgram *program);
/// The bytes of an ELF file; empty unless it was asked for.
MLIR_CAPI_EXPORTED MlirStringRef
tileProgramGetCubin(const TileProgram *program);
MLIR_CAPI_EXPORTED intptr_t
tileProgramGetNumKernels(const TileProgram *program);
MLIR_CAPI_EXPORTED MlirStringRef
tileProgramGetKernelName(const TileProgram *program, intptr_t kernel);
/// A PTX module with one kernel.
MLIR_CAPI_EXPORTED void tileProgramPrintKernelPtx(const TileProgram *program,
                                                  intptr_t kernel,
                                                  MlirStringCallback print,
                                                  void *userData);

typedef enum TileFormat {
  TileFormatText,
  TileFormatJson, ///< of reports
  TileFormatSvg,  ///< of pictures
} TileFormat;

/// What was decided of a kernel: as `--emit=report` has it, as tables or as the JSON
/// object `{"kernels": [..]}`; a kernel of -1 is all. Failure for SVG.
MLIR_CAPI_EXPORTED MlirLogicalResult tileProgramPrintReport(
    const TileProgram *program, intptr_t kernel, TileFormat format,
    MlirStringCallback print, void *userData);
/// What lies where, of each fragment and buffer, as text or SVG. Failure for JSON, and
/// where the options did not ask for it.
MLIR_CAPI_EXPORTED MlirLogicalResult tileProgramPrintLayouts(
    const TileProgram *program, intptr_t kernel, TileFormat format,
    MlirStringCallback print, void *userData);
/// Shared memory by lifetime, as SVG.
MLIR_CAPI_EXPORTED void tileProgramPrintArena(const TileProgram *program,
                                              intptr_t kernel,
                                              MlirStringCallback print,
                                              void *userData);
/// `{"chip": .., "kernels": [..], "launches": [..]}` (docs/Embedding.md).
MLIR_CAPI_EXPORTED void tileProgramPrintJson(const TileProgram *program,
                                             MlirStringCallback print,
                                             void *userData);
/// The program as it was given, and as host functions that start the kernels of a
/// `gpu.binary`. Both stay the program's.
MLIR_CAPI_EXPORTED MlirModule tileProgramGetSource(const TileProgram *program);
MLIR_CAPI_EXPORTED MlirModule tileProgramGetHost(const TileProgram *program);

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// One start of a kernel by a host function. Belongs to its program.
typedef struct TileLaunch TileLaunch;
/// An integer that host code computes of its arguments. Belongs to its program.
typedef struct TileExpression TileExpression;

MLIR_CAPI_EXPORTED intptr_t
tileProgramGetNumLaunches(const TileProgram *program);
MLIR_CAPI_EXPORTED const TileLaunch *
tileProgramGetLaunch(const TileProgram *program, intptr_t launch);
MLIR_CAPI_EXPORTED MlirStringRef
tileLaunchGetFunction(const TileLaunch *launch);
MLIR_CAPI_EXPORTED MlirStringRef tileLaunchGetKernel(const TileLaunch *launch);
/// Blocks along x, y, z (0, 1, 2).
MLIR_CAPI_EXPORTED const TileExpression *
tileLaunchGetGrid(const TileLaunch *launch, intptr_t dim);
MLIR_CAPI_EXPORTED int64_t tileLaunchGetBlockThreads(const TileLaunch *launch);
MLIR_CAPI_EXPORTED const TileExpression *
tileLaunchGetSharedBytes(const TileLaunch *launch);
/// All of these are true where it is started.
MLIR_CAPI_EXPORTED intptr_t
tileLaunchGetNumConditions(const TileLaunch *launch);
MLIR_CAPI_EXPORTED const TileExpression *
tileLaunchGetCondition(const TileLaunch *launch, intptr_t condition);
/// Whether it stands in a loop, which starts it any number of times.
MLIR_CAPI_EXPORTED bool tileLaunchIsRepeated(const TileLaunch *launch);
/// Values that the kernel is given, in the order of the report's parameters.
MLIR_CAPI_EXPORTED intptr_t tileLaunchGetNumOperands(const TileLaunch *launch);
/// The argument of the function that an operand is, or -1.
MLIR_CAPI_EXPORTED int64_t
tileLaunchGetOperandArgument(const TileLaunch *launch, intptr_t operand);
/// Of a scalar; null of a memref and a tensor map.
MLIR_CAPI_EXPORTED const TileExpression *
tileLaunchGetOperandValue(const TileLaunch *launch, intptr_t operand);
MLIR_CAPI_EXPORTED bool tileLaunchIsOperandTensorMap(const TileLaunch *launch,
                                                     intptr_t operand);

/// The value of an argument: of a scalar, where `dim` is -1, or the size of a dimension
/// of a memref.
typedef int64_t (*TileArgumentCallback)(int64_t argument, int64_t dim,
                                        void *userData);

/// False where something in it is not known before the program runs, or has no result,
/// as a division by zero.
MLIR_CAPI_EXPORTED bool tileExpressionEvaluate(const TileExpression *expression,
                                               TileArgumentCallback argument,
                                               void *userData, int64_t *result);
/// "ceildivsi(arg0.size[1], 128)".
MLIR_CAPI_EXPORTED void tileExpressionPrint(const TileExpression *expression,
                                            MlirStringCallback print,
                                            void *userData);

#ifdef __cplusplus
}
#endif

#endif // TILE_C_COMPILE_H
