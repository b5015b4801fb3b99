//===- Emulator.h - The PTX emulator in C -------------------------*- C -*-===//
//
// Any PTX text on the CPU, with every checker (docs/Emulator.md). Needs neither MLIR nor
// CUDA: the library is Tile::TileEmulatorCAPI, and all of this is in libTileC, too.
//
//   TileEmulatorModule *module =
//       tileEmulatorModuleParse(tileString(text), tileString("k.ptx"), report, NULL);
//   TileEmulatorMemory *memory = tileEmulatorMemoryCreate();
//   uint64_t x = tileEmulatorMemoryMap(memory, data, bytes, tileString("x"), 256);
//   TileEmulatorLaunch *launch = tileEmulatorLaunchCreate(module, tileString("k"));
//   tileEmulatorLaunchSetBlock(launch, 128, 1, 1);
//   tileEmulatorLaunchAddArgument(launch, &x, sizeof x);
//   TileEmulatorResult *result = tileEmulatorLaunchRun(launch, memory);
//
// Ownership: what a function named `..Create`, `..Parse` or `..Run` returns is the
// caller's until the `..Destroy` of its kind; a module outlives its launches, and a
// result needs neither. A TileString that is returned belongs to the object it was asked
// of and lives as long; arguments are copied. One object is for one thread at a time.
// Indices count from 0 and are below the number that the object states.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_C_EMULATOR_H
#define TILE_C_EMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TILE_CAPI_EXPORTED __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/// Text that the struct does not own, without a zero at its end.
typedef struct TileString {
  const char *data;
  size_t length;
} TileString;

/// A string of C as one.
static inline TileString tileString(const char *text) {
  TileString result;
  result.data = text;
  result.length = strlen(text);
  return result;
}

/// Text, whole in one call; it lives as long as the call.
typedef void (*TileStringCallback)(TileString text, void *userData);

typedef struct TileEmulatorModule TileEmulatorModule;
typedef struct TileEmulatorMemory TileEmulatorMemory;
typedef struct TileEmulatorLaunch TileEmulatorLaunch;
typedef struct TileEmulatorResult TileEmulatorResult;
/// What a checker found. Belongs to its result.
typedef struct TileEmulatorFinding TileEmulatorFinding;

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Something wrong with PTX text. Lines and columns count from 1; 0 is unknown.
typedef void (*TileEmulatorErrorCallback)(uint32_t line, uint32_t column,
                                          TileString message, void *userData);

/// Parses PTX text, which reports call `name`. Null after at least one call of `error`,
/// which may be null.
TILE_CAPI_EXPORTED TileEmulatorModule *
tileEmulatorModuleParse(TileString ptx, TileString name,
                        TileEmulatorErrorCallback error, void *userData);
TILE_CAPI_EXPORTED void tileEmulatorModuleDestroy(TileEmulatorModule *module);

/// Of the `.target` directive: "sm_90a".
TILE_CAPI_EXPORTED TileString
tileEmulatorModuleGetTarget(const TileEmulatorModule *module);
TILE_CAPI_EXPORTED size_t
tileEmulatorModuleGetNumKernels(const TileEmulatorModule *module);
TILE_CAPI_EXPORTED TileString tileEmulatorModuleGetKernelName(
    const TileEmulatorModule *module, size_t kernel);
TILE_CAPI_EXPORTED uint32_t tileEmulatorModuleGetStaticSharedBytes(
    const TileEmulatorModule *module, size_t kernel);
/// Whether the kernel states the size of its block (`.reqntid`); then it is in `block`.
TILE_CAPI_EXPORTED bool
tileEmulatorModuleGetRequiredBlock(const TileEmulatorModule *module,
                                   size_t kernel, uint32_t block[3]);
TILE_CAPI_EXPORTED size_t tileEmulatorModuleGetNumParameters(
    const TileEmulatorModule *module, size_t kernel);
TILE_CAPI_EXPORTED TileString tileEmulatorModuleGetParameterName(
    const TileEmulatorModule *module, size_t kernel, size_t parameter);
/// As in PTX without the dot: "u64", "f32", "b8".
TILE_CAPI_EXPORTED TileString tileEmulatorModuleGetParameterType(
    const TileEmulatorModule *module, size_t kernel, size_t parameter);
