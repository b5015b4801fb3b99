//===- KernelLaunch.h - A launch as plain data ------------------*- C++ -*-===//
//
// What the host program, interpreted or compiled, says of a launch, before it is the
// driver's or the emulator's: the kernel ABI of docs/KernelABI.md with addresses of the
// device.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DEVICELAUNCH_KERNELLAUNCH_H
#define TILE_DEVICELAUNCH_KERNELLAUNCH_H

#include "tile/Contract/TensorMaps.h"
#include "tile/Limits/LaunchLimits.h"

#include <optional>
#include <string>
#include <vector>

namespace tilec {

/// The first `sizeBytes` bytes of `bits`, or the tensor map that they are.
struct KernelParameter {
  uint64_t bits = 0;
  uint64_t sizeBytes = 8;
  std::optional<TensorDescription> map = {};
};

/// Extents are those that tile/Limits/LaunchLimits.h lets pass.
struct KernelLaunch {
  std::string kernel;
  Extents grid = {1, 1, 1}, block = {1, 1, 1}, cluster = {1, 1, 1};
  int64_t sharedBytes = 0; ///< dynamic ones
  /// May start before the launch in front has ended; the kernel waits for that.
  bool isDependent = false;
  std::vector<KernelParameter> parameters;
};

} // namespace tilec

#endif // TILE_DEVICELAUNCH_KERNELLAUNCH_H
