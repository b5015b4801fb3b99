//===- CudaBackend.cpp - Kernels on a GPU ---------------------------------===//
//
// Everything happens in the context that is current in the calling thread, where the
// application's buffers and streams are, too. Modules are loaded once in each context.
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include "tile/CudaDriver/Device.h"
#include "tile/DeviceLaunch/CudaLaunch.h"

#include <map>
#include <mutex>

using namespace tilec;
using namespace tilec::rt;

namespace {

/// A context that kernels were started in.
struct Context {
  std::unique_ptr<cuda::Device> device;
  std::mutex mutex; ///< of what follows
  std::map<const TileRtImage *, cuda::Handle> modules;
  std::map<std::pair<const TileRtImage *, std::string>, cuda::Handle> kernels;
};

class CudaBackend final : public Backend {
public:
  Problem allocate(size_t sizeBytes, uint64_t &address) override;
  Problem release(uint64_t address) override;
  Problem write(uint64_t target, const void *source, size_t sizeBytes) override;
  Problem read(void *target, uint64_t source, size_t sizeBytes) override;
  Problem synchronize(TileRtStream stream) override;
  Problem allocateIn(TileRtStream stream, size_t sizeBytes,
                     uint64_t &address) override;
  Problem releaseIn(TileRtStream stream, uint64_t address) override;
  Problem copyIn(TileRtStream stream, const StridedCopy &copy) override;
  Problem zeroIn(TileRtStream stream, uint64_t address,
                 size_t sizeBytes) override;
  Problem launchIn(TileRtStream stream, const TileRtImage &image,
                   const KernelLaunch &launch) override;
  void forget(const TileRtImage *image) override;
  Problem getMultiprocessors(const TileRtImage &image, int64_t &count) override;

private:
  Problem getContext(Context *&context);
  /// Calls `use` with the current context's device.
  template <typename Function>
  Problem withDevice(Function &&use);

  std::mutex mutex;
  cuda::Functions driver = {};
  bool isLoaded = false;
  std::map<cuda::Handle, std::unique_ptr<Context>> contexts;
};

} // namespace

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

static Problem noDevice(const std::string &message) {
  return {TILE_RT_NO_DEVICE, message +
                                 "; without a GPU, TILE_RT_DEVICE=emulator or "
                                 "tileRtUseDevice runs kernels on the CPU"};
}

Problem CudaBackend::getContext(Context *&context) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!isLoaded) {
    std::string error = cuda::loadFunctions(driver);
    if (!error.empty())
      return noDevice(error);
    isLoaded = true;
  }
  // Before the driver is initialised there is none.
  cuda::Handle current = nullptr;
  if (driver.getContext(&current) != cuda::Success)
    current = nullptr;
  std::unique_ptr<cuda::Device> device;
  if (!current || !contexts.count(current)) {
    std::string error;
    device = cuda::Device::openCurrent(error);
    if (!device)
      return noDevice(error);
    (void)driver.getContext(&current);
  }
  std::unique_ptr<Context> &known = contexts[current];
  if (!known) {
    known = std::make_unique<Context>();
    known->device = std::move(device);
  }
  context = known.get();
  return {};
}

template <typename Function>
Problem CudaBackend::withDevice(Function &&use) {
  Context *context = nullptr;
  if (Problem problem = getContext(context))
    return problem;
  return deviceProblem(use(*context->device));
}