/// All elements of an array such as `.b8 x[128]`.
TILE_CAPI_EXPORTED uint32_t tileEmulatorModuleGetParameterBytes(
    const TileEmulatorModule *module, size_t kernel, size_t parameter);
/// Decodes every instruction of a kernel and of what it calls, so that one that the
/// emulator does not know is found before a launch, which does the same.
TILE_CAPI_EXPORTED bool
tileEmulatorModulePrepare(TileEmulatorModule *module, TileString kernel,
                          TileEmulatorErrorCallback error, void *userData);

/// Bytes of a variable of the module (`.global`, `.const`), which keeps its contents
/// between launches; 0 where there is none of that name.
TILE_CAPI_EXPORTED uint64_t tileEmulatorModuleGetVariableBytes(
    const TileEmulatorModule *module, TileString name);
/// Copies the first bytes of a variable out, or into it; false where it has fewer.
TILE_CAPI_EXPORTED bool
tileEmulatorModuleReadVariable(const TileEmulatorModule *module,
                               TileString name, void *target,
                               uint64_t sizeBytes);
TILE_CAPI_EXPORTED bool
tileEmulatorModuleWriteVariable(TileEmulatorModule *module, TileString name,
                                const void *source, uint64_t sizeBytes);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Device memory: buffers at addresses of its own, which every launch with it sees.
TILE_CAPI_EXPORTED TileEmulatorMemory *tileEmulatorMemoryCreate(void);
TILE_CAPI_EXPORTED void tileEmulatorMemoryDestroy(TileEmulatorMemory *memory);

/// A buffer of bytes that count as not written; its address, a multiple of `alignBytes`
/// (a power of two), or 0 where memory does not suffice. Reports call it `name`.
TILE_CAPI_EXPORTED uint64_t
tileEmulatorMemoryAllocate(TileEmulatorMemory *memory, uint64_t sizeBytes,
                           TileString name, uint64_t alignBytes);
/// The caller's memory as a buffer, all of it written. It outlives the buffer.
TILE_CAPI_EXPORTED uint64_t tileEmulatorMemoryMap(TileEmulatorMemory *memory,
                                                  void *host,
                                                  uint64_t sizeBytes,
                                                  TileString name,
                                                  uint64_t alignBytes);
/// Ends the buffer that begins at `address`; false if there is none.
TILE_CAPI_EXPORTED bool tileEmulatorMemoryRelease(TileEmulatorMemory *memory,
                                                  uint64_t address);
/// Copy bytes of one buffer in and out; false, and nothing is copied, where they are not
/// inside of one.
TILE_CAPI_EXPORTED bool tileEmulatorMemoryWrite(TileEmulatorMemory *memory,
                                                uint64_t address,
                                                const void *source,
                                                uint64_t sizeBytes);
TILE_CAPI_EXPORTED bool tileEmulatorMemoryRead(const TileEmulatorMemory *memory,
                                               uint64_t address, void *target,
                                               uint64_t sizeBytes);
/// How many of these bytes nothing has written, or not wholly; all of them where they
/// are not inside of one buffer.
TILE_CAPI_EXPORTED uint64_t tileEmulatorMemoryCountUnwritten(
    const TileEmulatorMemory *memory, uint64_t address, uint64_t sizeBytes);

/// A tensor map as a kernel takes it by value, under the rules of the driver's encoder.
/// `type` is spelled as "f16", "bf16", "f32", "u8"; extents of `rank` 1 to 5 are given
/// innermost first, `stridesBytes` of dimensions 1 and on; `swizzleBytes` is 0, 32, 64 or
/// 128. False, after a call of `error` with the rule that is broken.
TILE_CAPI_EXPORTED bool tileEmulatorEncodeTensorMap(
    TileString type, int rank, uint64_t address, const uint64_t *sizes,
    const uint64_t *stridesBytes, const uint32_t *box, int swizzleBytes,
    uint8_t map[128], TileStringCallback error, void *userData);

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

