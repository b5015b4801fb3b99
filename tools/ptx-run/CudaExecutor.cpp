//===- CudaExecutor.cpp - A kernel on a GPU ------------------------------===//
//
// The driver compiles the same text that the emulator reads. Memory that nobody
// wrote is filled with ones, so that a kernel which depends on it computes NaN
// and not, by luck, what zeros give.
//
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include <cstdio>
#include <cstring>

using namespace tilec;

namespace {

class CudaExecutor final : public Executor {
public:
  CudaExecutor(std::unique_ptr<cuda::Device> device, cuda::Handle module)
      : device(std::move(device)), module(module) {}

  std::string allocate(uint64_t sizeBytes, const std::string &,
                       uint64_t &address) override {
    cuda::DeviceAddress result = 0;
    std::string error = device->allocate(sizeBytes, result);
    address = result;
    constexpr uint8_t ones = 0xff;
    return error.empty() ? device->fill(result, ones, sizeBytes) : error;
  }
  std::string write(uint64_t address, const void *source,
                    uint64_t sizeBytes) override {
    return device->write(address, source, sizeBytes);
  }
  std::string read(uint64_t address, void *target,
                   uint64_t sizeBytes) override {
    return device->read(address, target, sizeBytes);
  }
  std::string fill(uint64_t address, uint8_t value,
                   uint64_t sizeBytes) override {
    return device->fill(address, value, sizeBytes);
  }
  std::string encodeTensorMap(const emu::TensorMapArguments &arguments,
                              int l2Promotion, TensorMapBytes &map) override;
  bool run(const emu::KernelInfo &kernel, const RunOptions &options,
           bool &completed) override;
  bool finish(const emu::KernelInfo &kernel,
              const RunOptions &options) override;

private:
  std::string prepare(const emu::KernelInfo &kernel, const RunOptions &options);
  std::string checkParameters(const emu::KernelInfo &kernel);
  std::string describe();

  std::unique_ptr<cuda::Device> device;
  cuda::Handle module;
  cuda::Launch launch;
  std::vector<uint8_t> parameters;
  bool hasRun = false;
};

} // namespace

std::string
CudaExecutor::encodeTensorMap(const emu::TensorMapArguments &arguments,
                              int l2Promotion, TensorMapBytes &map) {
  cuda::TensorMapRequest request;
  request.element = static_cast<int>(arguments.element);
  request.rank = arguments.rank;
  request.address = arguments.globalAddress;
  std::memcpy(request.dims, arguments.dims, sizeof request.dims);
  std::memcpy(request.stridesBytes, arguments.stridesBytes,
              sizeof request.stridesBytes);
  std::memcpy(request.box, arguments.box, sizeof request.box);
  std::memcpy(request.elementStrides, arguments.elementStrides,
              sizeof request.elementStrides);
  request.isIm2Col = arguments.mode == emu::TensorMode::Im2col;
  std::memcpy(request.lowerCorner, arguments.lowerCorner,
              sizeof request.lowerCorner);
  std::memcpy(request.upperCorner, arguments.upperCorner,
              sizeof request.upperCorner);
  request.interleave = static_cast<int>(arguments.interleave);
  request.swizzle = static_cast<int>(arguments.swizzle);
  request.l2Promotion = l2Promotion;
  request.fill = static_cast<int>(arguments.fill);
  cuda::OpaqueTensorMap encoded = {};
  std::string error = device->encodeTensorMap(request, encoded);
  // The driver says only that a value is invalid; the emulator knows the rules.
  emu::TensorMap ignored;
  if (!error.empty())
    if (std::string rule = emu::encodeTensorMap(arguments, ignored);
        !rule.empty())
      error += "; " + rule;
  std::memcpy(map.bytes, &encoded, sizeof map.bytes);
  return error;
}

/// The signature was read by the emulator's parser; the driver has the last
/// word on the sizes.
std::string CudaExecutor::checkParameters(const emu::KernelInfo &kernel) {
  std::vector<size_t> sizes;
  bool isKnown = false;
  std::string error = device->getParameterSizes(launch.kernel, sizes, isKnown);
  if (!error.empty() || !isKnown)
    return error;
  bool isEqual = sizes.size() == kernel.parameters.size();
  std::string text;
  for (size_t i = 0; i < sizes.size(); ++i) {
    isEqual = isEqual && sizes[i] == kernel.parameters[i].sizeBytes;
    text += (i ? ", " : "") + std::to_string(sizes[i]);
  }
  return isEqual ? ""
                 : "the driver says that the kernel's parameters have " + text +
                       " bytes, which is not what the PTX says";
}

std::string CudaExecutor::describe() {
  cuda::KernelUse use;
  std::string error = device->getUse(launch.kernel, use);
  if (error.empty())
    std::printf("device: %s\nkernel: %d registers, %d bytes of local memory, "
                "%d bytes of static shared memory, at most %d threads\n",
                device->describe().toText().c_str(), use.registers,
                use.localBytes, use.staticSharedBytes, use.maxThreads);
  return error;
}

std::string CudaExecutor::prepare(const emu::KernelInfo &kernel,
                                  const RunOptions &options) {
  std::string error = device->findKernel(module, kernel.name, launch.kernel);
  if (error.empty())
    error = checkParameters(kernel);
  if (error.empty() && options.verbose)
    error = describe();
  auto toArray = [](const emu::Dim3 &dim) {
    return std::array<unsigned, 3>{dim.x, dim.y, dim.z};
  };
  const emu::LaunchConfig &config = options.config;
  launch.grid = toArray(config.grid);
  launch.block = toArray(config.block);
  launch.cluster = toArray(config.cluster);
  launch.dynamicSharedBytes = config.dynamicSharedBytes;
  parameters = config.parameters;
  for (const emu::ParameterInfo &parameter : kernel.parameters)
    launch.parameters.push_back(parameters.data() + parameter.offsetBytes);
  return error;
}

bool CudaExecutor::run(const emu::KernelInfo &kernel, const RunOptions &options,
                       bool &completed) {
  std::string error = prepare(kernel, options);
  if (error.empty())
    error = device->launch(launch);
  if (error.empty())
    error = device->synchronize();
  completed = hasRun = error.empty();
  return completed || fail(error) == 0;
}

bool CudaExecutor::finish(const emu::KernelInfo &, const RunOptions &options) {
  // The driver takes nothing more after a kernel that failed.
  if (options.timedLaunches == 0 || !hasRun)
    return true;
  constexpr unsigned warmUpCount = 5;
  std::vector<double> times;
  std::string error =
      device->time(launch, warmUpCount, options.timedLaunches, times);
  if (!error.empty())
    return fail(error) == 0;
  std::printf("time: median %.3f us, least %.3f us, most %.3f us of %zu "
              "launches after %u to warm up (device time between two events, "
              "no copies; caches stay warm)\n",
              times[times.size() / 2], times.front(), times.back(),
              times.size(), warmUpCount);
  return true;
}

std::unique_ptr<Executor>
tilec::makeCudaExecutor(std::unique_ptr<cuda::Device> device,
                        std::string_view ptx, std::string &error) {
  cuda::Handle module = nullptr;
  error = device->loadModule(ptx, module);
  if (!error.empty())
    return nullptr;
  return std::make_unique<CudaExecutor>(std::move(device), module);
}
