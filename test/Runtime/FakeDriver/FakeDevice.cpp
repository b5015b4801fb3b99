//===- FakeDevice.cpp - A device for the test double of the driver -------===//

#include "FakeDevice.h"

#include <cstdlib>
#include <cstring>
#include <fstream>

using namespace tilec;
using namespace tilec::fake;

#ifdef FAKE_DRIVER_OLD
const int tilec::fake::driverVersion = 11040;
#else
const int tilec::fake::driverVersion = 13000;
#endif

static long long readVariable(const char *name, long long otherwise) {
  const char *text = std::getenv(name);
  return text && *text ? std::atoll(text) : otherwise;
}

FakeDevice::FakeDevice() {
  initResult = static_cast<int>(readVariable("FAKE_CUDA_INIT", 0));
  hasDevice = readVariable("FAKE_CUDA_NO_DEVICE", 0) == 0;
  memoryBytes = static_cast<uint64_t>(
      readVariable("FAKE_CUDA_MEMORY", static_cast<long long>(memoryBytes)));
  capability =
      static_cast<int>(readVariable("FAKE_CUDA_CAPABILITY", capability));
  flippedByte = readVariable("FAKE_CUDA_FLIP", -1);
  dependentLaunches = std::getenv("FAKE_CUDA_DEPENDENT");
  loads = std::getenv("FAKE_CUDA_LOADS");
}

thread_local bool FakeDevice::hasContext = false;

FakeDevice &tilec::fake::device() {
  static FakeDevice theDevice;
  return theDevice;
}