typedef enum TileEmulatorDelivery {
  TileEmulatorDeliveryLate,   ///< at the wait that needs the copy
  TileEmulatorDeliveryEarly,  ///< at once
  TileEmulatorDeliveryRandom, ///< early or late, by seed
} TileEmulatorDelivery;

/// One block of one thread, until more is set; null where there is no such kernel.
TILE_CAPI_EXPORTED TileEmulatorLaunch *
tileEmulatorLaunchCreate(TileEmulatorModule *module, TileString kernel);
TILE_CAPI_EXPORTED void tileEmulatorLaunchDestroy(TileEmulatorLaunch *launch);

TILE_CAPI_EXPORTED void tileEmulatorLaunchSetGrid(TileEmulatorLaunch *launch,
                                                  uint32_t x, uint32_t y,
                                                  uint32_t z);
TILE_CAPI_EXPORTED void tileEmulatorLaunchSetBlock(TileEmulatorLaunch *launch,
                                                   uint32_t x, uint32_t y,
                                                   uint32_t z);
TILE_CAPI_EXPORTED void tileEmulatorLaunchSetCluster(TileEmulatorLaunch *launch,
                                                     uint32_t x, uint32_t y,
                                                     uint32_t z);
TILE_CAPI_EXPORTED void
tileEmulatorLaunchSetDynamicSharedBytes(TileEmulatorLaunch *launch,
                                        uint32_t sizeBytes);
/// The bytes of the next parameter; false where there is none left or its size differs.
TILE_CAPI_EXPORTED bool
tileEmulatorLaunchAddArgument(TileEmulatorLaunch *launch, const void *bytes,
                              size_t sizeBytes);

/// What is checked: "all", "none" or names separated by commas (races, bounds,
/// alignment, init, barriers, deadlock). False, after a call of `error`, for others.
TILE_CAPI_EXPORTED bool tileEmulatorLaunchSetChecks(TileEmulatorLaunch *launch,
                                                    TileString checks,
                                                    TileStringCallback error,
                                                    void *userData);
TILE_CAPI_EXPORTED void
tileEmulatorLaunchSetDelivery(TileEmulatorLaunch *launch,
                              TileEmulatorDelivery delivery);
/// Orders blocks and warps and chooses poison; 0: ascending.
TILE_CAPI_EXPORTED void tileEmulatorLaunchSetSeed(TileEmulatorLaunch *launch,
                                                  uint64_t seed);
/// OS threads over which blocks are spread; 0: one for each core.
TILE_CAPI_EXPORTED void
tileEmulatorLaunchSetThreadCount(TileEmulatorLaunch *launch, uint32_t count);
/// Distinct findings that are kept (32); later ones are only counted.
TILE_CAPI_EXPORTED void
tileEmulatorLaunchSetMaxFindings(TileEmulatorLaunch *launch, uint32_t count);
/// Instructions after which a warp that has not ended is called endless; 0: never.
TILE_CAPI_EXPORTED void
tileEmulatorLaunchSetMaxInstructions(TileEmulatorLaunch *launch,
                                     uint64_t count);
/// Whether warps may store equal values at one place without an order, and bulk copies
/// arrive at mbarriers behind a barrier alone, as code of Triton does (docs/Emulator.md).
TILE_CAPI_EXPORTED void
tileEmulatorLaunchAllowEqualStores(TileEmulatorLaunch *launch, bool isAllowed);
TILE_CAPI_EXPORTED void
tileEmulatorLaunchAllowUnfencedMbarriers(TileEmulatorLaunch *launch,
                                         bool isAllowed);

/// Ends a run of the launch soon, from another thread or a signal handler: its result is
/// not completed. Nor is that of any later run of the launch.
TILE_CAPI_EXPORTED void tileEmulatorLaunchInterrupt(TileEmulatorLaunch *launch);

/// Runs the kernel to its end. Whatever is wrong with the launch or the kernel is in the
/// result, which is never null.
TILE_CAPI_EXPORTED TileEmulatorResult *
tileEmulatorLaunchRun(const TileEmulatorLaunch *launch,
                      TileEmulatorMemory *memory);

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

