//===- EmulatorBackend.cpp - Kernels on the CPU, with all checks ----------===//
//
// One thing at a time, whatever thread and stream it comes from: the emulator spreads
// the blocks of a launch over the cores itself, and its memory is not touched beside.
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include "tile/DeviceLaunch/EmulatorLaunch.h"
#include "tile/Limits/AvailableMemory.h"
#include "tile/Limits/LaunchLimits.h"

#include <cstdio>
#include <map>
#include <mutex>

using namespace tilec;
using namespace tilec::rt;

namespace {

class EmulatorBackend final : public Backend {
public:
  Problem allocate(size_t sizeBytes, uint64_t &address) override;
  Problem release(uint64_t address) override;
  Problem write(uint64_t target, const void *source, size_t sizeBytes) override;
  Problem read(void *target, uint64_t source, size_t sizeBytes) override;
  Problem synchronize(TileRtStream) override { return {}; }
  Problem allocateIn(TileRtStream, size_t sizeBytes,
                     uint64_t &address) override {
    return allocate(sizeBytes, address);
  }
  Problem releaseIn(TileRtStream, uint64_t address) override {
    return release(address);
  }
  Problem copyIn(TileRtStream, const StridedCopy &copy) override;
  Problem zeroIn(TileRtStream, uint64_t address, size_t sizeBytes) override;
  Problem launchIn(TileRtStream, const TileRtImage &image,
                   const KernelLaunch &launch) override;
  void forget(const TileRtImage *image) override {
    std::lock_guard<std::mutex> lock(mutex);
    modules.erase(image);
  }
  Problem getMultiprocessors(const TileRtImage &image,
                             int64_t &count) override {
    count = image.multiprocessors;
    return {};
  }

private:
  Problem getModule(const TileRtImage &image, emu::Module *&module);
  std::string refuse(const char *what, uint64_t address,
                     size_t sizeBytes) const;

  std::mutex mutex;
  emu::DeviceMemory memory;
  std::map<const TileRtImage *, std::unique_ptr<emu::Module>> modules;
};

} // namespace

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Problem EmulatorBackend::allocate(size_t sizeBytes, uint64_t &address) {
  // With a flag for each byte.
  std::string problem =
      checkMemory(sizeBytes > SIZE_MAX / 2 ? SIZE_MAX : 2 * sizeBytes);
  if (!problem.empty())
    return deviceProblem("an allocation of " + std::to_string(sizeBytes) +
                         " bytes on the emulator " + problem);
  std::lock_guard<std::mutex> lock(mutex);
  address = memory.allocate(sizeBytes, "buffer");
  return {};
}

std::string EmulatorBackend::refuse(const char *what, uint64_t address,
                                    size_t sizeBytes) const {
  return std::string("the emulator cannot ") + what + " " +
         std::to_string(sizeBytes) + " bytes: " + memory.describe(address);
}

Problem EmulatorBackend::release(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  return memory.release(address)
             ? Problem()
             : deviceProblem("the emulator cannot free a buffer: " +
                             memory.describe(address));
}

Problem EmulatorBackend::write(uint64_t target, const void *source,
                               size_t sizeBytes) {
  std::lock_guard<std::mutex> lock(mutex);
  return sizeBytes == 0 || memory.write(target, source, sizeBytes)
             ? Problem()
             : deviceProblem(refuse("write", target, sizeBytes));
}

Problem EmulatorBackend::read(void *target, uint64_t source, size_t sizeBytes) {
  std::lock_guard<std::mutex> lock(mutex);
  return sizeBytes == 0 || memory.read(source, target, sizeBytes)
             ? Problem()
             : deviceProblem(refuse("read", source, sizeBytes));
}

Problem EmulatorBackend::copyIn(TileRtStream, const StridedCopy &copy) {
  std::lock_guard<std::mutex> lock(mutex);
  for (size_t i = 0; i < copy.count; ++i) {
    uint64_t target = copy.target + i * copy.targetPitch;
    uint64_t source = copy.source + i * copy.sourcePitch;
    if (memory.copy(target, source, copy.sizeBytes))
      continue;
    bool isSourceWrong =
        memory.countUninitialized(source, copy.sizeBytes) == copy.sizeBytes &&
        !memory.find(source);
    return deviceProblem(
        refuse("copy", isSourceWrong ? source : target, copy.sizeBytes));
  }
  return {};
}

Problem EmulatorBackend::zeroIn(TileRtStream, uint64_t address,
                                size_t sizeBytes) {
  std::lock_guard<std::mutex> lock(mutex);
  return memory.fill(address, 0, sizeBytes)
             ? Problem()
             : deviceProblem(refuse("fill", address, sizeBytes));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Problem EmulatorBackend::getModule(const TileRtImage &image,
                                   emu::Module *&module) {
  std::unique_ptr<emu::Module> &known = modules[&image];
  if (!known) {
    std::vector<emu::Diagnostic> diagnostics;
    known = emu::Module::parse(
        std::string_view(image.ptx, static_cast<size_t>(image.ptxBytes)),
        "kernels.ptx", diagnostics);
    if (!known)
      return deviceProblem("the emulator cannot read the PTX: line " +
                           std::to_string(diagnostics.front().line) + ": " +
                           diagnostics.front().message);
  }
  module = known.get();
  return {};
}

static Problem report(const TileRtImage &image, const KernelLaunch &launch,
                      const emu::LaunchResult &result) {
  if (result.ok())
    return {};
  std::string message = "kernel '" + launch.kernel + "' failed on the emulator";
  for (emu::Report entry : result.reports) {
    for (int64_t i = 0; i < image.assertionCount; ++i)
      if (entry.kind == emu::ReportKind::Trap &&
          entry.first.source == image.assertions[2 * i])
        entry.message = image.assertions[2 * i + 1];
    message += "\n" + entry.format("kernels.ptx");
  }
  while (message.back() == '\n')
    message.pop_back();
  return deviceProblem(message);
}

Problem EmulatorBackend::launchIn(TileRtStream, const TileRtImage &image,
                                  const KernelLaunch &launch) {
  if (std::string problem = checkInterpretedGrid(launch.grid); !problem.empty())
    return {TILE_RT_INVALID_LAUNCH,
            "kernel '" + launch.kernel + "': " + problem};
  std::lock_guard<std::mutex> lock(mutex);
  emu::Module *module = nullptr;
  if (Problem problem = getModule(image, module))
    return problem;
  const emu::KernelInfo *kernel = module->findKernel(launch.kernel);
  if (!kernel)
    return deviceProblem("the PTX has no kernel '" + launch.kernel + "'");
  emu::LaunchConfig config;
  if (std::string problem = prepareLaunch(launch, *kernel, config);
      !problem.empty())
    return deviceProblem(problem);
  emu::LaunchResult result =
      emu::launch(*module, memory, config, getEmulatorOptions());
  // What the kernel printed.
  std::fwrite(result.output.data(), 1, result.output.size(), stdout);
  return report(image, launch, result);
}

std::unique_ptr<Backend> tilec::rt::makeEmulatorBackend() {
  return std::make_unique<EmulatorBackend>();
}