cuda::Result FakeDevice::checkContext() const {
  if (!isInitialized)
    return cuda::NotInitialized;
  return hasContext ? sticky : cuda::InvalidContext;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// PTX is for this device or an older one; sm_90a only for exactly that one,
/// sm_100f for its family.
cuda::Result FakeDevice::checkTarget(const std::string &ptx,
                                     const std::string &target,
                                     std::string &log) const {
  size_t at = ptx.find(".version");
  int major = 0, minor = 0;
  if (at != std::string::npos) {
    char *end = nullptr;
    major = static_cast<int>(std::strtol(ptx.c_str() + at + 8, &end, 10));
    minor = static_cast<int>(std::strtol(end + 1, nullptr, 10));
  }
  // CUDA 11, 12, 13 know PTX 7, 8, 9. Minor versions do not run in step: the
  // newest of each major is taken to know them all.
  int known = driverVersion / 1000 - 4;
  if (major > known ||
      (major == known && major == 7 && minor > driverVersion % 1000 / 10)) {
    log = "ptxas application ptx input, line 1; fatal   : Unsupported .version";
    return cuda::UnsupportedPtxVersion;
  }
  int number = target.size() > 3 ? std::atoi(target.c_str() + 3) : 0;
  char suffix = target.empty() ? '\0' : target.back();
  bool runs = suffix == 'a' ? number == capability
              : suffix == 'f'
                  ? number / 10 == capability / 10 && number <= capability
                  : number <= capability;
  return runs ? cuda::Success : cuda::NoBinaryForGpu;
}

cuda::Result FakeDevice::loadModule(const char *ptx, FakeModule *&module,
                                    std::string &log) {
  std::vector<emu::Diagnostic> diagnostics;
  auto parsed = emu::Module::parse(ptx, "input.ptx", diagnostics);
  if (parsed)
    if (cuda::Result result = checkTarget(ptx, parsed->target(), log))
      return result;
  // The driver compiles the whole module, not only what is launched.
  if (parsed)
    for (const emu::KernelInfo &kernel : parsed->kernels())
      parsed->prepare(kernel.name, diagnostics);
  for (const emu::Diagnostic &diagnostic : diagnostics)
    log += "ptxas application ptx input, line " +
           std::to_string(diagnostic.line) +
           "; error   : " + diagnostic.message + "\n";
  if (!diagnostics.empty())
    return cuda::InvalidPtx;
  if (loads)
    std::ofstream(loads, std::ios::app) << parsed->target() << "\n";
  module = new FakeModule{std::move(parsed)};
  modules.insert(module);
  return cuda::Success;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

cuda::Result FakeDevice::checkLaunch(const FakeFunction &function,
                                     const emu::Dim3 &grid,
                                     const emu::Dim3 &block,
                                     const emu::Dim3 &cluster,
                                     uint32_t dynamicSharedBytes) const {
  const emu::KernelInfo &kernel = *function.kernel;
  uint64_t threads = block.count();
  if (grid.count() == 0 || threads == 0 || threads > 1024 || block.z > 64 ||
      grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535)
    return cuda::InvalidValue;
  if (kernel.requiredBlock &&
      *kernel.requiredBlock != std::array{block.x, block.y, block.z})
    return cuda::InvalidValue;
  if (kernel.maximumBlock) {
    auto [x, y, z] = *kernel.maximumBlock;
    if (threads > uint64_t(x) * y * z)
      return cuda::InvalidValue;
  }
  uint64_t allowed =
      std::max(function.maxDynamicSharedBytes,
               defaultSharedBytes - static_cast<int>(kernel.staticSharedBytes));
  if (dynamicSharedBytes > allowed)
    return cuda::InvalidValue;
  if (cluster.count() == 1)
    return cuda::Success;
  if (capability < 90)
    return cuda::NotSupported;
  bool divides = grid.x % cluster.x == 0 && grid.y % cluster.y == 0 &&
                 grid.z % cluster.z == 0;
  uint64_t most = function.isNonPortableClusterAllowed ? 16 : 8;
  return divides && cluster.count() <= most ? cuda::Success
                                            : cuda::InvalidClusterSize;
}

/// What the driver calls a failure that the emulator reports.
static cuda::Result translate(const emu::LaunchResult &result) {
  for (const emu::Report &report : result.reports)
    switch (report.kind) {
    case emu::ReportKind::OutOfBounds:
      return cuda::IllegalAddress;
    case emu::ReportKind::Misaligned:
      return cuda::MisalignedAddress;
    case emu::ReportKind::Deadlock:
      return cuda::LaunchTimeout;
    default:
      return cuda::LaunchFailed;
    }
  return result.completed ? cuda::Success : cuda::LaunchFailed;
}

cuda::Result FakeDevice::launch(FakeFunction *function, const emu::Dim3 &grid,
                                const emu::Dim3 &block,
                                const emu::Dim3 &cluster,
                                uint32_t dynamicSharedBytes,
                                void **parameters) {
  if (cuda::Result result = checkContext())
    return result;
  if (!functions.count(function))
    return cuda::InvalidHandle;
  if (cuda::Result result =
          checkLaunch(*function, grid, block, cluster, dynamicSharedBytes))
    return result;
  const emu::KernelInfo &kernel = *function->kernel;
  emu::LaunchConfig config;
  config.kernel = kernel.name;
  config.grid = grid;
  config.block = block;
  config.cluster = cluster;
  config.dynamicSharedBytes = dynamicSharedBytes;
  config.parameters.resize(kernel.parameterBytes);
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (!parameters || !parameters[i])
      return cuda::InvalidValue;
    std::memcpy(config.parameters.data() + kernel.parameters[i].offsetBytes,
                parameters[i], kernel.parameters[i].sizeBytes);
  }
  emu::LaunchOptions options;
  options.checks = emu::CheckOptions::none();
  options.checks.bounds = options.checks.alignment = true;
  options.checks.deadlock = true;
  options.statistics = false;
  options.threadCount = 0;
  // A launch is asynchronous: its failure is the next call's.
  sticky = translate(emu::launch(*function->module, memory, config, options));
  return cuda::Success;
}

cuda::Result FakeDevice::noteDependent(FakeFunction *function) const {
  if (!functions.count(function))
    return cuda::InvalidHandle;
  if (capability < 90)
    return cuda::NotSupported;
  if (dependentLaunches)
    std::ofstream(dependentLaunches, std::ios::app)
        << function->kernel->name << "\n";
  return cuda::Success;
}