TILE_CAPI_EXPORTED void tileEmulatorResultDestroy(TileEmulatorResult *result);
/// Whether all blocks ran to their end: not after a trap, a deadlock or an interrupt,
/// nor where the launch could not begin.
TILE_CAPI_EXPORTED bool
tileEmulatorResultIsCompleted(const TileEmulatorResult *result);
/// What the kernel printed.
TILE_CAPI_EXPORTED TileString
tileEmulatorResultGetOutput(const TileEmulatorResult *result);
/// An object as docs/Running.md has it.
TILE_CAPI_EXPORTED TileString
tileEmulatorResultGetStatisticsJson(const TileEmulatorResult *result);
TILE_CAPI_EXPORTED size_t
tileEmulatorResultGetNumFindings(const TileEmulatorResult *result);
TILE_CAPI_EXPORTED const TileEmulatorFinding *
tileEmulatorResultGetFinding(const TileEmulatorResult *result, size_t index);
/// Findings beyond those that are kept.
TILE_CAPI_EXPORTED uint64_t
tileEmulatorResultGetNumDropped(const TileEmulatorResult *result);
/// Worth knowing, but no mistakes.
TILE_CAPI_EXPORTED size_t
tileEmulatorResultGetNumNotes(const TileEmulatorResult *result);
TILE_CAPI_EXPORTED const TileEmulatorFinding *
tileEmulatorResultGetNote(const TileEmulatorResult *result, size_t index);

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

typedef enum TileEmulatorFindingKind {
  TileEmulatorFindingRace,
  TileEmulatorFindingOutOfBounds,
  TileEmulatorFindingMisaligned,
  TileEmulatorFindingUninitialized,
  TileEmulatorFindingBarrier,
  TileEmulatorFindingDeadlock,
  TileEmulatorFindingTrap,
  TileEmulatorFindingInvalid,
} TileEmulatorFindingKind;

TILE_CAPI_EXPORTED TileEmulatorFindingKind
tileEmulatorFindingGetKind(const TileEmulatorFinding *finding);
/// One sentence with the numbers.
TILE_CAPI_EXPORTED TileString
tileEmulatorFindingGetMessage(const TileEmulatorFinding *finding);
/// The order that is missing, or the remedy; may be empty.
TILE_CAPI_EXPORTED TileString
tileEmulatorFindingGetMissing(const TileEmulatorFinding *finding);
/// How often these instructions did it.
TILE_CAPI_EXPORTED uint64_t
tileEmulatorFindingGetCount(const TileEmulatorFinding *finding);
/// Whether it is about bytes; then where the first of them lies: the address as the
/// kernel has it, of shared memory the offset in that of the block.
TILE_CAPI_EXPORTED bool
tileEmulatorFindingGetAddress(const TileEmulatorFinding *finding,
                              uint64_t *address);
/// All of it, several lines, as `ptx-run` prints them.
TILE_CAPI_EXPORTED TileString
tileEmulatorFindingGetText(const TileEmulatorFinding *finding);

/// The instructions that it is about: two of a race, the later one first; one of most
/// others; none of a launch that could not begin.
TILE_CAPI_EXPORTED size_t
tileEmulatorFindingGetNumAccesses(const TileEmulatorFinding *finding);
/// "later:   write of 4 bytes by 'st.shared.u32'".
TILE_CAPI_EXPORTED TileString tileEmulatorFindingGetAccessText(
    const TileEmulatorFinding *finding, size_t access);
/// The line of the PTX text, from 1.
TILE_CAPI_EXPORTED uint32_t tileEmulatorFindingGetPtxLine(
    const TileEmulatorFinding *finding, size_t access);
/// "file:line:column" of `.loc`, with what it was inlined at; may be empty.
TILE_CAPI_EXPORTED TileString
tileEmulatorFindingGetSource(const TileEmulatorFinding *finding, size_t access);
TILE_CAPI_EXPORTED void
tileEmulatorFindingGetBlock(const TileEmulatorFinding *finding, size_t access,
                            uint32_t block[3]);
TILE_CAPI_EXPORTED void
tileEmulatorFindingGetThread(const TileEmulatorFinding *finding, size_t access,
                             uint32_t thread[3]);

#ifdef __cplusplus
}
#endif

#endif // TILE_C_EMULATOR_H
