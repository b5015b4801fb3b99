//===- CudaLaunch.cpp - A launch as the driver takes it -------------------===//

#include "tile/DeviceLaunch/CudaLaunch.h"

using namespace tilec;

static std::string encode(cuda::Device &device, const TensorDescription &from,
                          cuda::OpaqueTensorMap &map) {
  cuda::TensorMapRequest request;
  request.element = from.elementNumber;
  request.address = from.address;
  from.copyTo(request);
  request.isIm2Col = from.isIm2Col;
  request.swizzle = from.getSwizzleNumber();
  request.l2Promotion = cuda::tensorMapPromotionOf128Bytes;
  return device.encodeTensorMap(request, map);
}

static std::array<unsigned, 3> narrow(const Extents &extents) {
  return {static_cast<unsigned>(extents[0]), static_cast<unsigned>(extents[1]),
          static_cast<unsigned>(extents[2])};
}

std::string CudaLaunch::prepare(cuda::Device &device, cuda::Handle kernel,
                                const KernelLaunch &from) {
  parameters = from.parameters;
  maps.resize(parameters.size());
  launch = {};
  launch.kernel = kernel;
  launch.grid = narrow(from.grid);
  launch.block = narrow(from.block);
  launch.cluster = narrow(from.cluster);
  launch.dynamicSharedBytes = static_cast<unsigned>(from.sharedBytes);
  launch.isDependent = from.isDependent;
  for (size_t i = 0; i < parameters.size(); ++i) {
    KernelParameter &parameter = parameters[i];
    if (parameter.map)
      if (std::string problem = encode(device, *parameter.map, maps[i]);
          !problem.empty())
        return problem;
    launch.parameters.push_back(parameter.map ? static_cast<void *>(&maps[i])
                                              : &parameter.bits);
  }
  return "";
}
