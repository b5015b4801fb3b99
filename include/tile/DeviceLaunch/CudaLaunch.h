//===- CudaLaunch.h - A launch as the driver takes it -----------*- C++ -*-===//

#ifndef TILE_DEVICELAUNCH_CUDALAUNCH_H
#define TILE_DEVICELAUNCH_CUDALAUNCH_H

#include "tile/CudaDriver/Device.h"
#include "tile/DeviceLaunch/KernelLaunch.h"

namespace tilec {

/// The launch and what its parameters point to, which lies here.
class CudaLaunch {
public:
  CudaLaunch() = default;
  CudaLaunch(const CudaLaunch &) = delete;
  CudaLaunch &operator=(const CudaLaunch &) = delete;

  /// Fills `launch` but for its stream, with tensor maps that `device` encodes. Why it
  /// cannot; empty if it can.
  std::string prepare(cuda::Device &device, cuda::Handle kernel,
                      const KernelLaunch &from);

  cuda::Launch launch;

private:
  std::vector<KernelParameter> parameters;
  std::vector<cuda::OpaqueTensorMap> maps;
};

} // namespace tilec

#endif // TILE_DEVICELAUNCH_CUDALAUNCH_H
