//===- Backend.h - Where compiled host code has its kernels run -*- C++ -*-===//
//
// A device behind the runtime: a GPU (CudaBackend.cpp) or the emulator
// (EmulatorBackend.cpp). Addresses are the device's own.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_HOSTRUNTIME_BACKEND_H
#define TILE_LIB_HOSTRUNTIME_BACKEND_H

#include "tile-rt/abi.h"
#include "tile/DeviceLaunch/KernelLaunch.h"

#include <memory>
#include <string>
#include <vector>

namespace tilec::rt {

/// What went wrong; nothing where the status is success.
struct [[nodiscard]] Problem {
  TileRtStatus status = TILE_RT_SUCCESS;
  std::string message;

  explicit operator bool() const { return status != TILE_RT_SUCCESS; }
};

/// `message`, where it is not empty.
inline Problem deviceProblem(std::string message) {
  return {message.empty() ? TILE_RT_SUCCESS : TILE_RT_DEVICE_ERROR,
          std::move(message)};
}

/// `count` runs of `sizeBytes` bytes, so far apart.
struct StridedCopy {
  uint64_t target = 0, source = 0;
  size_t sizeBytes = 0, count = 1;
  size_t targetPitch = 0, sourcePitch = 0;
};

class Backend {
public:
  virtual ~Backend() = default;

  virtual Problem allocate(size_t sizeBytes, uint64_t &address) = 0;
  virtual Problem release(uint64_t address) = 0;
  virtual Problem write(uint64_t target, const void *source,
                        size_t sizeBytes) = 0;
  virtual Problem read(void *target, uint64_t source, size_t sizeBytes) = 0;
  virtual Problem synchronize(TileRtStream stream) = 0;

  /// In the order of a stream.
  virtual Problem allocateIn(TileRtStream stream, size_t sizeBytes,
                             uint64_t &address) = 0;
  virtual Problem releaseIn(TileRtStream stream, uint64_t address) = 0;
  virtual Problem copyIn(TileRtStream stream, const StridedCopy &copy) = 0;
  virtual Problem zeroIn(TileRtStream stream, uint64_t address,
                         size_t sizeBytes) = 0;
  /// Starts a kernel of `image`.
  virtual Problem launchIn(TileRtStream stream, const TileRtImage &image,
                           const KernelLaunch &launch) = 0;

  /// Loads an image at this address anew.
  virtual void forget(const TileRtImage *image) = 0;

  virtual Problem getMultiprocessors(const TileRtImage &image,
                                     int64_t &count) = 0;
};

std::unique_ptr<Backend> makeCudaBackend();
std::unique_ptr<Backend> makeEmulatorBackend();

/// The one that is in use.
Problem getBackend(Backend *&backend);
Problem useDevice(TileRtDevice device);
/// Tells all that were ever in use.
void forgetImage(const TileRtImage *image);

/// Keeps what `tileRtLastError` says and returns the status.
TileRtStatus record(const Problem &problem);
TileRtStatus getLastStatus();

} // namespace tilec::rt

#endif // TILE_LIB_HOSTRUNTIME_BACKEND_H