Problem CudaBackend::getMultiprocessors(const TileRtImage &image,
                                        int64_t &count) {
  return withDevice([&](cuda::Device &device) {
    count = device.describe().multiprocessors;
    return std::string();
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static cuda::DeviceAddress toAddress(uint64_t address) { return address; }

Problem CudaBackend::allocate(size_t sizeBytes, uint64_t &address) {
  return withDevice([&](cuda::Device &device) {
    cuda::DeviceAddress made = 0;
    std::string error = device.allocate(sizeBytes, made);
    address = made;
    return error;
  });
}

Problem CudaBackend::release(uint64_t address) {
  return withDevice(
      [&](cuda::Device &device) { return device.release(toAddress(address)); });
}

Problem CudaBackend::write(uint64_t target, const void *source,
                           size_t sizeBytes) {
  return withDevice([&](cuda::Device &device) {
    return device.write(toAddress(target), source, sizeBytes);
  });
}

Problem CudaBackend::read(void *target, uint64_t source, size_t sizeBytes) {
  return withDevice([&](cuda::Device &device) {
    return device.read(toAddress(source), target, sizeBytes);
  });
}

Problem CudaBackend::synchronize(TileRtStream stream) {
  return withDevice(
      [&](cuda::Device &device) { return device.synchronize(stream); });
}

Problem CudaBackend::allocateIn(TileRtStream stream, size_t sizeBytes,
                                uint64_t &address) {
  return withDevice([&](cuda::Device &device) {
    cuda::DeviceAddress made = 0;
    std::string error = device.allocateInStream(sizeBytes, stream, made);
    address = made;
    return error;
  });
}

Problem CudaBackend::releaseIn(TileRtStream stream, uint64_t address) {
  return withDevice([&](cuda::Device &device) {
    return device.releaseInStream(toAddress(address), stream);
  });
}

Problem CudaBackend::copyIn(TileRtStream stream, const StridedCopy &copy) {
  return withDevice([&](cuda::Device &device) {
    if (copy.count == 1)
      return device.copy(copy.target, copy.source, copy.sizeBytes, stream);
    cuda::RowCopy rows;
    rows.source.device = copy.source;
    rows.source.pitchBytes = copy.sourcePitch;
    rows.target.device = copy.target;
    rows.target.pitchBytes = copy.targetPitch;
    rows.widthBytes = copy.sizeBytes;
    rows.height = copy.count;
    return device.copyRows(rows, stream);
  });
}

Problem CudaBackend::zeroIn(TileRtStream stream, uint64_t address,
                            size_t sizeBytes) {
  return withDevice([&](cuda::Device &device) {
    return device.fillInStream(toAddress(address), 0, sizeBytes, stream);
  });
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Machine code where it is for this device, else what the driver makes of the PTX.
static std::string loadImage(cuda::Device &device, const TileRtImage &image,
                             cuda::Handle &module) {
  auto load = [&](const char *bytes, int64_t size) {
    return device.loadModule(std::string_view(bytes, static_cast<size_t>(size)),
                             module);
  };
  if (image.cubin && load(image.cubin, image.cubinBytes).empty())
    return "";
  return load(image.ptx, image.ptxBytes);
}

static Problem getKernel(Context &context, const TileRtImage &image,
                         const std::string &name, cuda::Handle &kernel) {
  std::lock_guard<std::mutex> lock(context.mutex);
  cuda::Handle &known = context.kernels[{&image, name}];
  cuda::Handle &module = context.modules[&image];
  if (!module) {
    cuda::Handle loaded = nullptr;
    std::string error = loadImage(*context.device, image, loaded);
    if (!error.empty())
      return {TILE_RT_NO_DEVICE, error};
    module = loaded;
  }
  if (!known) {
    cuda::Handle found = nullptr;
    std::string error = context.device->findKernel(module, name, found);
    if (!error.empty())
      return deviceProblem(error);
    known = found;
  }
  kernel = known;
  return {};
}

/// The driver keeps the module: its context may not be current, or gone when a process
/// ends.
void CudaBackend::forget(const TileRtImage *image) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[handle, context] : contexts) {
    std::lock_guard<std::mutex> contextLock(context->mutex);
    context->modules.erase(image);
    std::erase_if(context->kernels, [&](const auto &kernel) {
      return kernel.first.first == image;
    });
  }
}

Problem CudaBackend::launchIn(TileRtStream stream, const TileRtImage &image,
                              const KernelLaunch &launch) {
  Context *context = nullptr;
  if (Problem problem = getContext(context))
    return problem;
  cuda::Handle kernel = nullptr;
  if (Problem problem = getKernel(*context, image, launch.kernel, kernel))
    return problem;
  CudaLaunch start;
  std::string problem = start.prepare(*context->device, kernel, launch);
  start.launch.stream = stream;
  if (problem.empty())
    problem = context->device->launch(start.launch);
  return deviceProblem(problem);
}

std::unique_ptr<Backend> tilec::rt::makeCudaBackend() {
  return std::make_unique<CudaBackend>();
}
