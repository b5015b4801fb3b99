//===- tileRt.h - The runtime of compiled host code -----------------*- C -*-===//
//
// What an application calls beside the functions of its objects
// (`tile-opt --emit=object`): memory on the device, the end of a stream, what went
// wrong. C99 and C++.
//
// Pointers are device pointers: of `tileRtAllocate`, or, on a GPU, of anything that
// allocates in the calling thread's CUDA context (cudaMalloc, cuMemAlloc, ..). A thread
// without a context gets the primary one of the first GPU, as with CUDA's own runtime.
//
// Kernels run on the GPU, or on the PTX emulator, on the CPU with all its checks:
// `tileRtUseDevice`, or TILE_RT_DEVICE=emulator in the environment. Neither takes the
// other's place on its own.
//
// All functions may be called from several threads.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RT_TILERT_H
#define TILE_RT_TILERT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TILE_RT_EXPORT __attribute__((visibility("default")))
#else
#define TILE_RT_EXPORT
#endif

/// What functions return; `tileRtLastError` has the words.
typedef enum TileRtStatus {
  TILE_RT_SUCCESS = 0,
  /// An argument is not what the program was compiled for.
  TILE_RT_INVALID_ARGUMENT = 1,
  /// A grid is more than a device takes, or less than nothing.
  TILE_RT_INVALID_LAUNCH = 2,
  /// There is no driver, no GPU, or none that the program was compiled for.
  TILE_RT_NO_DEVICE = 3,
  /// The device refused something, or a kernel failed.
  TILE_RT_DEVICE_ERROR = 4,
  /// The program or the application does what is never right.
  TILE_RT_INVALID_USE = 5
} TileRtStatus;

typedef enum TileRtDevice {
  TILE_RT_CUDA = 0,
  TILE_RT_EMULATOR = 1
} TileRtDevice;

/// A CUstream or cudaStream_t, in which kernels are started; null: the default one. The
/// emulator does everything at once.
typedef void *TileRtStream;

/// The words for the calling thread's last failure, with both numbers; empty before.
/// Valid until the thread's next failure.
TILE_RT_EXPORT const char *tileRtLastError(void);

/// Where everything runs that is started from now on, on all threads. Each device has
/// memory of its own.
TILE_RT_EXPORT TileRtStatus tileRtUseDevice(TileRtDevice device);

/// Memory on the device, at a multiple of 256 bytes.
TILE_RT_EXPORT TileRtStatus tileRtAllocate(void **address, size_t sizeBytes);
TILE_RT_EXPORT TileRtStatus tileRtRelease(void *address);

/// Copies between the application's memory and the device's; done when they return. They
/// wait for no stream but the default one: see `tileRtSynchronize`.
TILE_RT_EXPORT TileRtStatus tileRtCopyToDevice(void *target, const void *source,
                                               size_t sizeBytes);
TILE_RT_EXPORT TileRtStatus tileRtCopyToHost(void *target, const void *source,
                                             size_t sizeBytes);

/// Waits for all that was started in the stream. A kernel that failed on a GPU says so
/// here at the latest.
TILE_RT_EXPORT TileRtStatus tileRtSynchronize(TileRtStream stream);

#ifdef __cplusplus
}
#endif

#endif // TILE_RT_TILERT_H
