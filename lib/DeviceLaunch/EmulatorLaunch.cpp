//===- EmulatorLaunch.cpp - A launch as the emulator takes it -------------===//

#include "tile/DeviceLaunch/EmulatorLaunch.h"

#include "tile/Emulator/TensorMap.h"

using namespace tilec;

static std::string encode(const TensorDescription &from, emu::TensorMap &map) {
  emu::TensorMapArguments arguments;
  arguments.element = static_cast<emu::TensorElement>(from.elementNumber);
  arguments.globalAddress = from.address;
  from.copyTo(arguments);
  if (from.isIm2Col)
    arguments.mode = emu::TensorMode::Im2col;
  arguments.swizzle = static_cast<emu::TensorSwizzle>(from.getSwizzleNumber());
  std::string problem = emu::encodeTensorMap(arguments, map);
  return problem.empty() ? "" : "a tensor map cannot be encoded: " + problem;
}

/// Puts the parameters into the places that the kernel's signature has.
static std::string addParameters(const KernelLaunch &from,
                                 const emu::KernelInfo &kernel,
                                 emu::ParameterBuilder &builder) {
  size_t count = from.parameters.size();
  for (size_t i = 0; i < count; ++i) {
    const KernelParameter &parameter = from.parameters[i];
    emu::TensorMap map;
    if (parameter.map)
      if (std::string problem = encode(*parameter.map, map); !problem.empty())
        return problem;
    if (!builder.addBytes(parameter.map ? static_cast<const void *>(&map)
                                        : &parameter.bits,
                          parameter.sizeBytes))
      return "parameter " + std::to_string(i) + " of " + std::to_string(count) +
             ", of " + std::to_string(parameter.sizeBytes) +
             " bytes, does not fit the signature of kernel '" + from.kernel +
             "', which has " + std::to_string(kernel.parameters.size()) +
             " parameters";
  }
  if (builder.complete())
    return "";
  return "kernel '" + from.kernel + "' has " +
         std::to_string(kernel.parameters.size()) +
         " parameters, but the kernel ABI gives " + std::to_string(count);
}

static emu::Dim3 toDim3(const Extents &extents) {
  return {static_cast<uint32_t>(extents[0]), static_cast<uint32_t>(extents[1]),
          static_cast<uint32_t>(extents[2])};
}

std::string tilec::prepareLaunch(const KernelLaunch &from,
                                 const emu::KernelInfo &kernel,
                                 emu::LaunchConfig &config) {
  emu::ParameterBuilder builder(kernel);
  if (std::string problem = addParameters(from, kernel, builder);
      !problem.empty())
    return problem;
  config.kernel = from.kernel;
  config.grid = toDim3(from.grid);
  config.block = toDim3(from.block);
  config.cluster = toDim3(from.cluster);
  config.dynamicSharedBytes = static_cast<uint32_t>(from.sharedBytes);
  config.parameters = builder.bytes();
  return "";
}

emu::LaunchOptions tilec::getEmulatorOptions() {
  emu::LaunchOptions options;
  // What this compiler generates is right under both readings.
  options.wgmmaCompletion = emu::WgmmaCompletion::Warp;
  options.threadCount = 0;
  options.statistics = false;
  return options;
}
